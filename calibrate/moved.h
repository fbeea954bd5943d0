/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * When a round trip is another than it was. Seconds, bytes.
 */
#ifndef CALIBRATE_MOVED_H
#define CALIBRATE_MOVED_H

#include "calibrate/samples.h"

/* Less is no drift, whatever the intervals say. */
#define DRIFT_SHARE 0.10

/* Intervals that leave room for so much tell nothing. */
#define DRIFT_TIMES 2

struct drift_point {
	size_t bytes;
	struct estimate before, now; /* round trip; its interval for another launch (blocks.h) */
};

/* By more than DRIFT_SHARE, and beyond the intervals? */
int drift_moved(const struct drift_point *p);

/*
 * It did not move as far as the intervals tell, but may be DRIFT_TIMES as long or as short by them:
 * that it holds was not seen either.
 */
int drift_cannot_tell(const struct drift_point *p);

#endif
