/* SPDX-License-Identifier: BSD-3-Clause */
#include "interpose/log/log_seal.h"

#include <string.h>

#define SEAL_LANES 4

static inline uint64_t mix(uint64_t sum, uint64_t word)
{
	sum ^= word;
	return (sum << 23 | sum >> 41) * UINT64_C(0x9e3779b97f4a7c15);
}

/* Four sums side by side, which a processor has at once. */
static uint64_t seal(const unsigned char *p, size_t n, uint64_t begin)
{
	uint64_t sum[SEAL_LANES] = {begin, 1, 2, 3}, word[SEAL_LANES];
	size_t i;

	for (; n >= sizeof(word); p += sizeof(word), n -= sizeof(word)) {
		memcpy(word, p, sizeof(word));
		for (i = 0; i < SEAL_LANES; i++)
			sum[i] = mix(sum[i], word[i]);
	}
	memset(word, 0, sizeof(word));
	memcpy(word, p, n);
	for (i = 0; i < SEAL_LANES; i++)
		begin = mix(begin, mix(sum[i], word[i]));
	return begin;
}

uint64_t log_seal_chunk(const struct log_chunk *head, const void *bytes)
{
	return seal(bytes, head->bytes, (uint64_t)head->sequence << 32 | head->bytes);
}

uint64_t log_seal_header(const struct log_header *h)
{
	uint64_t sum = 1;

	sum = mix(sum, (uint64_t)h->rank << 32 | h->thread);
	sum = mix(sum, (uint64_t)(uint32_t)h->pid << 32 | h->has_ticks);
	sum = seal((const void *)&h->anchor[0], sizeof(h->anchor[0]), sum);
	sum = seal((const void *)h->host, sizeof(h->host), sum);
	sum = seal((const void *)h->boot_id, sizeof(h->boot_id), sum);
	return sum ? sum : 1;
}

uint64_t log_seal_end(const struct log_header *h)
{
	uint64_t sum = mix(h->seal, h->end);

	sum = seal((const void *)&h->end_at, sizeof(h->end_at), sum);
	return sum ? sum : 1;
}

const struct log_anchor *log_sealed_end(const struct log_header *h)
{
	return h->end_seal && h->end_seal == log_seal_end(h) ? &h->end_at : NULL;
}
