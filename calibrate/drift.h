/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Has a machine changed since its file was written? Three sizes of each nearness that both have
 * are measured again: their round trips, from which all else was derived. It goes about it as
 * the calibration does, with its receives and its other sizes in between: a loop of these three
 * alone finds buffers in the cache that the calibration did not; where there is no time for all of
 * them the largest are left out. What seems to have moved is looked
 * at again after a pause. Seconds, bytes.
 *
 * On the machine of cacheline.h an unchanged one was said to have moved in none of 48 launches
 * within it, half of them Open MPI's and half MPICH's, none of 39 while it was busy (they could not
 * tell) and none of 38 between two emulated hosts. 30 Mbit/s instead of 50 there was seen in 40 of
 * 40, TCP instead of memory and an eager limit of 256 bytes instead of 4096 in 20 of 20 each,
 * another way through memory in 13 of 20: in 6 the cores were nearer, which may explain as much.
 * While others used the two processors, 42 Mbit/s instead of 50 was seen in 20 of 24, and in none
 * of the 4 with one file whose large sizes had met with them; 50 was never said to have moved in
 * 32.
 */
#ifndef CALIBRATE_DRIFT_H
#define CALIBRATE_DRIFT_H

#include <mpi.h>

#include "calibrate/gaps.h"
#include "calibrate/moved.h"
#include "calibrate/places.h"
#include "common/err.h"

enum { DRIFT_POINTS = 3 };

struct drift_class {
	int known, present;             /* in the file; among this job's ranks */
	size_t n, size[GAPS_SIZES_MAX]; /* bytes of all sizes in the file, the points' included */
	double trip_s[GAPS_SIZES_MAX];  /* their round trips then */
	double core_share;              /* of the time now, that the side with less had a core */
	struct drift_cores cores;
	int looks;
	struct drift_point point[DRIFT_POINTS];
};

struct drift {
	struct drift_class class[NEAR_COUNT];
};

/*
 * Collective over comm. d->class[].known, sizes and what was before are rank 0's; the rest is
 * filled there. About a second for each nearness that holds, several for one that does not.
 * Returns 0, or -1 with *err set.
 */
int drift_measure(MPI_Comm comm, struct drift *d, struct err *err);

#endif
