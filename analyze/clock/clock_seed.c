/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/clock/clock_seed.h"

#include <stdlib.h>

struct seed {
	const struct clock_pairs *pairs;
	struct clock_course *course;
	uint8_t *known;             /* by clock */
	double *there_ns, *back_ns; /* by slot: how far ahead one may be, and behind, at most */
};

static void *table(size_t n, size_t size)
{
	return calloc(n + 1, size);
}

/* A clock's course from that of another one: midway between the most and the least. */
static void follow(struct seed *s, const struct clock_pair *p, const struct clock_pair *back)
{
	struct clock_course *c = s->course;
	size_t knots = c->windows + 1;
	const double *from = &c->knot_ns[p->clocks.from * knots];
	double *to = &c->knot_ns[p->clocks.to * knots];
	const struct clock_tube *x = &s->pairs->tube;

	clock_tube_most(x, p->slot_ns, p->rate, s->there_ns);
	clock_tube_most(x, back->slot_ns, p->rate, s->back_ns);
	for (uint32_t k = 0; k < knots; k++) {
		uint32_t slot = clock_tube_slot(x, c->window_ns * k);

		to[k] = from[k] - (s->there_ns[slot] - s->back_ns[slot]) / 2;
	}
}

/* Clocks that are reached from those that are known already. Returns how many. */
static uint32_t reach(struct seed *s)
{
	uint32_t reached = 0;

	for (const struct clock_pair *p = s->pairs->all; p; p = p->hh.next) {
		const struct clock_pair *back;

		if (!s->known[p->clocks.from] || s->known[p->clocks.to])
			continue;
		back = clock_pairs_find(s->pairs, p->clocks.to, p->clocks.from);
		if (!back)
			continue;
		follow(s, p, back);
		s->known[p->clocks.to] = 1;
		reached++;
	}
	return reached;
}

int clock_seed(const struct clock_pairs *pairs, struct clock_course *c)
{
	struct seed s = {.pairs = pairs,
			 .course = c,
			 .known = table(c->clocks, sizeof(*s.known)),
			 .there_ns = table(pairs->tube.slots, sizeof(*s.there_ns)),
			 .back_ns = table(pairs->tube.slots, sizeof(*s.back_ns))};
	int ret = s.known && s.there_ns && s.back_ns ? 0 : -1;

	for (uint32_t first = 0; !ret && first < c->clocks; first++) {
		if (s.known[first])
			continue;
		s.known[first] = 1;
		while (reach(&s))
			;
	}
	free(s.known);
	free(s.there_ns);
	free(s.back_ns);
	return ret;
}
