/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calibrate/batches.h"

#include "calibrate/rounds.h"

#include <math.h>

/*
 * Round trips of one size before it is another's turn; fewer, where the network rests in between.
 */
#define BATCH        4
#define BATCH_ALONE  2
#define BLOCKS_LEAST 6    /* of a size: fewer have no interval */
#define BATCH_SHARE  0.1  /* ... or fewer, so that it takes no more of the time that is left */
#define FLOOD_SHARE  0.02 /* likewise, of messages in a row in each round */

/* As many samples of a size at most, small and large (Kielmann: 60 and 15 round trips). */
#define SAMPLES_MOST       400
#define SAMPLES_MOST_LARGE 60
#define LARGE_BYTES        (256 * 1024)

/* What a round trip costs with the receives that follow, in round trips; and beyond them: waits, */
#define TRIP_COST   3.5
#define TRIP_WAIT_S 20e-6
#define TRIP_RESTS  2 /* of itself, and of half as many receives of either kind */

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

double batches_cost_s(const struct pair *p, double trip_s)
{
	return TRIP_COST * trip_s + TRIP_WAIT_S + TRIP_RESTS * p->rest_s;
}

static int batch_most(const struct pair *p)
{
	return p->rest_s > 0 ? BATCH_ALONE : BATCH;
}

/* How many round trips of that size there is time for now; 0: for none. */
static int batch_of(const struct pair *p, const struct gaps *g, size_t i, double until)
{
	double cost_s = batches_cost_s(p, trip_s(g, i)), left_s = until - MPI_Wtime();

	if (g->size[i].rtt.n == 0)
		return left_s > 0; /* the first: the next ones know what it costs */
	if (left_s < cost_s)
		return 0;
	return (int)fmin(batch_most(p), fmax(1, BATCH_SHARE * left_s / cost_s));
}

static struct estimate add_block(struct blocks *b, struct samples *block)
{
	blocks_add(b, block); /* without memory there are fewer */
	return blocks_median(b);
}

void batches_take(struct pair *p, struct gaps_size *z, int n)
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

int batches_is_narrow(const struct gaps *g, size_t i, const struct batches *pace)
{
	const struct gaps_size *z = &g->size[i];
	const double wanted = pace->half_width;

	return z->rtt_s.median.n >= BLOCKS_LEAST && estimate_half_width(z->rtt) < wanted &&
	       estimate_half_width(z->o_s) < wanted && estimate_half_width(z->o_r) < wanted &&
	       estimate_half_width(z->expected) < wanted &&
	       (!pace->gaps || estimate_half_width(gaps_gap(g, i)) < wanted);
}

int batches_is_full(const struct gaps_size *z)
{
	return z->rtt_s.median.n >= BLOCKS_LEAST && z->rtt.n >= samples_most(z->bytes);
}

static int is_done(const struct gaps *g, size_t i, const struct batches *pace)
{
	return batches_is_full(&g->size[i]) || batches_is_narrow(g, i, pace);
}

/* Of cores that moved the interval has all places where they were, if only for some rounds. */
static struct estimate cores_seen(struct blocks *b)
{
	struct estimate range = blocks_range(b);

	return range.high > CACHELINE_APART * range.low ? range : blocks_median(b);
}

void batches_state(struct pair *p, struct gaps *g, double until)
{
	struct samples cores = {0}, gap = {0};

	pair_cores(p, &cores);
	blocks_add(&g->cores_s, &cores);
	g->cores = cores_seen(&g->cores_s);
	if (!g->flood || g->g0.value * g->flood > FLOOD_SHARE * (until - MPI_Wtime()))
		return;
	samples_add(&gap, pair_flood(p, 0, g->flood) / g->flood);
	g->g0 = add_block(&g->g0_s, &gap);
}

struct batches batches_of(const struct gaps_plan *plan)
{
	return (struct batches){.half_width = plan->half_width, .random = plan->seed | 1};
}

/* A batch of the i-th size, if there is time for one. */
static int take_batch(struct pair *p, struct gaps *g, size_t i, double until)
{
	int trips = batch_of(p, g, i, until);

	if (trips)
		batches_take(p, &g->size[i], trips);
	return trips;
}

void batches_round(struct pair *p, struct gaps *g, size_t order[], size_t n, struct batches *pace)
{
	size_t cheap[GAPS_SIZES_MAX], many, i, k;
	double cost_s[GAPS_SIZES_MAX];
	int trips;

	rounds_shuffle(order, n, &pace->random);
	for (i = 0; i < n; i++) {
		trips = take_batch(p, g, order[i], pace->until);
		for (k = 0; k < g->n; k++)
			cost_s[k] = batches_cost_s(p, trip_s(g, k)) *
				    (k == order[i] ? trips : batch_most(p));
		many = rounds_cheap(cost_s, g->n, order[i], cheap);
		rounds_shuffle(cheap, many, &pace->random);
		for (k = 0; k < many; k++)
			if (!is_done(g, cheap[k], pace))
				take_batch(p, g, cheap[k], pace->until);
	}
}

void batches_rounds(struct pair *p, struct gaps *g, struct batches *pace, double until)
{
	size_t order[GAPS_SIZES_MAX], n, i;

	pace->until = until;
	do {
		batches_state(p, g, until);
		for (n = 0, i = 0; i < g->n; i++)
			if (!is_done(g, i, pace))
				order[n++] = i;
		batches_round(p, g, order, n, pace);
	} while (n && MPI_Wtime() < until);
}
