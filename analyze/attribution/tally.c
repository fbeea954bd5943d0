/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/attribution/tally.h"

void tally_clear(struct tally *t)
{
	TALLY_EACH(c, t)
		t->ns[c] = t->less_ns[c] = t->more_ns[c] = 0;
	t->within_ns = 0;
	t->has = 0;
}

void tally_add_pairs(struct tally *t, const struct tally_pairs *p)
{
	for (enum cost part = 0; part < COST_COUNT; part++)
		for (enum cost alt = 0; alt < COST_COUNT; alt++)
			tally_add(t, part, alt, p->ns[part][alt]);
}

void tally_merge(struct tally *into, const struct tally *from)
{
	into->has |= from->has;
	TALLY_EACH(c, from) {
		into->ns[c] += from->ns[c];
		into->less_ns[c] += from->less_ns[c];
		into->more_ns[c] += from->more_ns[c];
	}
	into->within_ns += from->within_ns;
}

void tally_cut(struct tally *t, int64_t ns)
{
	if (ns > 0) /* the rest may be of other legs */
		t->within_ns = 0;
	for (int c = 0; c < COST_COUNT && ns > 0; c++) {
		int64_t off = t->ns[c] < ns ? t->ns[c] : ns;

		t->ns[c] -= off;
		if (t->less_ns[c] > t->ns[c])
			t->less_ns[c] = t->ns[c];
		ns -= off;
	}
}

int64_t tally_contention_ns(const struct tally *t)
{
	int64_t sum = 0;

	for (uint32_t left = t->has & COSTS_OF_CONTENTION; left; left &= left - 1)
		sum += t->ns[__builtin_ctz(left)];
	return sum;
}
