/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calibrate/ready.h"

#include <math.h>

/*
 * Messages each way that use all of the memory, and of how many bytes. Some in a row: one at a
 * time, large and small in turns, they would go through the same of 64 pieces again and again.
 */
#define READY_MESSAGES 200
#define READY_IN_A_ROW 5
#define READY_BYTES    8192

/* Round trips that tell what they take: empty, and a few of more bytes. */
#define TRIPS      50
#define TRIPS_FULL 5
#define FULL_BYTES 16384

/* Of the time. */
#define READY_SHARE 0.5

/*
 * What messages take alone is that of a network at rest (LogP's L and o, pLogP's RTT). A card or a
 * switch whose rate is limited saves up credit while nothing is sent, mostly for a packet at least,
 * which then passes at once; without a rest it depends on what went before. So long as a packet of
 * Ethernet takes, or somewhat more: on fast networks next to nothing.
 */
#define REST_BYTES  1600
#define REST_MOST_S 1e-3

/* While there is time for some more, of one_s each: those of ranks in turns on a core last. */
static void use_memory(struct pair *p, double one_s, double until)
{
	double some_s = 2 * READY_IN_A_ROW * one_s;
	struct samples unused = {0};
	int i;

	for (i = 0; i < READY_MESSAGES && MPI_Wtime() + some_s < until; i += READY_IN_A_ROW) {
		pair_round_trips(p, READY_BYTES, READY_IN_A_ROW, &unused, &unused);
		pair_posted_receives(p, READY_BYTES, READY_IN_A_ROW, 0, &unused);
	}
	samples_release(&unused);
}

/* The median of n round trips, or of as many as there is time for. */
static double trip_s(struct pair *p, size_t bytes, int n, double until)
{
	struct samples rtt = {0}, o_s = {0};
	double s;
	int i;

	for (i = 0; i < n && (i == 0 || MPI_Wtime() < until); i++)
		pair_round_trips(p, bytes, 1, &rtt, &o_s);
	s = samples_median(&rtt).value;
	samples_release(&rtt);
	samples_release(&o_s);
	return s;
}

struct ready ready_pair(struct pair *p, double most_s)
{
	double begun = MPI_Wtime(), until = begun + most_s;
	struct ready r;

	p->rest_s = 0;
	trip_s(p, 0, 1, until); /* connects */
	use_memory(p, trip_s(p, 0, 1, until), begun + READY_SHARE * most_s);
	r.rtt_s = trip_s(p, 0, TRIPS, until);
	r.byte_s = fmax(0, trip_s(p, FULL_BYTES, TRIPS_FULL, until) - r.rtt_s) / FULL_BYTES;
	p->rest_s = p->on_one_host ? 0 : fmin(REST_BYTES * r.byte_s, REST_MOST_S);
	return r;
}
