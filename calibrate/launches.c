/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calibrate/launches.h"

#include <math.h>

/*
 * Within a node: with these 95 % of all pairs of 24 launches of MPICH agreed (launches.h), of which
 * Open MPI's needed 0.07, 0.12 and 0.18 of round trips, 0.35, 0.29 and 0.23 of overheads. Between
 * nodes 20 launches on two emulated hosts did.
 */
struct launches launches_assumed(enum nearness near, uint64_t bytes)
{
	if (near == NEAR_NETWORK)
		return (struct launches){.trip = 0.12, .overheads = 0.12};
	if (bytes <= 64)
		return (struct launches){.trip = 0.15, .overheads = 0.40};
	if (bytes <= 8192)
		return (struct launches){.trip = 0.28, .overheads = 0.50};
	return (struct launches){.trip = 0.18, .overheads = 0.25};
}

struct estimate launches_reach(struct estimate e, double share, double processors_s,
			       double core_share)
{
	double more = share * fmin(fabs(e.value), processors_s);
	double waited = (1 - core_share) * e.value;

	e.low = e.value - hypot(hypot(e.value - e.low, more), fmax(0, waited));
	e.high = e.value + hypot(e.high - e.value, more);
	return e;
}

double launches_processors_s(enum nearness near, struct estimate empty)
{
	return near == NEAR_NETWORK ? empty.value : INFINITY;
}

static void widen_size(struct calibrated_size *z, double processors_s, double core_share)
{
	double own = z->launches.overheads;

	z->rtt = launches_reach(z->rtt, z->launches.trip, processors_s, core_share);
	z->o_s = launches_reach(z->o_s, own, INFINITY, core_share);
	z->o_r = launches_reach(z->o_r, own, INFINITY, core_share);
	z->expected = launches_reach(z->expected, own, INFINITY, core_share);
	/* a difference of two of the same launch, so not from its widened parts */
	z->g = launches_reach(z->g, z->launches.trip, processors_s, core_share);
}

void launches_widen(struct calibrated_direction *d, enum nearness near)
{
	double processors_s = launches_processors_s(near, d->size[0].rtt);
	uint32_t i;

	for (i = 0; i < d->n; i++) {
		struct calibrated_size *z = &d->size[i];
		z->launches = launches_assumed(near, z->bytes);
		widen_size(z, processors_s, d->core_share);
	}
	if (!d->n)
		return;
	d->g0 = launches_reach(d->g0, d->size[0].launches.trip, INFINITY, d->core_share);
	d->L = estimate_difference(estimate_times(0.5, d->size[0].rtt), d->g0);
}
