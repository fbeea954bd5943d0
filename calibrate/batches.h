/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The samples of several sizes: a batch of one, then of another, in random order, round after
 * round, until all intervals are narrow enough or time is up. Seconds, bytes.
 */
#ifndef CALIBRATE_BATCHES_H
#define CALIBRATE_BATCHES_H

#include "calibrate/gaps.h"

/* How long rounds go on, and for which sizes. */
struct batches {
	double half_width, until;
	int gaps; /* 1: until gaps are as narrow too; they are what round trips differ by */
	uint64_t random;
};

struct batches batches_of(const struct gaps_plan *plan);

/* Are the intervals of the i-th size narrow enough? Has it all the samples that it may have? */
int batches_is_narrow(const struct gaps *g, size_t i, const struct batches *pace);
int batches_is_full(const struct gaps_size *z);

/* What a round trip of trip_s costs with the receives that follow it. */
double batches_cost_s(const struct pair *p, double trip_s);

/* n of every kind for one size. */
void batches_take(struct pair *p, struct gaps_size *z, int n);

/* What has no size: how far apart the cores are meanwhile, and messages in a row for g(0). */
void batches_state(struct pair *p, struct gaps *g, double until);

/*
 * A batch of each of n sizes in random order. After one that takes long those that are cheap beside
 * it and not done yet have another: small sizes would have as few samples as large ones, in a
 * thousandth of the time.
 */
void batches_round(struct pair *p, struct gaps *g, size_t order[], size_t n, struct batches *pace);

/* The sizes not done yet, round after round, until all are or time is up. */
void batches_rounds(struct pair *p, struct gaps *g, struct batches *pace, double until);

#endif
