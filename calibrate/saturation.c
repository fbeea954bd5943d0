/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calibrate/saturation.h"

#include <math.h>

/* Messages of a flood, and floods: as many, more while the gap is uncertain, fewer without time. */
#define FLOOD_MOST   (1 << 16)
#define FLOODS       9
#define FLOODS_MOST  60
#define FLOODS_LEAST 3

/* That a gap is the same, and that the answer's way does not count: all of it is in the gap. */
#define EPS    0.03
#define ANSWER 0.015

#define HALF_WIDTH 0.05 /* of a gap, when every size's is measured so */

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

/* Are so many floods more enough, or is the gap certain enough? */
static int are_done(const struct floods *f, int more, struct blocks *b)
{
	return more >= FLOODS_MOST ||
	       (more >= FLOODS && estimate_half_width(blocks_median(b)) < f->half_width);
}

struct estimate saturation_gap(struct pair *p, const struct floods *f, struct blocks *b)
{
	struct samples one = {0};
	int more;

	for (more = 0; b->all.n < FLOODS_LEAST || (!are_done(f, more, b) && MPI_Wtime() < f->until);
	     more++) {
		samples_add(&one, pair_flood(p, f->bytes, f->n) / f->n);
		if (blocks_add(b, &one))
			break;
	}
	return blocks_median(b);
}

int saturation_measure(struct pair *p, size_t bytes, double most_s, struct estimate *out,
		       double *spent_s)
{
	double begun = MPI_Wtime();
	struct floods f = {.bytes = bytes,
			   .n = saturation_messages(p, bytes, most_s),
			   .half_width = HALF_WIDTH,
			   .until = begun + most_s};
	struct blocks b = {0};
	int cut;

	*out = saturation_gap(p, &f, &b);
	cut = b.all.n < FLOODS;
	blocks_release(&b);
	*spent_s = MPI_Wtime() - begun;
	return cut;
}
