/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/noise.h"

#include <math.h>

double noise_change(double base, double new)
{
	if (base > 0.0)
		return (new - base) / base;
	return new > 0.0 ? INFINITY : 0.0;
}

int noise_covers(double base_s, double new_s, double noise, double wall_s)
{
	return fabs(noise_change(base_s, new_s)) <= noise ||
	       fabs(new_s - base_s) <= NOISE_SHARE * wall_s;
}
