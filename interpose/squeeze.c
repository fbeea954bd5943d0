/* SPDX-License-Identifier: BSD-3-Clause */
#include "interpose/squeeze.h"

#include <string.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#define PREDICTORS 16
#define WORDS      16

struct unit {
	uint32_t word[WORDS];
};
_Static_assert(sizeof(struct unit) == sizeof(struct record), "words of one unit");

/* Which words of a and b differ. */
static unsigned differing(const struct unit *a, const struct unit *b)
{
	unsigned mask = 0;
	size_t w;

#if defined(__SSE2__)
	for (w = 0; w < WORDS; w += 4) {
		__m128i x = _mm_loadu_si128((const __m128i *)&a->word[w]);
		__m128i y = _mm_loadu_si128((const __m128i *)&b->word[w]);
		int same = _mm_movemask_ps(_mm_castsi128_ps(_mm_cmpeq_epi32(x, y)));

		mask |= (unsigned)(same ^ 15) << w;
	}
#else
	for (w = 0; w < WORDS; w++)
		mask |= (unsigned)(a->word[w] != b->word[w]) << w;
#endif
	return mask;
}

size_t squeeze(size_t n, const struct record units[n], unsigned char *out)
{
	static const struct unit nothing;
	const struct unit *last[PREDICTORS], *now;
	unsigned char *at = out;
	size_t i;

	for (i = 0; i < PREDICTORS; i++)
		last[i] = &nothing;
	for (i = 0; i < n; i++) {
		unsigned which = (unsigned)(units[i].call + units[i].kind) % PREDICTORS, left;
		uint16_t mask;

		now = (const void *)&units[i];
		left = differing(now, last[which]);
		mask = (uint16_t)left;
		at[0] = (unsigned char)which;
		memcpy(at + 1, &mask, sizeof(mask));
		for (at += 3; left; left &= left - 1) {
			unsigned w = (unsigned)__builtin_ctz(left);

			memcpy(at, &now->word[w], sizeof(now->word[w]));
			at += sizeof(now->word[w]);
		}
		last[which] = now;
	}
	return (size_t)(at - out);
}

int unsqueeze(size_t bytes, const unsigned char in[bytes], size_t n, struct record units[n])
{
	const unsigned char *at = in, *end = in + bytes;
	struct unit last[PREDICTORS];
	size_t i, w;

	memset(last, 0, sizeof(last));
	for (i = 0; i < n; i++) {
		uint32_t *old, changed;
		uint16_t mask;

		if (end - at < 3)
			return -1;
		old = last[at[0] % PREDICTORS].word;
		memcpy(&mask, at + 1, sizeof(mask));
		at += 3;
		if (end - at < 4 * __builtin_popcount(mask))
			return -1;
		for (w = 0; w < WORDS; w++) {
			if (!(mask >> w & 1))
				continue;
			memcpy(&changed, at, sizeof(changed));
			old[w] = changed;
			at += sizeof(changed);
		}
		memcpy(&units[i], old, sizeof(units[i]));
	}
	return 0;
}
