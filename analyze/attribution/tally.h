/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sums of the parts of time, ns, and how far each may be off. For attribution*.c only.
 */
#ifndef ANALYZE_TALLY_H
#define ANALYZE_TALLY_H

#include "analyze/attribution/attribution.h"

/*
 * Sums of legs: as they are, and what a part may lose to or win from its alternatives. Most have
 * few parts: those of which nothing is known to be 0 have their bit in has.
 */
struct tally {
	int64_t ns[COST_COUNT];
	int64_t less_ns[COST_COUNT];
	int64_t more_ns[COST_COUNT];
	int64_t within_ns; /* of that: one kind of contention or another, contention in any case */
	uint32_t has;
};

/* For each part c that t may have. */
#define TALLY_EACH(c, t)                                                                     \
	for (uint32_t c, left_ = (t)->has; left_ && (c = (uint32_t)__builtin_ctz(left_), 1); \
	     left_ &= left_ - 1)

/* Add ns of part, which may be alt as well. */
static inline void tally_add(struct tally *t, enum cost part, enum cost alt, int64_t ns)
{
	t->has |= 1u << part;
	t->ns[part] += ns;
	if (alt != part) {
		t->has |= 1u << alt;
		t->less_ns[part] += ns;
		t->more_ns[alt] += ns;
		t->within_ns += cost_is_contention(part) && cost_is_contention(alt) ? ns : 0;
	}
}

/* Of what others have, part c may have so much. */
static inline void tally_allow(struct tally *t, enum cost c, int64_t ns)
{
	t->has |= 1u << c;
	t->more_ns[c] += ns;
}

/* Sums of legs by what they are and what they may be as well: each is added in one place. */
struct tally_pairs {
	int64_t ns[COST_COUNT][COST_COUNT];
};

/* Add them all. */
void tally_add_pairs(struct tally *t, const struct tally_pairs *p);

/* As if nothing had been added. */
void tally_clear(struct tally *t);

void tally_merge(struct tally *into, const struct tally *from);

/* Take ns off the parts, in their order. */
void tally_cut(struct tally *t, int64_t ns);

/* What of it is contention, ns. */
int64_t tally_contention_ns(const struct tally *t);

#endif
