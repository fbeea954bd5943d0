/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * When a round trip is another than it was. Seconds, bytes.
 */
#ifndef CALIBRATE_MOVED_H
#define CALIBRATE_MOVED_H

#include "calibrate/samples.h"

/* Less is no drift, whatever the intervals say. */
#define DRIFT_SHARE 0.10

struct drift_point {
	size_t bytes;
	struct estimate before, now; /* round trip; its interval for another launch (blocks.h) */
};

/* By more than DRIFT_SHARE, and beyond the intervals? */
int drift_moved(const struct drift_point *p);

#endif
