/* SPDX-License-Identifier: BSD-3-Clause */
#include "interpose/squeeze.h"

#include <string.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#define LIKELY(x) __builtin_expect(!!(x), 1)

#define PREDICTORS 64
#define SAME_MASK  64 /* beside the predictor in the first byte */
#define WORDS      16

struct unit {
	uint32_t word[WORDS];
};
_Static_assert(sizeof(struct unit) == sizeof(struct record), "words of one unit");
_Static_assert(offsetof(struct record, enter) == 0 && offsetof(struct record, leave) == 8 &&
		       offsetof(struct record, request) == 32,
	       "which words are times, and which the request");
#define FIRST_WORD    4 /* those before it are times */
#define REQUEST_WORDS (3u << 8)
#define ALL_WORDS     (UINT16_MAX >> FIRST_WORD << FIRST_WORD)

/* What the next unit of its kind is expected to be like. */
struct predictor {
	const struct unit *last;
	uint64_t request; /* of the last */
	uint64_t step;    /* to it from the one before */
	uint16_t mask;
};

/* One kind of call at one place of the program, more or less. */
static unsigned predictor_of(const struct record *r)
{
	uint32_t end; /* call, kind and flags in one: the flags fall out */

	_Static_assert(offsetof(struct record, kind) == offsetof(struct record, call) + 2,
		       "what the word is made of");
	memcpy(&end, (const char *)r + offsetof(struct record, call), sizeof(end));
	return (end * 7u + (end >> 16) + r->site * 5u) % PREDICTORS;
}

#if defined(__SSE2__)
/* All ones where the four words from w on are the same. */
static __m128i same_words(const struct unit *a, const struct unit *b, size_t w)
{
	return _mm_cmpeq_epi32(_mm_loadu_si128((const __m128i *)&a->word[w]),
			       _mm_loadu_si128((const __m128i *)&b->word[w]));
}
#endif

/* Which words of a and b differ, times and request left out. */
static unsigned differing(const struct unit *a, const struct unit *b)
{
	unsigned mask = 0;

#if defined(__SSE2__)
	__m128i low = _mm_packs_epi32(same_words(a, b, 4), same_words(a, b, 8));
	__m128i high = _mm_packs_epi32(same_words(a, b, 12), _mm_setzero_si128());

	_Static_assert(FIRST_WORD == 4, "what comes before is in no vector");
	mask = ~(unsigned)_mm_movemask_epi8(_mm_packs_epi16(low, high)) << FIRST_WORD;
#else
	size_t w;

	for (w = FIRST_WORD; w < WORDS; w++)
		mask |= (unsigned)(a->word[w] != b->word[w]) << w;
#endif
	return mask & ALL_WORDS & ~REQUEST_WORDS;
}

/* The code of a time that is this much later than the one before: 0, 2, 4 or 8 bytes. */
static unsigned time_code(uint64_t time, uint64_t later)
{
	return time ? 1u + (later > UINT16_MAX) + (later > UINT32_MAX) : 0;
}

static size_t time_bytes(unsigned code)
{
	return (1u << code) & ~1u;
}

#define BOTH_SHORT 5u /* the codes of two times of 2 bytes: most calls' */

/* The codes of r's times, the last of all before it being before. */
static unsigned time_codes(const struct record *r, uint64_t before)
{
	return time_code(r->enter, r->enter - before) | time_code(r->leave, r->leave - r->enter)
								<< 2;
}

/*
 * The times as codes say, to at, and the last of them to *before. Stores of full width, of which
 * the next field writes over what is not needed. Returns the place behind.
 */
static unsigned char *put_times(unsigned char *at, const struct record *r, unsigned codes,
				uint64_t *before)
{
	uint64_t enter = r->enter - *before, leave = r->leave - r->enter;

	if (!codes)
		return at;
	memcpy(at, &enter, sizeof(enter));
	at += time_bytes(codes & 3);
	memcpy(at, &leave, sizeof(leave));
	*before = r->leave ? r->leave : r->enter;
	return at + time_bytes(codes >> 2);
}

/* The words of now that mask names; of its request, the step. */
static unsigned char *put_words(unsigned char *at, const struct unit *now, unsigned mask,
				uint64_t step)
{
	for (mask &= ALL_WORDS; mask; mask &= mask - 1) {
		unsigned w = (unsigned)__builtin_ctz(mask);
		uint32_t word;

		memcpy(&word, &now->word[w], sizeof(word));
		if (REQUEST_WORDS >> w & 1)
			word = (uint32_t)(w == 8 ? step : step >> 32);
		memcpy(at, &word, sizeof(word));
		at += sizeof(word);
	}
	return at;
}

/* The request's words that are not what p expects. */
static unsigned surprise(const struct predictor *p, uint64_t step)
{
	uint64_t other = step ^ p->step;

	return other ? (unsigned)((uint32_t)other != 0) << 8 | (unsigned)(other >> 32 != 0) << 9
		     : 0;
}

/* Which predictor, and the mask unless it is the one before. */
static unsigned char *put_mask(unsigned char *at, unsigned which, struct predictor *p,
			       unsigned mask)
{
	if (LIKELY(mask == p->mask)) {
		*at = (unsigned char)(which | SAME_MASK);
		return at + 1;
	}
	p->mask = (uint16_t)mask;
	*at = (unsigned char)which;
	memcpy(at + 1, &p->mask, sizeof(p->mask));
	return at + 1 + sizeof(p->mask);
}

size_t squeeze(size_t n, const struct record units[n], unsigned char *out)
{
	static const struct unit nothing;
	struct predictor predictors[PREDICTORS];
	unsigned char *at = out;
	uint64_t before = 0;
	size_t i;

	for (i = 0; i < PREDICTORS; i++)
		predictors[i] = (struct predictor){.last = &nothing};
	for (i = 0; i < n; i++) {
		const struct record *r = &units[i];
		const struct unit *now = (const void *)r;
		unsigned which = predictor_of(r), codes, words;
		struct predictor *p = &predictors[which];
		uint64_t step = r->request - p->request;
		uint64_t enter = r->enter - before, leave = r->leave - r->enter;

		words = differing(now, p->last);
		if (!LIKELY(step == p->step)) {
			words |= surprise(p, step);
			p->step = step;
		}
		if (LIKELY((enter | leave) <= UINT16_MAX && r->leave)) {
			uint32_t both = (uint32_t)(enter | leave << 16);

			at = put_mask(at, which, p, words | BOTH_SHORT);
			memcpy(at, &both, sizeof(both));
			at += sizeof(both);
			before = r->leave;
		} else {
			codes = time_codes(r, before);
			at = put_mask(at, which, p, words | codes);
			at = put_times(at, r, codes, &before);
		}
		if (words)
			at = put_words(at, now, words, step);
		p->last = now;
		p->request = r->request;
	}
	return (size_t)(at - out);
}

/* What has been read of a chunk. */
struct reading {
	const unsigned char *at, *end;
};

/* The next bytes, of a number that is at most 8 bytes long. Returns 0, or -1 at the end. */
static int take(struct reading *in, size_t bytes, void *to)
{
	if ((size_t)(in->end - in->at) < bytes)
		return -1;
	memcpy(to, in->at, bytes);
	in->at += bytes;
	return 0;
}

/* The unit's words that differ into it; those of its request are a step. */
static int take_words(struct reading *in, unsigned mask, char *unit, uint32_t step[2])
{
	unsigned left, w;

	for (left = mask >> FIRST_WORD << FIRST_WORD; left; left &= left - 1) {
		w = (unsigned)__builtin_ctz(left);
		if (take(in, 4, REQUEST_WORDS >> w & 1 ? (char *)&step[w - 8] : unit + 4 * w))
			return -1;
	}
	return 0;
}

int unsqueeze(size_t bytes, const unsigned char in[bytes], size_t n, struct record units[n])
{
	static const struct record nothing;
	struct reading from = {in, in + bytes};
	struct {
		const struct record *last;
		uint32_t step[2];
		uint16_t mask;
	} predictors[PREDICTORS], *p;
	uint64_t before = 0, step;
	size_t i;

	memset(predictors, 0, sizeof(predictors));
	for (i = 0; i < n; i++) {
		struct record *r = &units[i];
		unsigned char which;
		uint64_t later[2] = {0, 0};

		if (take(&from, 1, &which))
			return -1;
		p = &predictors[which % PREDICTORS];
		*r = p->last ? *p->last : nothing;
		if ((!(which & SAME_MASK) && take(&from, sizeof(p->mask), &p->mask)) ||
		    take(&from, time_bytes(p->mask & 3), &later[0]) ||
		    take(&from, time_bytes(p->mask >> 2 & 3), &later[1]) ||
		    take_words(&from, p->mask, (char *)r, p->step))
			return -1;
		memcpy(&step, p->step, sizeof(step));
		r->request += step;
		r->enter = p->mask & 3 ? before + later[0] : 0;
		r->leave = p->mask >> 2 & 3 ? r->enter + later[1] : 0;
		before = r->leave ? r->leave : r->enter ? r->enter : before;
		p->last = r;
	}
	return 0;
}
