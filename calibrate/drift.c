/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calibrate/drift.h"

#include "calibrate/launches.h"
#include "calibrate/ready.h"
#include "calibrate/turn.h"
#include "common/machine_schema.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define CLASS_S    0.9
#define HALF_WIDTH 0.02 /* or the time is up */
#define LOOKS      6    /* at what seems to have moved */
#define READY_S    0.2  /* to connect and warm up */

/* Between two looks: once, or until so often where the cores are not as far apart as they were. */
#define PAUSE_NS 500000000
#define PAUSES   6

/* Of the other sizes so many are in between that there is time for so many round trips of each. */
#define ALL_TRIPS 100

static int is_point(const struct drift_class *c, size_t bytes)
{
	int i;

	for (i = 0; i < DRIFT_POINTS; i++)
		if (c->point[i].bytes == bytes)
			return 1;
	return 0;
}

/* The points, and the smallest of the others: they are what mostly precedes a round trip. */
static size_t choose(const struct drift_class *c, double rest_s, size_t bytes[])
{
	double left_s = CLASS_S / ALL_TRIPS;
	size_t n = 0, i;

	for (i = 0; i < DRIFT_POINTS; i++)
		left_s -= rest_s + c->point[i].before.value;
	for (i = 0; i < c->n; i++) {
		if (is_point(c, c->size[i])) {
			bytes[n++] = c->size[i];
		} else if (rest_s + c->trip_s[i] < left_s) {
			bytes[n++] = c->size[i];
			left_s -= rest_s + c->trip_s[i];
		}
	}
	return n;
}

static struct estimate round_trip(const struct gaps *g, size_t bytes)
{
	size_t i = 0;

	while (i < g->n && g->size[i].bytes != bytes)
		i++;
	return i < g->n ? g->size[i].rtt : (struct estimate){0};
}

static int is_decided(const struct drift_class *c)
{
	int i, decided = 1;

	for (i = 0; i < DRIFT_POINTS; i++)
		decided &= drift_is_decided(&c->point[i]);
	return decided;
}

/* The sizes as the calibration measured them. g has room for the result. */
static void look(struct turns *t, struct drift_class *c, struct gaps *g)
{
	struct gaps_plan plan = {
		.half_width = HALF_WIDTH, .most_s = CLASS_S, .seed = (uint64_t)(t->rank + 1)};
	size_t bytes[GAPS_SIZES_MAX], n = choose(c, t->pair.rest_s, bytes), trips = 0, i;
	double processors_s;
	long slept;

	memset(g, 0, sizeof(*g));
	pair_begin(&t->pair, t->pair.mirror);
	gaps_sizes(&t->pair, &plan, bytes, n, g);
	c->core_share = pair_core_share(&t->pair);
	slept = core_used().slept - t->pair.begun.slept;
	for (i = 0; i < g->n; i++)
		trips += g->size[i].rtt.n;
	c->cores.busy = c->core_share < MACHINE_CORE_ENOUGH;
	c->cores.sleep = slept > (long)trips / 2;
	drift_cores_add(&c->cores, g->cores);
	processors_s = launches_processors_s(turns_nearness(t), g->size[0].rtt);
	for (i = 0; i < DRIFT_POINTS; i++)
		c->point[i].wire_s = fmax(0, c->point[i].before.value - processors_s);
	for (i = 0; i < DRIFT_POINTS; i++)
		drift_add(&c->point[i],
			  launches_reach(round_trip(g, c->point[i].bytes), c->point[i].launch_share,
					 processors_s, c->core_share),
			  &c->cores);
	gaps_release(g);
}

/* For a while, and on until the cores are as far apart as they were, if they soon are. */
static void wait_for_another(struct turns *t, const struct drift_class *c)
{
	const struct timespec pause = {0, PAUSE_NS};
	struct estimate now = c->cores.now;
	struct samples s = {0};
	int i;

	for (i = 0; i == 0 || (i < PAUSES && !drift_cores_are_alike(c->cores.before, now)); i++) {
		nanosleep(&pause, NULL);
		pair_cores(&t->pair, &s);
		now = samples_median(&s);
		samples_release(&s);
	}
}

/* The asking rank's part: what seems to have moved is looked at again. */
static int measure(struct turns *t, void *context, void *result, struct err *err)
{
	struct drift_class *c = result;
	struct gaps *g = malloc(sizeof(*g));

	(void)context;
	if (!g)
		return err_set(err, "out of memory for the measurement");
	ready_pair(&t->pair, READY_S);
	for (c->looks = 0; c->looks < LOOKS && !is_decided(c); c->looks++) {
		if (c->looks)
			wait_for_another(t, c);
		look(t, c, g);
	}
	free(g);
	return 0;
}

int drift_measure(MPI_Comm comm, struct drift *d, struct err *err)
{
	double begun = MPI_Wtime();
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
	d->spent_s = MPI_Wtime() - begun;
	return ret;
}
