/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calibrate/launches.h"

#include "calibrate/cacheline.h"

#include <math.h>
#include <string.h>

/*
 * About so much that of the pairs of launches 95 % agree in each kind of value: within a node those
 * with cores as near, of 26 launches of each MPI in three campaigns; between two emulated hosts all
 * of 28 each in three others. Those of doc/agreement.md came after. Round trips above 8 KiB within
 * a node have more: so much that --drift would say of less than 2 % of them, each launch beside
 * each other, that they have moved. Between hosts cores come nearer and go apart, which is what
 * overheads depend on there: to take 16 KiB took Open MPI 19 to 77 us. The rows without a name are
 * MPICH's, the worse of them, and those of every MPI that was not measured.
 */
static const struct row {
	const char *mpi;
	int is_network;
	uint64_t upto;
	struct launches share;
} rows[] = {
	{"Open MPI", 0, 64, {.trip = 0.11, .overheads = 0.35, .least_gap = 0.27}},
	{"Open MPI", 0, 8192, {.trip = 0.12, .overheads = 0.22, .least_gap = 0.27}},
	{"Open MPI", 0, UINT64_MAX, {.trip = 0.16, .overheads = 0.20, .least_gap = 0.27}},
	{"", 0, 64, {.trip = 0.14, .overheads = 0.36, .least_gap = 0.27}},
	{"", 0, 8192, {.trip = 0.31, .overheads = 0.48, .least_gap = 0.27}},
	{"", 0, UINT64_MAX, {.trip = 0.20, .overheads = 0.25, .least_gap = 0.27}},
	{"Open MPI", 1, 1024, {.trip = 0.09, .overheads = 0.13, .least_gap = 0.06}},
	{"Open MPI", 1, 8192, {.trip = 0.12, .overheads = 0.28, .least_gap = 0.06}},
	{"Open MPI", 1, UINT64_MAX, {.trip = 0.12, .overheads = 0.36, .least_gap = 0.06}},
	{"", 1, 64, {.trip = 0.12, .overheads = 0.16, .least_gap = 0.06}},
	{"", 1, 1024, {.trip = 0.13, .overheads = 0.21, .least_gap = 0.06}},
	{"", 1, 8192, {.trip = 0.15, .overheads = 0.30, .least_gap = 0.06}},
	{"", 1, UINT64_MAX, {.trip = 0.15, .overheads = 0.39, .least_gap = 0.06}},
};

struct launches launches_assumed(const char *mpi, enum nearness near, uint64_t bytes)
{
	const struct row *r = rows;

	while (strncmp(mpi, r->mpi, strlen(r->mpi)) != 0 ||
	       r->is_network != (near == NEAR_NETWORK) || bytes > r->upto)
		r++;
	return r->share;
}

struct estimate launches_reach(struct estimate e, double share, double processors_s,
			       double core_share)
{
	double own = fmin(fabs(e.value), processors_s);
	double more = share * own + LAUNCHES_WIRE * (fabs(e.value) - own);
	double waited = (1 - core_share) * e.value;

	e.low = e.value - hypot(hypot(e.value - e.low, more), fmax(0, waited));
	e.high = e.value + hypot(e.high - e.value, more);
	return e;
}

double launches_processors_s(enum nearness near, struct estimate empty)
{
	return near == NEAR_NETWORK ? empty.value : INFINITY;
}

/* Measured with the cores at one place or at another so many times as near. */
static struct estimate either_place(struct estimate e, double nearer)
{
	e.low = fmin(e.low, fmin(e.value * nearer, e.value / nearer));
	e.high = fmax(e.high, fmax(e.value * nearer, e.value / nearer));
	return e;
}

/* How many times as near the cores were as at other times; 1: always as near. */
static double places_nearer(struct estimate cores)
{
	return cores.n && cores.low > 0 && cores.high > CACHELINE_APART * cores.low
		       ? cores.low / cores.high
		       : 1;
}

static void widen_size(struct calibrated_size *z, double processors_s,
		       const struct calibrated_direction *d)
{
	double own = z->launches.overheads, nearer = places_nearer(d->cores);

	z->alone = (struct calibrated_alone){z->rtt, z->o_s, z->o_r, z->expected, z->g};
	z->rtt = launches_reach(z->rtt, z->launches.trip, processors_s, d->core_share);
	z->rtt = either_place(z->rtt, nearer);
	z->o_s = either_place(launches_reach(z->o_s, own, INFINITY, d->core_share), nearer);
	z->o_r = either_place(launches_reach(z->o_r, own, INFINITY, d->core_share), nearer);
	z->expected =
		either_place(launches_reach(z->expected, own, INFINITY, d->core_share), nearer);
	/* a difference of two of the same launch, so not from its widened parts ... */
	z->g = launches_reach(z->g, z->bytes ? z->launches.trip : z->launches.least_gap,
			      processors_s, d->core_share);
	if (nearer < 1) /* ... unless they are of two places */
		z->g = z == d->size ? either_place(z->g, nearer)
				    : estimate_sum(estimate_difference(z->rtt, d->size[0].rtt),
						   either_place(d->g0_alone, nearer));
}

void launches_widen(struct calibrated_direction *d, const char *mpi, enum nearness near)
{
	double processors_s = launches_processors_s(near, d->size[0].rtt);
	uint32_t i;

	d->g0_alone = d->g0;
	d->L_alone = d->L;
	for (i = 0; i < d->n; i++) {
		struct calibrated_size *z = &d->size[i];

		z->launches = launches_assumed(mpi, near, z->bytes);
		widen_size(z, processors_s, d);
	}
	if (!d->n)
		return;
	d->g0 = launches_reach(d->g0, d->size[0].launches.least_gap, INFINITY, d->core_share);
	d->g0 = either_place(d->g0, places_nearer(d->cores));
	d->L = estimate_difference(estimate_times(0.5, d->size[0].rtt), d->g0);
}
