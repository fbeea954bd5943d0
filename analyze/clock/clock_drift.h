/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Do two clocks drift, though no message seems to arrive before it was sent? In each window of the
 * run the fastest messages both ways, f and b, put their offset at (f - b) / 2; what runs one way
 * over all windows is drift, what goes up and down is the traffic.
 */
#ifndef ANALYZE_CLOCK_DRIFT_H
#define ANALYZE_CLOCK_DRIFT_H

#include <stdint.h>

#define CLOCK_DRIFT_WINDOWS 8

/* The fastest message from one clock to another in each window. */
struct clock_windows {
	int64_t fastest_ns[CLOCK_DRIFT_WINDOWS];
	uint32_t n[CLOCK_DRIFT_WINDOWS]; /* messages */
};

/* A message that was complete at at_ns of a run of wall_ns; took_ns: beyond the least. */
void clock_windows_add(struct clock_windows *w, int64_t at_ns, int64_t wall_ns, int64_t took_ns);

/*
 * By how much the offset of two clocks changes from the run's begin to its end, by the messages
 * both ways; 0 where they show nothing of it.
 */
int64_t clock_drift_ns(const struct clock_windows *there, const struct clock_windows *back);

#endif
