/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calibrate/moved.h"

#include <math.h>

int drift_cannot_tell(const struct drift_point *p)
{
	if (drift_moved(p))
		return 0;
	return !p->now.n || p->before.low <= 0 || p->now.low <= 0 ||
	       p->now.high > DRIFT_TIMES * p->before.low ||
	       p->now.low * DRIFT_TIMES < p->before.high;
}

int drift_moved(const struct drift_point *p)
{
	return p->now.n && fabs(p->now.value - p->before.value) > DRIFT_SHARE * p->before.value &&
	       estimates_differ(p->now, p->before);
}
