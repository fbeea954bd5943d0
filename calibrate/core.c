/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calibrate/core.h"

#include <math.h>
#include <stdio.h>
#include <sys/resource.h>
#include <time.h>

static double seconds(clockid_t clock)
{
	struct timespec t = {0, 0};

	clock_gettime(clock, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* The second number of it, where there is one. */
static double awaited_s(void)
{
	FILE *f = fopen("/proc/thread-self/schedstat", "re");
	unsigned long long awaited_ns;
	int told;

	if (!f)
		return -1;
	told = fscanf(f, "%*u %llu", &awaited_ns) == 1;
	fclose(f);
	return told ? (double)awaited_ns * 1e-9 : -1;
}

struct core_use core_used(void)
{
	struct rusage r = {0};

	getrusage(RUSAGE_THREAD, &r);
	return (struct core_use){.wall_s = seconds(CLOCK_MONOTONIC),
				 .cpu_s = seconds(CLOCK_THREAD_CPUTIME_ID),
				 .awaited_s = awaited_s(),
				 .slept = r.ru_nvcsw - r.ru_nivcsw};
}

double core_share(struct core_use then)
{
	struct core_use now = core_used();
	double wall_s = now.wall_s - then.wall_s, share = 1;

	if (wall_s <= 0)
		return 1;
	if (now.slept <= then.slept)
		share = (now.cpu_s - then.cpu_s) / wall_s;
	if (then.awaited_s >= 0 && now.awaited_s >= then.awaited_s)
		share = fmin(share, 1 - (now.awaited_s - then.awaited_s) / wall_s);
	return fmax(0, fmin(1, share));
}
