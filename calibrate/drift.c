/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calibrate/drift.h"

#include "calibrate/turn.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CLASS_S    0.9
#define HALF_WIDTH 0.02 /* or the time is up */
#define LOOKS      3    /* at what seems to have moved */
#define READY      8    /* empty round trips to connect and warm up */

/* The other sizes are in between as long as there is time for so many round trips of each. */
#define ALL_TRIPS 100

static size_t choose(const struct drift_class *c, size_t bytes[])
{
	size_t i;

	if (c->n && c->round_s * ALL_TRIPS < CLASS_S) {
		memcpy(bytes, c->size, c->n * sizeof(bytes[0]));
		return c->n;
	}
	for (i = 0; i < DRIFT_POINTS; i++)
		bytes[i] = c->point[i].bytes;
	return DRIFT_POINTS;
}

static struct estimate round_trip(const struct gaps *g, size_t bytes)
{
	size_t i = 0;

	while (i < g->n && g->size[i].bytes != bytes)
		i++;
	return i < g->n ? g->size[i].rtt : (struct estimate){0};
}

/* Of two looks at a point the one that is nearer to the file's counts: what moved stays away. */
static struct estimate nearer(const struct drift_point *p, struct estimate now)
{
	double was = fabs(p->now.value - p->before.value);

	return !p->now.n || fabs(now.value - p->before.value) < was ? now : p->now;
}

static int is_moved(const struct drift_class *c)
{
	for (int i = 0; i < DRIFT_POINTS; i++)
		if (drift_moved(&c->point[i]))
			return 1;
	return 0;
}

/* The asking rank's part: the sizes as the calibration measured them; twice what seems to move. */
static int measure(struct turns *t, void *context, void *result, struct err *err)
{
	struct drift_class *c = result;
	struct gaps_plan plan = {
		.half_width = HALF_WIDTH, .most_s = CLASS_S, .seed = (uint64_t)(t->rank + 1)};
	struct gaps *g = calloc(1, sizeof(*g));
	struct samples ready = {0};
	size_t bytes[GAPS_SIZES_MAX], n = choose(c, bytes), i;

	(void)context;
	if (!g)
		return err_set(err, "out of memory for the measurement");
	pair_round_trips(&t->pair, 0, READY, &ready, &ready);
	samples_release(&ready);
	for (int look = 0; look == 0 || (look < LOOKS && is_moved(c)); look++) {
		memset(g, 0, sizeof(*g));
		gaps_sizes(&t->pair, &plan, bytes, n, g);
		c->core_share = pair_core_share(&t->pair);
		gaps_relaunched(g, c->core_share);
		for (i = 0; i < DRIFT_POINTS; i++)
			c->point[i].now = nearer(&c->point[i], round_trip(g, c->point[i].bytes));
		gaps_release(g);
	}
	free(g);
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
