/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Many ranks communicate at once and are timed: pairs of them, several with one, each with one
 * other, all with all. Every call is collective over the communicator; rank 0 decides how often.
 */
#ifndef CALIBRATE_TOGETHER_H
#define CALIBRATE_TOGETHER_H

#include <mpi.h>

#include "calibrate/samples.h"

enum traffic {
	TRAFFIC_PAIRS,   /* rank pairs[2 i] to pairs[2 i + 1], a burst, for i < k */
	TRAFFIC_FAN_IN,  /* the first k of others to rank 0 */
	TRAFFIC_FAN_OUT, /* rank 0 to them */
	TRAFFIC_SHIFT,   /* the first `senders` ranks to the one `k` after each */
	TRAFFIC_ALL,     /* MPI_Alltoall of the whole communicator */
};

/* Messages of a burst. */
#define TOGETHER_BURST 8

struct together {
	MPI_Comm comm;
	int rank, n;
	char *out, *in;    /* room bytes each */
	const int *pairs;  /* of TRAFFIC_PAIRS */
	const int *others; /* of the fans */
};

struct together_plan {
	enum traffic traffic;
	int k;
	int senders;     /* of TRAFFIC_SHIFT */
	size_t bytes;    /* of a message */
	double most_s;   /* the time there is */
	int least, most; /* repetitions */
};

/*
 * Add the time of each repetition, of the rank that took longest, to *slowest on rank 0; with
 * `each` the time of every rank, of TRAFFIC_SHIFT of every message. The first repetition is not
 * kept: it warms up.
 */
void together_measure(const struct together *t, const struct together_plan *plan,
		      struct samples *slowest, struct samples *each);

#endif
