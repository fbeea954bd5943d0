/* SPDX-License-Identifier: BSD-3-Clause */
#include "interpose/log/squeeze.h"

#include <string.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#define LIKELY(x) __builtin_expect(!!(x), 1)

#define PREDICTORS 64
#define PROBES     8  /* places to look for one at */
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

/* The words that say which predictor a unit has: site, and call, kind and flags in one. */
#define SITE_WORD (offsetof(struct record, site) / 4)
#define KEY_WORDS (1u << SITE_WORD | 1u << (WORDS - 1))
_Static_assert(offsetof(struct record, call) == 4 * (WORDS - 1) &&
		       offsetof(struct record, kind) == offsetof(struct record, call) + 2,
	       "what the last word is made of");

/* What the next unit of its kind is expected to be like. */
struct predictor {
	uint32_t word[WORDS - FIRST_WORD]; /* from FIRST_WORD on, the request one step on */
	uint64_t step;                     /* of the request to the one before it */
	struct predictor *next;            /* what came behind the last one of this kind */
	uint16_t mask;
	unsigned char code; /* the first byte, with the same mask */
} __attribute__((aligned(16)));
_Static_assert(PREDICTORS * sizeof(struct predictor) <= sizeof(struct squeeze_room),
	       "room for all of them");

/*
 * That of one kind of call at one place of the program: found by going on from a place that the two
 * give, past those of others, as long as these are few.
 */
static struct predictor *predictor_of(struct predictor predictors[PREDICTORS], const struct unit *u)
{
	const size_t site = SITE_WORD - FIRST_WORD, end = WORDS - 1 - FIRST_WORD;
	const uint32_t *key = &u->word[FIRST_WORD];
	unsigned from, i;

	_Static_assert(PREDICTORS == 1 << (32 - 26), "as many as the hash has values");
	from = (key[end] + key[site] * UINT32_C(0x85ebca6b)) * UINT32_C(0x9e3779b1) >> 26;
	for (i = from; i < from + PROBES; i++) {
		struct predictor *p = &predictors[i % PREDICTORS];

		if (!p->word[end] || (p->word[end] == key[end] && p->word[site] == key[site]))
			return p;
	}
	return &predictors[from];
}

#if defined(__SSE2__)
/* All ones where the four words from w on are the same. */
static __m128i same_words(const struct unit *u, const struct predictor *p, size_t w)
{
	return _mm_cmpeq_epi32(_mm_loadu_si128((const __m128i *)&u->word[w]),
			       _mm_load_si128((const __m128i *)&p->word[w - FIRST_WORD]));
}
#endif

/* Which words of u are not as expected, times left out. */
static unsigned differing(const struct unit *u, const struct predictor *p)
{
#if defined(__SSE2__)
	__m128i low = _mm_packs_epi32(same_words(u, p, 4), same_words(u, p, 8));
	__m128i all = _mm_packs_epi16(low, _mm_packs_epi32(same_words(u, p, 12), low));

	_Static_assert(FIRST_WORD == 4, "what comes before is in no vector");
	return ~(unsigned)_mm_movemask_epi8(all) << FIRST_WORD & ALL_WORDS;
#else
	unsigned mask = 0;
	size_t w;

	for (w = FIRST_WORD; w < WORDS; w++)
		mask |= (unsigned)(u->word[w] != p->word[w - FIRST_WORD]) << w;
	return mask;
#endif
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

/* The request's words whose step is not the one before, which it is from now on. */
static unsigned surprise(struct predictor *p, const struct record *r)
{
	uint64_t expected, step, other;

	memcpy(&expected, &p->word[8 - FIRST_WORD], sizeof(expected));
	step = r->request - (expected - p->step);
	other = step ^ p->step;
	p->step = step;
	return (unsigned)((uint32_t)other != 0) << 8 | (unsigned)(other >> 32 != 0) << 9;
}

/* Which predictor, and the mask unless it is the one before. */
static unsigned char *put_mask(unsigned char *at, struct predictor *p, unsigned mask)
{
	*at = p->code;
	if (LIKELY(mask == p->mask))
		return at + 1;
	p->mask = (uint16_t)mask;
	*at &= (unsigned char)~SAME_MASK;
	memcpy(at + 1, &p->mask, sizeof(p->mask));
	return at + 1 + sizeof(p->mask);
}

/*
 * Of u's four words in the middle, the request is expected one step on. As wide a store as
 * differing() loads: it would have to wait for two narrow ones.
 */
static void expect_middle(struct predictor *p, const struct unit *u)
{
#if defined(__SSE2__)
	__m128i step = _mm_loadl_epi64((const __m128i *)&p->step);

	_mm_store_si128((__m128i *)&p->word[8 - FIRST_WORD],
			_mm_add_epi64(_mm_loadu_si128((const __m128i *)&u->word[8]), step));
#else
	uint64_t request;

	memcpy(&request, &u->word[8], sizeof(request));
	request += p->step;
	memcpy(&p->word[8 - FIRST_WORD], &u->word[8], 16);
	memcpy(&p->word[8 - FIRST_WORD], &request, sizeof(request));
#endif
}

/* u is the last of its kind now. */
static void expect(struct predictor *p, const struct unit *u)
{
	memcpy(&p->word[4 - FIRST_WORD], &u->word[4], 16);
	memcpy(&p->word[12 - FIRST_WORD], &u->word[12], 16);
	expect_middle(p, u);
}

/* Any unit, whose words are not as p expects, the last of all times before it being *before. */
static unsigned char *put_unit(unsigned char *at, const struct record *r, struct predictor *p,
			       unsigned words, uint64_t *before)
{
	const struct unit *u = (const void *)r;
	unsigned codes = time_codes(r, *before);

	if (words & REQUEST_WORDS)
		words = (words & ~REQUEST_WORDS) | surprise(p, r);
	at = put_mask(at, p, words | codes);
	at = put_times(at, r, codes, before);
	at = put_words(at, u, words, p->step);
	expect(p, u);
	return at;
}

/* Nothing is expected yet. */
static struct predictor *begin(struct squeeze_room *room)
{
	struct predictor *p = (void *)room;
	unsigned i;

	memset(room, 0, sizeof(*room));
	for (i = 0; i < PREDICTORS; i++) {
		p[i].next = p;
		p[i].code = (unsigned char)(i | SAME_MASK);
	}
	return p;
}

/*
 * What comes behind a unit is mostly of the kind that came there the last time, and like the last
 * of its kind: so that is looked at first, all words at once, and only what is not so is looked
 * for.
 */
size_t squeeze(size_t n, const struct record units[n], struct squeeze_room *room,
	       unsigned char *out)
{
	struct predictor *const predictors = begin(room), *p = predictors, *last;
	const struct record *r = units, *end = units + n;
	unsigned char *at = out;
	uint64_t before = 0;

	for (; r < end; r++) {
		const struct unit *u = (const void *)r;
		uint64_t enter = r->enter - before, leave = r->leave - r->enter;
		unsigned words;

		last = p;
		p = last->next;
		words = differing(u, p);
		if (!LIKELY(!(words & KEY_WORDS))) {
			p = last->next = predictor_of(predictors, u);
			words = differing(u, p);
		}
		if (LIKELY(!words && p->mask == BOTH_SHORT && (enter | leave) <= UINT16_MAX &&
			   r->leave)) {
			uint32_t both = (uint32_t)(enter | leave << 16);

			*at = p->code;
			memcpy(at + 1, &both, sizeof(both));
			at += 1 + sizeof(both);
			before = r->leave;
			expect_middle(p, u);
		} else if (!words && !p->mask && !(r->enter | r->leave)) {
			*at++ = p->code;
			expect_middle(p, u);
		} else {
			at = put_unit(at, r, p, words, &before);
		}
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
