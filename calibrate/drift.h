/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Has a machine changed since its file was written? Three sizes of each nearness that both have
 * are measured again: their round trips, from which all else was derived. It goes about it as
 * the calibration does, with its receives and its other sizes in between: a loop of these three
 * alone finds buffers in the cache that the calibration did not; where there is no time for all of
 * them the largest are left out. What seems to have moved is looked
 * at again after a pause. Seconds, bytes.
 *
 * What it sees and what not, and how often it is wrong, was measured: doc/calibration.md.
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
	double spent_s;
	struct drift_class class[NEAR_COUNT];
};

/*
 * Collective over comm. d->class[].known, sizes and what was before are rank 0's; the rest is
 * filled there. About a second for each nearness that holds, several for one that does not.
 * Returns 0, or -1 with *err set.
 */
int drift_measure(MPI_Comm comm, struct drift *d, struct err *err);

#endif
