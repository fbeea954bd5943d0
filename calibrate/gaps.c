/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calibrate/gaps.h"

#include "calibrate/rounds.h"
#include "calibrate/saturation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Round trips of one size before it is another's turn. */
#define BATCH        4
#define BLOCKS_LEAST 6   /* of a size: fewer have no interval */
#define BATCH_SHARE  0.1 /* ... or fewer, so that it takes no more of the time that is left */

/* As many samples of a size at most, small and large (Kielmann: 60 and 15 round trips). */
#define SAMPLES_MOST       400
#define SAMPLES_MOST_LARGE 60
#define LARGE_BYTES        (256 * 1024)

/* Round trips that a size is worth at least, and what one costs with the receives that follow. */
#define TRIPS_LEAST 3
#define TRIP_COST   3.5
#define TRIP_WAIT_S 20e-6
#define TRY_SHARE   0.3 /* ... of the time that is left */

#define AGAIN  8 /* rounds of a later visit */
#define CLIMBS 4 /* tries to get to the larger sizes */

/* Up to this size at first; further ones only while g(m)/m is not steady. */
#define FIRST_BYTES ((size_t)256 * 1024)

static size_t samples_most(size_t bytes)
{
	return bytes >= LARGE_BYTES ? SAMPLES_MOST_LARGE : SAMPLES_MOST;
}

/* What a round trip of the i-th size takes: as measured, else as its bytes more than before. */
static double trip_s(const struct gaps *g, size_t i)
{
	const struct gaps_size *z = &g->size[i];
	double trip;

	if (z->rtt.n || i == 0)
		return z->rtt.value;
	trip = z[-1].rtt.value;
	return z[-1].bytes ? trip * (double)z->bytes / (double)z[-1].bytes : trip;
}

/* The same on a good day: from the fastest of the size before, where this one is new. */
static double least_trip_s(const struct gaps *g, size_t i)
{
	const struct gaps_size *z = &g->size[i - (i > 0)];
	double least = z->rtt.n ? z->rtt_s.all.s[0] : 0; /* sorted by the median */

	return z->bytes ? least * (double)g->size[i].bytes / (double)z->bytes : least;
}

static double cost_of(const struct gaps *g, size_t i)
{
	return TRIP_COST * trip_s(g, i) + TRIP_WAIT_S;
}

/* How many round trips of that size there is time for now; 0: for none. */
static int batch_of(const struct gaps *g, size_t i, double until)
{
	double cost_s = cost_of(g, i), left_s = until - MPI_Wtime();

	if (g->size[i].rtt.n == 0)
		return left_s > 0; /* the first: the next ones know what it costs */
	if (left_s < cost_s)
		return 0;
	return (int)fmin(BATCH, fmax(1, BATCH_SHARE * left_s / cost_s));
}

static struct estimate add_block(struct blocks *b, struct samples *block)
{
	blocks_add(b, block); /* without memory there are fewer */
	return blocks_median(b);
}

/* n of every kind for one size. */
static void measure_batch(struct pair *p, struct gaps_size *z, int n)
{
	struct samples rtt = {0}, o_s = {0}, o_r = {0}, expected = {0};
	double wait_s;

	pair_round_trips(p, z->bytes, n, &rtt, &o_s);
	z->rtt = add_block(&z->rtt_s, &rtt);
	z->o_s = add_block(&z->o_s_s, &o_s);
	/* longer than a message takes, so that it lies there */
	wait_s = 1.5 * z->rtt.value + TRIP_WAIT_S;
	pair_late_receives(p, z->bytes, (n + 1) / 2, wait_s, &o_r);
	pair_posted_receives(p, z->bytes, (n + 1) / 2, wait_s, &expected);
	z->o_r = add_block(&z->o_r_s, &o_r);
	z->expected = add_block(&z->expected_s, &expected);
}

/* Are its intervals narrow enough, or its samples enough? The overheads' may be twice as wide. */
static int is_done(const struct gaps_size *z, double half_width)
{
	if (z->rtt_s.median.n < BLOCKS_LEAST)
		return 0;
	if (z->rtt.n >= samples_most(z->bytes))
		return 1;
	return estimate_half_width(z->rtt) < half_width &&
	       estimate_half_width(z->o_s) < 2 * half_width &&
	       estimate_half_width(z->o_r) < 2 * half_width;
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

/* A size more and a look at it. Returns 0 when it would take too much of the time. */
static int try_size(struct pair *p, struct gaps *g, size_t bytes, double until)
{
	struct gaps_size *z = add_size(g, bytes);
	size_t i = z ? (size_t)(z - g->size) : 0;
	double cost_s;

	if (!z)
		return 0;
	cost_s = TRIPS_LEAST * TRIP_COST * least_trip_s(g, i);
	if (cost_s > TRY_SHARE * (until - MPI_Wtime()) && i) {
		memmove(z, z + 1, (g->n - i - 1) * sizeof(*z));
		g->n--;
		return 0;
	}
	if (!z->rtt.n) /* several: one alone may have been kept waiting, and the next size uses it */
		measure_batch(p, z,
			      cost_s < TRY_SHARE / 10 * (until - MPI_Wtime()) ? TRIPS_LEAST : 1);
	return 1;
}

/* How far apart the cores are meanwhile. */
static void measure_cores(struct pair *p, struct gaps *g)
{
	struct samples s = {0};

	pair_cores(p, &s);
	g->cores = add_block(&g->cores_s, &s);
}

/* How long rounds go on, and for which sizes. */
struct pace {
	double half_width, until;
	uint64_t random;
};

static struct pace pace_of(const struct gaps_plan *plan)
{
	return (struct pace){.half_width = plan->half_width, .random = plan->seed | 1};
}

/* A batch of the i-th size, if there is time for one. */
static int take_batch(struct pair *p, struct gaps *g, size_t i, double until)
{
	int trips = batch_of(g, i, until);

	if (trips)
		measure_batch(p, &g->size[i], trips);
	return trips;
}

/*
 * A batch of each of n sizes in random order. After one that takes long those that are cheap beside
 * it and not done yet have another: small sizes would have as few samples as large ones, in a
 * thousandth of the time.
 */
static void measure_round(struct pair *p, struct gaps *g, size_t order[], size_t n,
			  struct pace *pace)
{
	size_t cheap[GAPS_SIZES_MAX], many, i, k;
	double cost_s[GAPS_SIZES_MAX];
	int trips;

	rounds_shuffle(order, n, &pace->random);
	for (i = 0; i < n; i++) {
		trips = take_batch(p, g, order[i], pace->until);
		for (k = 0; k < g->n; k++)
			cost_s[k] = cost_of(g, k) * (k == order[i] ? trips : BATCH);
		many = rounds_cheap(cost_s, g->n, order[i], cheap);
		rounds_shuffle(cheap, many, &pace->random);
		for (k = 0; k < many; k++)
			if (!is_done(&g->size[cheap[k]], pace->half_width))
				take_batch(p, g, cheap[k], pace->until);
	}
}

/* The sizes not done yet, round after round, until all are or time is up. */
static void measure_rounds(struct pair *p, struct gaps *g, struct pace *pace, double until)
{
	size_t order[GAPS_SIZES_MAX], n, i;

	pace->until = until;
	do {
		measure_cores(p, g);
		for (n = 0, i = 0; i < g->n; i++)
			if (!is_done(&g->size[i], pace->half_width))
				order[n++] = i;
		measure_round(p, g, order, n, pace);
	} while (n && MPI_Wtime() < until);
	g->cut = n ? g->cut | GAPS_CUT_SAMPLES : g->cut & ~GAPS_CUT_SAMPLES;
}

static void derive(struct gaps *g)
{
	size_t i;

	for (i = 0; i < g->n; i++)
		g->size[i].g =
			i ? estimate_sum(estimate_difference(g->size[i].rtt, g->size[0].rtt), g->g0)
			  : g->g0;
	g->L = estimate_difference(estimate_times(0.5, g->size[0].rtt), g->g0);
}

/* Is b off the line through a and the one before it, by more than its own uncertainty? */
static int bends(struct estimate before, struct estimate a, struct estimate b, double span,
		 double step, double half_width)
{
	double line = a.value + (span > 0 ? (a.value - before.value) / span * step : 0);
	double off = fabs(b.value - line);

	return off > half_width * fabs(b.value) && off > (b.high - b.low) / 2;
}

/*
 * Halve the interval before the first size that bends away. Returns 1 when there is one, else
 * 0; -1: there is, but no time for it.
 */
static int refine(struct pair *p, struct gaps *g, double half_width, double until)
{
	size_t i;

	for (i = 2; i < g->n && g->n < GAPS_SIZES_MAX; i++) {
		const struct gaps_size *c = &g->size[i], *b = c - 1, *a = c - 2;
		double span = (double)(b->bytes - a->bytes), step = (double)(c->bytes - b->bytes);
		double least = fmax(32, half_width * (double)c->bytes);

		if (step / 2 < least)
			continue;
		if (bends(a->g, b->g, c->g, span, step, half_width) ||
		    bends(a->o_s, b->o_s, c->o_s, span, step, 2 * half_width))
			return try_size(p, g, (b->bytes + c->bytes) / 2, until) ? 1 : -1;
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
		if (!try_size(p, g, bytes, until)) {
			g->cut |= GAPS_CUT_SIZES;
			break;
		}
	return bytes;
}

static void measure_sizes(struct pair *p, const struct gaps_plan *plan, struct gaps *g,
			  double begun)
{
	double until = begun + plan->most_s;
	struct pace pace = pace_of(plan);
	size_t bytes, first = FIRST_BYTES < plan->most_bytes ? FIRST_BYTES : plan->most_bytes;
	int more = 1, i;

	try_size(p, g, 0, until);
	bytes = climb(p, g, 1, first, until);
	for (i = 0; i < CLIMBS && bytes <= first; i++) { /* slow may have been an accident */
		measure_rounds(p, g, &pace, MPI_Wtime() + plan->most_s * 0.5 / CLIMBS);
		g->cut &= ~GAPS_CUT_SIZES;
		bytes = climb(p, g, bytes, first, until);
	}
	if (plan->step[1] && plan->step[1] < bytes / 2) {
		try_size(p, g, plan->step[0], until);
		try_size(p, g, plan->step[1], until);
	}
	measure_rounds(p, g, &pace, begun + plan->most_s * 0.6);
	derive(g);
	while (!(g->cut & GAPS_CUT_SIZES) && bytes <= plan->most_bytes &&
	       !is_steady(g, plan->half_width)) {
		bytes = climb(p, g, bytes, bytes, begun + plan->most_s * 0.8);
		measure_rounds(p, g, &pace, begun + plan->most_s * 0.7);
		derive(g);
	}
	while (more > 0) {
		more = refine(p, g, plan->half_width, until);
		if (more > 0)
			measure_rounds(p, g, &pace, begun + plan->most_s * 0.95);
		derive(g);
		if (more < 0 || (more > 0 && MPI_Wtime() > begun + plan->most_s * 0.9)) {
			g->cut |= GAPS_CUT_REFINING;
			break;
		}
	}
}

int gaps_measure(struct pair *p, const struct gaps_plan *plan, struct gaps *out, struct err *err)
{
	struct gaps *g = calloc(1, sizeof(*g));
	double begun = MPI_Wtime();

	if (!g)
		return err_set(err, "out of memory for the measurement");
	g->flood = saturation_messages(p, 0, plan->most_s * 0.1);
	g->g0 = saturation_gap(p, 0, g->flood, begun + plan->most_s * 0.1, &g->g0_s);
	measure_sizes(p, plan, g, begun);
	g->spent_s = MPI_Wtime() - begun;
	*out = *g;
	free(g);
	return 0;
}

void gaps_again(struct pair *p, const struct gaps_plan *plan, struct gaps *g)
{
	double begun = MPI_Wtime();
	struct pace pace = pace_of(plan);
	size_t order[GAPS_SIZES_MAX], i;
	int round;

	pace.until = begun + plan->most_s;
	g->g0 = saturation_gap(p, 0, g->flood, begun + plan->most_s * 0.1, &g->g0_s);
	for (round = 0; round < AGAIN && MPI_Wtime() < pace.until; round++) {
		measure_cores(p, g);
		for (i = 0; i < g->n; i++)
			order[i] = i;
		measure_round(p, g, order, g->n, &pace);
	}
	derive(g);
	g->spent_s += MPI_Wtime() - begun;
}

void gaps_sizes(struct pair *p, const struct gaps_plan *plan, const size_t bytes[], size_t n,
		struct gaps *g)
{
	double begun = MPI_Wtime();
	struct pace pace = pace_of(plan);
	size_t i;

	for (i = 0; i < n; i++)
		add_size(g, bytes[i]);
	measure_rounds(p, g, &pace, begun + plan->most_s);
	g->spent_s += MPI_Wtime() - begun;
}

void gaps_relaunched(struct gaps *g, enum nearness n, double core_share)
{
	double trip_s = n == NEAR_NETWORK ? g->size[0].rtt.value : INFINITY;
	size_t i;

	for (i = 0; i < g->n; i++) {
		struct gaps_size *z = &g->size[i];

		z->rtt = blocks_relaunched(z->rtt, trip_s, core_share);
		z->o_s = blocks_relaunched(z->o_s, INFINITY, core_share);
		z->o_r = blocks_relaunched(z->o_r, INFINITY, core_share);
		z->expected = blocks_relaunched(z->expected, INFINITY, core_share);
		/* a difference of two of the same launch, so not from its widened parts */
		z->g = blocks_relaunched(z->g, trip_s, core_share);
	}
	g->g0 = blocks_relaunched(g->g0, INFINITY, core_share);
	g->L = estimate_difference(estimate_times(0.5, g->size[0].rtt), g->g0);
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
