/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calibrate/core.h"

#include <math.h>
#include <sys/resource.h>
#include <time.h>

static double seconds(clockid_t clock)
{
	struct timespec t = {0, 0};

	clock_gettime(clock, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

struct core_use core_used(void)
{
	struct rusage r = {0};

	getrusage(RUSAGE_THREAD, &r);
	return (struct core_use){.wall_s = seconds(CLOCK_MONOTONIC),
				 .cpu_s = seconds(CLOCK_THREAD_CPUTIME_ID),
				 .slept = r.ru_nvcsw - r.ru_nivcsw};
}

double core_share(struct core_use then)
{
	struct core_use now = core_used();
	double wall_s = now.wall_s - then.wall_s;

	if (now.slept > then.slept || wall_s <= 0)
		return 1;
	return fmax(0, fmin(1, (now.cpu_s - then.cpu_s) / wall_s));
}
