/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calibrate/moved.h"

#include <math.h>

int drift_moved(const struct drift_point *p)
{
	return p->now.n && fabs(p->now.value - p->before.value) > DRIFT_SHARE * p->before.value &&
	       estimates_differ(p->now, p->before);
}
