/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calibrate/drift.h"

#include "calibrate/blocks.h"
#include "calibrate/turn.h"

#include <math.h>

#define CLASS_S 0.9
#define BATCH   8
#define MOST    400

/* The asking rank's part: round trips of the three sizes in turn, until the time is up. */
static int measure(struct turns *t, void *context, void *result, struct err *err)
{
	struct drift_class *c = result;
	struct samples rtt = {0}, o_s = {0};
	struct blocks of[DRIFT_POINTS] = {0};
	double until = MPI_Wtime() + CLASS_S;
	int i;

	(void)context;
	(void)err;
	pair_round_trips(&t->pair, 0, BATCH, &o_s, &o_s); /* connect, warm up */
	do {
		for (i = 0; i < DRIFT_POINTS; i++) {
			/* large ones one by one: a batch of them may take all the time */
			pair_round_trips(&t->pair, c->point[i].bytes,
					 c->point[i].before.value * BATCH < CLASS_S / 10 ? BATCH
											 : 1,
					 &rtt, &o_s);
			blocks_add(&of[i], &rtt);
		}
	} while (MPI_Wtime() < until && of[0].all.n < MOST);
	for (i = 0; i < DRIFT_POINTS; i++) {
		c->point[i].now = blocks_relaunched(blocks_median(&of[i]));
		blocks_release(&of[i]);
	}
	samples_release(&o_s);
	return 0;
}

int drift_measure(MPI_Comm comm, struct drift *d, struct err *err)
{
	struct turns t;
	int n, a, b, ret = turns_init(&t, comm, err);

	if (!ret)
		MPI_Bcast(d, sizeof(*d), MPI_BYTE, 0, comm);
	for (n = 0; n < NEAR_COUNT && !ret; n++) {
		struct drift_class *c = &d->class[n];

		c->present = turns_find(&t, (enum nearness)n, &a, &b);
		if (c->known && c->present)
			ret = turns_take(&t, a, b, measure, NULL, c, sizeof(*c), err);
	}
	turns_release(&t);
	return ret;
}

int drift_moved(const struct drift_point *p)
{
	return p->now.n && fabs(p->now.value - p->before.value) > DRIFT_SHARE * p->before.value &&
	       estimates_differ(p->now, p->before);
}
