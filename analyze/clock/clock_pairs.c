/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/clock/clock_pairs.h"

#include <math.h>
#include <stdlib.h>

#define SLOTS_MOST 16777216 /* of all pairs */
#define SLOTS_EACH 4        /* for each that went */

/* By how much the rates of two clocks differ from what was said of them; and never more than. */
#define RATE_USUAL 1e-5
#define RATE_MOST  4e-5
#define RATE_JUMP  1e-2 /* nor is any clock slewed so fast: it was set, or stood still */

static int64_t least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

void clock_pairs_release(struct clock_pairs *x)
{
	struct clock_pair *p, *next;

	HASH_ITER(hh, x->all, p, next) {
		HASH_DEL(x->all, p);
		free(p->slot_ns);
		free(p->windows);
		free(p);
	}
	clock_tube_release(&x->tube);
}

struct clock_pair *clock_pairs_find(const struct clock_pairs *x, uint32_t from, uint32_t to)
{
	struct clock_pair key = {.clocks = {from, to}}, *found;

	HASH_FIND(hh, x->all, &key.clocks, sizeof(key.clocks), found);
	return found;
}

struct clock_pair *clock_pairs_add(struct clock_pairs *x, uint32_t from, uint32_t to,
				   int64_t known_ns)
{
	struct clock_pair *p = clock_pairs_find(x, from, to);

	x->added += x->added < UINT32_MAX;
	if (p)
		return p;
	p = malloc(sizeof(*p));
	if (!p)
		return NULL;
	*p = (struct clock_pair){
		.clocks = {from, to}, .fastest_ns = INT64_MAX, .known_ns = known_ns};
	HASH_ADD(hh, x->all, clocks, sizeof(p->clocks), p);
	if (p->known_ns != INT64_MAX)
		return p;
	p->windows = calloc(1, sizeof(*p->windows));
	return p->windows ? p : NULL;
}

int clock_pairs_slots(struct clock_pairs *x, int64_t wall_ns)
{
	uint32_t pairs = HASH_COUNT(x->all), slots;

	clock_tube_release(&x->tube);
	if (!pairs)
		return 0;
	slots = (uint32_t)least((int64_t)SLOTS_EACH * x->added, SLOTS_MOST) / pairs;
	slots = slots < CLOCK_TUBE_SLOTS ? slots : CLOCK_TUBE_SLOTS;
	if (clock_tube_init(&x->tube, slots ? slots : 1, wall_ns))
		return -1;
	for (struct clock_pair *p = x->all; p; p = p->hh.next) {
		if (!p->slot_ns)
			p->slot_ns = malloc(x->tube.slots * sizeof(*p->slot_ns));
		if (!p->slot_ns)
			return -1;
		p->fastest_ns = INT64_MAX;
		for (uint32_t k = 0; k < x->tube.slots; k++)
			p->slot_ns[k] = CLOCK_TUBE_EMPTY;
	}
	return 0;
}

void clock_pairs_note(struct clock_pairs *x, struct clock_pair *p, int64_t done_ns, int64_t took_ns)
{
	uint32_t k = clock_tube_slot(&x->tube, done_ns);

	p->slot_ns[k] = least(took_ns, p->slot_ns[k]);
	p->fastest_ns = least(took_ns, p->fastest_ns);
}

static const struct clock_pair *back_of(const struct clock_pairs *x, const struct clock_pair *p)
{
	return clock_pairs_find(x, p->clocks.to, p->clocks.from);
}

int64_t clock_pairs_rates(struct clock_pairs *x, int64_t wall_ns, int *jumped)
{
	int64_t most_ns = 0;

	for (struct clock_pair *p = x->all; p; p = p->hh.next) {
		const struct clock_pair *back = back_of(x, p);
		int64_t drift_ns = 0;

		p->rate = RATE_USUAL;
		if (back)
			p->rate = clock_tube_rate(&x->tube, p->slot_ns, back->slot_ns, RATE_USUAL);
		*jumped |= p->rate > RATE_JUMP;
		if (p->fastest_ns < -p->known_ns || p->rate > RATE_MOST ||
		    (back && back->fastest_ns < -p->known_ns))
			p->known_ns = INT64_MAX;
		if (back && p->windows && back->windows)
			drift_ns = clock_drift_ns(p->windows, back->windows);
		p->rate += (double)drift_ns / ((double)wall_ns + 1);
		most_ns = drift_ns > most_ns ? drift_ns : most_ns;
	}
	return most_ns;
}

int clock_pairs_raise(struct clock_pairs *x, const struct clock_course *c)
{
	double *most = calloc(c->clocks + 1, sizeof(*most)); /* rate of a pair with the clock */
	struct clock_pair *p;

	if (!most)
		return -1;
	for (p = x->all; p; p = p->hh.next) {
		double rate = back_of(x, p) ? p->rate : INFINITY;

		most[p->clocks.from] = fmax(most[p->clocks.from], rate);
		most[p->clocks.to] = fmax(most[p->clocks.to], rate);
	}
	for (p = x->all; p; p = p->hh.next) {
		double rate =
			clock_course_rate(c, p->clocks.from) + clock_course_rate(c, p->clocks.to);

		rate = fmin(rate, fmax(most[p->clocks.from], most[p->clocks.to]));
		p->rate = fmax(p->rate, rate);
	}
	free(most);
	return 0;
}

/* By how much the course lets the second clock of a pair gain on the first. */
static double gain_at(const struct clock_course *c, const struct clock_pair *p, double ns)
{
	return clock_course_at(c, p->clocks.to, (int64_t)ns) -
	       clock_course_at(c, p->clocks.from, (int64_t)ns);
}

/* Of a slot, at a time in it. */
static void widen(struct clock_bound *b, const struct clock_pairs *x, const struct clock_pair *p,
		  uint32_t slot, double gain_ns)
{
	int64_t ns = llabs(llround(x->tube.room[slot] + gain_ns));

	b->any_ns = b->any_ns > ns ? b->any_ns : ns;
	if (p->slot_ns[slot] == CLOCK_TUBE_EMPTY)
		return;
	b->used_ns = b->used_ns > ns ? b->used_ns : ns;
	b->fastest_ns = least(b->fastest_ns, p->slot_ns[slot] + llround(gain_ns));
}

struct clock_bound clock_pairs_bound(const struct clock_pairs *x, const struct clock_pair *p,
				     const struct clock_course *c, int64_t known_ns)
{
	const struct clock_pair *back = back_of(x, p);
	struct clock_bound b = {.fastest_ns = INT64_MAX};
	uint32_t first = 0, last = x->tube.slots - 1;
	int64_t excess_ns = 0;

	if (back)
		excess_ns = clock_tube_excess_ns(&x->tube, p->slot_ns, back->slot_ns);
	clock_tube_most(&x->tube, p->slot_ns, p->rate, x->tube.room);
	while (first < last && p->slot_ns[first] == CLOCK_TUBE_EMPTY)
		first++;
	while (first < last && p->slot_ns[last] == CLOCK_TUBE_EMPTY)
		last--;
	for (uint32_t k = first; k <= last; k++) {
		widen(&b, x, p, k, gain_at(c, p, k * x->tube.slot_ns));
		widen(&b, x, p, k, gain_at(c, p, (k + 1) * x->tube.slot_ns));
	}
	for (uint32_t k = 1; k < c->windows; k++) {
		uint32_t slot = clock_tube_slot(&x->tube, c->window_ns * k);

		if (slot >= first && slot <= last)
			widen(&b, x, p, slot, gain_at(c, p, (double)c->window_ns * k));
	}
	b.used_ns = least(b.used_ns + excess_ns, known_ns);
	b.any_ns = least(b.any_ns + excess_ns, known_ns);
	return b;
}
