/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calibrate/gaps.h"

#include "calibrate/batches.h"
#include "calibrate/saturation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Round trips that a size is worth at least, and as a share of the time that is left. */
#define TRIPS_LEAST 3
#define TRY_SHARE   0.3

#define FINEST_BYTES 32 /* between two sizes, where one between them is looked at */

#define AGAIN  8 /* rounds of a later visit */
#define CLIMBS 4 /* tries to get to the larger sizes */

/* Up to this size at first; further ones only while g(m)/m is not steady. */
#define FIRST_BYTES ((size_t)256 * 1024)

/* What a round trip takes on a good day: from the fastest of the size before, where it is new. */
static double least_trip_s(const struct gaps *g, size_t i)
{
	const struct gaps_size *z = &g->size[i - (i > 0)];
	double least = z->rtt.n ? z->rtt_s.all.s[0] : 0; /* sorted by the median */

	return z->bytes ? least * (double)g->size[i].bytes / (double)z->bytes : least;
}

static struct gaps_size *add_size(struct gaps *g, size_t bytes)
{
	size_t at = g->n;

	if (g->n == GAPS_SIZES_MAX)
		return NULL;
	while (at > 0 && g->size[at - 1].bytes > bytes)
		at--;
	if (at > 0 && g->size[at - 1].bytes == bytes)
		return &g->size[at - 1];
	memmove(&g->size[at + 1], &g->size[at], (g->n - at) * sizeof(g->size[0]));
	g->size[at] = (struct gaps_size){.bytes = bytes};
	g->n++;
	return &g->size[at];
}

/*
 * A size more and a look at it, of so many round trips. Returns 0 when it would take too much of
 * the time.
 */
static int try_size(struct pair *p, struct gaps *g, size_t bytes, int trips, double until)
{
	struct gaps_size *z = add_size(g, bytes);
	size_t i = z ? (size_t)(z - g->size) : 0;
	double cost_s;

	if (!z)
		return 0;
	cost_s = batches_cost_s(p, least_trip_s(g, i));
	if (TRIPS_LEAST * cost_s > TRY_SHARE * (until - MPI_Wtime()) && i) {
		memmove(z, z + 1, (g->n - i - 1) * sizeof(*z));
		g->n--;
		return 0;
	}
	/* several: one alone may have been kept waiting, and the next size uses it */
	if (!z->rtt.n)
		batches_take(p, z,
			     trips * cost_s < TRY_SHARE / 10 * (until - MPI_Wtime()) ? trips : 1);
	return 1;
}

struct estimate gaps_gap(const struct gaps *g, size_t i)
{
	return i ? estimate_sum(estimate_difference(g->size[i].rtt, g->size[0].rtt), g->g0) : g->g0;
}

static void derive(struct gaps *g)
{
	size_t i;

	for (i = 0; i < g->n; i++)
		g->size[i].g = gaps_gap(g, i);
	g->L = estimate_difference(estimate_times(0.5, g->size[0].rtt), g->g0);
}

/* How far b is off the line through a and the one before it, as uncertain as all three. */
static struct estimate off_line(struct estimate before, struct estimate a, struct estimate b,
				double span, double step)
{
	double far = span > 0 ? step / span : 0;

	return estimate_difference(b, estimate_difference(estimate_times(1 + far, a),
							  estimate_times(far, before)));
}

/* Is that more than b's own uncertainty? */
static int bends(struct estimate before, struct estimate a, struct estimate b, double span,
		 double step, double half_width)
{
	double off = fabs(off_line(before, a, b, span, step).value);

	return off > half_width * fabs(b.value) && off > (b.high - b.low) / 2;
}

/*
 * Or more than all uncertainty, and may what is between a and b be off the line between them? Not
 * where it grows, and b is no more.
 */
static int surely_bends(struct estimate before, struct estimate a, struct estimate b, double span,
			double step, double half_width)
{
	struct estimate off = off_line(before, a, b, span, step);
	double least = half_width * fabs(b.value);

	return fabs(off.value) > least && (off.low > 0 || off.high < 0) &&
	       fabs(b.value - a.value) > least;
}

/*
 * Halve the interval before the first size that bends away; what may not be a bend, only if
 * `unsure` and not beyond what intervals tell. Returns 1 when there is one, else 0; -1: there is,
 * but no time for it.
 */
static int refine(struct pair *p, struct gaps *g, double half_width, int unsure, double until)
{
	size_t i;

	for (i = 2; i < g->n && g->n < GAPS_SIZES_MAX; i++) {
		const struct gaps_size *c = &g->size[i], *b = c - 1, *a = c - 2;
		double span = (double)(b->bytes - a->bytes), step = (double)(c->bytes - b->bytes);

		if (step / 2 < FINEST_BYTES)
			continue;
		if (surely_bends(a->g, b->g, c->g, span, step, half_width) ||
		    (unsure && step / 2 >= half_width * (double)c->bytes &&
		     (bends(a->g, b->g, c->g, span, step, half_width) ||
		      bends(a->o_s, b->o_s, c->o_s, span, step, 2 * half_width))))
			return try_size(p, g, (b->bytes + c->bytes) / 2, SAMPLES_ENOUGH, until)
				       ? 1
				       : -1;
	}
	return 0;
}

/* Is the last size's gap what the two before it promise? */
static int is_steady(const struct gaps *g, double half_width)
{
	const struct gaps_size *c = &g->size[g->n - 1], *b = c - 1, *a = c - 2;

	return !bends(a->g, b->g, c->g, (double)(b->bytes - a->bytes),
		      (double)(c->bytes - b->bytes), half_width);
}

/* Powers of two from `bytes` on up to `last`. Returns the first that was not tried. */
static size_t climb(struct pair *p, struct gaps *g, size_t bytes, size_t last, double until)
{
	for (; bytes <= last; bytes *= 2)
		if (!try_size(p, g, bytes, TRIPS_LEAST, until)) {
			g->cut |= GAPS_CUT_SIZES;
			break;
		}
	return bytes;
}

/*
 * Before all is measured well: where the first looks suffice to see that a line will not do, as
 * where a message does not fit into one packet any more.
 */
static void find_steps(struct pair *p, const struct gaps_plan *plan, struct gaps *g, double until)
{
	do
		derive(g);
	while (MPI_Wtime() < until && refine(p, g, plan->half_width, 0, until) > 0);
}

static void measure_sizes(struct pair *p, const struct gaps_plan *plan, struct gaps *g,
			  double begun)
{
	double until = begun + plan->most_s;
	struct batches pace = batches_of(plan);
	size_t bytes, first = FIRST_BYTES < plan->most_bytes ? FIRST_BYTES : plan->most_bytes;
	int more = 1, i;

	try_size(p, g, 0, TRIPS_LEAST, until);
	bytes = climb(p, g, 1, first, until);
	for (i = 0; i < CLIMBS && bytes <= first; i++) { /* slow may have been an accident */
		batches_rounds(p, g, &pace, MPI_Wtime() + plan->most_s * 0.5 / CLIMBS);
		g->cut &= ~GAPS_CUT_SIZES;
		bytes = climb(p, g, bytes, first, until);
	}
	if (plan->step[1] && plan->step[1] < bytes / 2) {
		try_size(p, g, plan->step[0], TRIPS_LEAST, until);
		try_size(p, g, plan->step[1], TRIPS_LEAST, until);
	}
	find_steps(p, plan, g, begun + plan->most_s * 0.9);
	batches_rounds(p, g, &pace, begun + plan->most_s * 0.6);
	derive(g);
	while (!(g->cut & GAPS_CUT_SIZES) && bytes <= plan->most_bytes &&
	       !is_steady(g, plan->half_width)) {
		bytes = climb(p, g, bytes, bytes, begun + plan->most_s * 0.8);
		batches_rounds(p, g, &pace, begun + plan->most_s * 0.7);
		derive(g);
	}
	while (more > 0) {
		more = refine(p, g, plan->half_width, 1, until);
		if (more > 0)
			batches_rounds(p, g, &pace, begun + plan->most_s * 0.95);
		derive(g);
		if (more < 0 || (more > 0 && MPI_Wtime() > begun + plan->most_s * 0.9)) {
			g->cut |= GAPS_CUT_REFINING;
			break;
		}
	}
	pace.gaps = 1; /* no sooner: further sizes matter more than what round trips differ by */
	batches_rounds(p, g, &pace, begun + plan->most_s * 0.95);
	derive(g);
}

/* Which intervals are wider than wanted at last, and is that for want of time? */
static void judge(struct gaps *g, const struct gaps_plan *plan)
{
	const struct batches wanted = {.half_width = plan->half_width, .gaps = 1};
	size_t i;

	g->cut &= ~(GAPS_CUT_SAMPLES | GAPS_CUT_FULL | GAPS_CUT_LEAST_GAP);
	if (!(estimate_half_width(g->g0) < plan->half_width))
		g->cut |= GAPS_CUT_LEAST_GAP;
	g->full = 0;
	for (i = 0; i < g->n; i++) {
		if (batches_is_narrow(g, i, &wanted))
			continue;
		g->cut |= batches_is_full(&g->size[i]) ? GAPS_CUT_FULL : GAPS_CUT_SAMPLES;
		g->full += batches_is_full(&g->size[i]);
	}
}

/* g(0) to begin with; each round adds to it, so that it knows what the round trips know. */
static void begin_least_gap(struct pair *p, const struct gaps_plan *plan, struct gaps *g,
			    double begun)
{
	struct floods f = {
		.n = g->flood, .half_width = plan->half_width, .until = begun + plan->most_s * 0.1};

	g->g0 = saturation_gap(p, &f, &g->g0_s);
}

int gaps_measure(struct pair *p, const struct gaps_plan *plan, struct gaps *out, struct err *err)
{
	struct gaps *g = calloc(1, sizeof(*g));
	double begun = MPI_Wtime();

	if (!g)
		return err_set(err, "out of memory for the measurement");
	g->flood = saturation_messages(p, 0, plan->most_s * 0.1);
	begin_least_gap(p, plan, g, begun);
	measure_sizes(p, plan, g, begun);
	judge(g, plan);
	g->spent_s = MPI_Wtime() - begun;
	*out = *g;
	free(g);
	return 0;
}

void gaps_again(struct pair *p, const struct gaps_plan *plan, struct gaps *g)
{
	double begun = MPI_Wtime();
	struct batches pace = batches_of(plan);
	size_t order[GAPS_SIZES_MAX], i;
	int round;

	pace.until = begun + plan->most_s;
	begin_least_gap(p, plan, g, begun);
	for (round = 0; round < AGAIN && MPI_Wtime() < pace.until; round++) {
		batches_state(p, g, pace.until);
		for (i = 0; i < g->n; i++)
			order[i] = i;
		batches_round(p, g, order, g->n, &pace);
	}
	derive(g);
	judge(g, plan);
	g->spent_s += MPI_Wtime() - begun;
}

void gaps_sizes(struct pair *p, const struct gaps_plan *plan, const size_t bytes[], size_t n,
		struct gaps *g)
{
	double begun = MPI_Wtime();
	struct batches pace = batches_of(plan);
	size_t i;

	for (i = 0; i < n; i++)
		add_size(g, bytes[i]);
	batches_rounds(p, g, &pace, begun + plan->most_s);
	g->spent_s += MPI_Wtime() - begun;
}

void gaps_release(struct gaps *g)
{
	size_t i;

	for (i = 0; i < g->n; i++) {
		blocks_release(&g->size[i].rtt_s);
		blocks_release(&g->size[i].o_s_s);
		blocks_release(&g->size[i].o_r_s);
		blocks_release(&g->size[i].expected_s);
	}
	blocks_release(&g->g0_s);
	blocks_release(&g->cores_s);
	g->n = 0;
}
