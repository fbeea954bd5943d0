/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/clock/clock_drift.h"

#include "common/ascending.h"

#include <math.h>
#include <stdlib.h>

/* A window tells something with so many messages each way; and so many windows do. */
#define MESSAGES_MIN 3
#define WINDOWS_MIN  5

/* Of the windows, two by two, so many agree on which clock gains. */
#define AGREE_MIN 0.75

#define SLOPES_MOST (CLOCK_DRIFT_WINDOWS * (CLOCK_DRIFT_WINDOWS - 1) / 2)

void clock_windows_add(struct clock_windows *w, int64_t at_ns, int64_t wall_ns, int64_t took_ns)
{
	double into = wall_ns > 0 ? (double)at_ns / (double)wall_ns : 0;
	uint32_t k = (uint32_t)(fmin(fmax(into, 0), 1) * (CLOCK_DRIFT_WINDOWS - 1e-9));

	if (!w->n[k] || took_ns < w->fastest_ns[k])
		w->fastest_ns[k] = took_ns;
	w->n[k]++;
}

/* The median of all slopes between two windows (Theil and Sen), times the windows. */
int64_t clock_drift_ns(const struct clock_windows *there, const struct clock_windows *back)
{
	double skew_ns[CLOCK_DRIFT_WINDOWS], slope_ns[SLOPES_MOST], median_ns;
	uint32_t at[CLOCK_DRIFT_WINDOWS], windows = 0, slopes = 0, agree = 0;

	for (uint32_t k = 0; k < CLOCK_DRIFT_WINDOWS; k++) {
		if (there->n[k] < MESSAGES_MIN || back->n[k] < MESSAGES_MIN)
			continue;
		at[windows] = k;
		skew_ns[windows++] = (double)(there->fastest_ns[k] - back->fastest_ns[k]) / 2;
	}
	if (windows < WINDOWS_MIN)
		return 0;
	for (uint32_t i = 0; i < windows; i++)
		for (uint32_t k = i + 1; k < windows; k++)
			slope_ns[slopes++] = (skew_ns[k] - skew_ns[i]) / (at[k] - at[i]);
	qsort(slope_ns, slopes, sizeof(*slope_ns), ascending);
	median_ns = slope_ns[slopes / 2];
	for (uint32_t i = 0; i < slopes; i++)
		agree += slope_ns[i] * median_ns > 0;
	return agree < AGREE_MIN * slopes ? 0 : llround(fabs(median_ns) * CLOCK_DRIFT_WINDOWS);
}
