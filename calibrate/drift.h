/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Has a machine changed since its file was written? Three sizes of each nearness that both have
 * are measured again: their round trips, from which all else was derived. Seconds, bytes.
 */
#ifndef CALIBRATE_DRIFT_H
#define CALIBRATE_DRIFT_H

#include <mpi.h>

#include "calibrate/places.h"
#include "calibrate/samples.h"
#include "common/err.h"

enum { DRIFT_POINTS = 3 };

/* Less is no drift, whatever the intervals say. */
#define DRIFT_SHARE 0.10

struct drift_point {
	size_t bytes;
	struct estimate before, now; /* round trip */
};

struct drift_class {
	int known, present; /* in the file; among this job's ranks */
	struct drift_point point[DRIFT_POINTS];
};

struct drift {
	struct drift_class class[NEAR_COUNT];
};

/*
 * Collective over comm. d->class[].known, bytes and before are rank 0's; `present` and `now` are
 * filled there. About a second for each nearness. Returns 0, or -1 with *err set.
 */
int drift_measure(MPI_Comm comm, struct drift *d, struct err *err);

/* By more than DRIFT_SHARE, and beyond the intervals? */
int drift_moved(const struct drift_point *p);

#endif
