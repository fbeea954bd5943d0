/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calibrate/saturation.h"

#include <math.h>

/* Messages of a flood, and floods, to find a gap. */
#define FLOOD_MOST   (1 << 16)
#define FLOODS       9
#define FLOODS_LEAST 3

/* That a gap is the same, and that the answer's way does not count: all of it is in the gap. */
#define EPS    0.03
#define ANSWER 0.015

int saturation_messages(struct pair *p, size_t bytes, double most_s)
{
	double begun = MPI_Wtime(), one = pair_flood(p, bytes, 1), before = INFINITY, now, whole;
	int n;

	for (n = 8;; n *= 2) {
		whole = pair_flood(p, bytes, n);
		now = whole / n;
		if (fabs(now - before) < EPS * before && one < ANSWER * whole)
			return n;
		if (2 * whole * FLOODS_LEAST > most_s - (MPI_Wtime() - begun) || 2 * n > FLOOD_MOST)
			return n;
		before = now;
	}
}

struct estimate saturation_gap(struct pair *p, size_t bytes, int n, double until, struct blocks *b)
{
	struct samples one = {0};
	int i, least = b->all.n < FLOODS_LEAST ? FLOODS_LEAST : 0;

	for (i = 0; i < least || (i < FLOODS && MPI_Wtime() < until); i++) {
		samples_add(&one, pair_flood(p, bytes, n) / n);
		blocks_add(b, &one);
	}
	return blocks_median(b);
}

int saturation_measure(struct pair *p, size_t bytes, double most_s, struct estimate *out,
		       double *spent_s)
{
	double begun = MPI_Wtime();
	int n = saturation_messages(p, bytes, most_s);
	struct blocks b = {0};
	int cut;

	*out = saturation_gap(p, bytes, n, begun + most_s, &b);
	cut = b.all.n < FLOODS;
	blocks_release(&b);
	*spent_s = MPI_Wtime() - begun;
	return cut;
}
