/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fluid flows that share links fairly in the max-min sense (Massoulie and Roberts, INFOCOM
 * 1999; Legrand's lecture, 2008), by progressive filling: all rates grow together; a flow
 * stops where a link of its is full or its own cap (window / round trip) is reached.
 * In the result no link is over its capacity, and each flow either has its cap or
 * crosses a full link on which nobody is faster.
 * Pure: no I/O, memory only during the call, no globals; safe from any thread.
 */
#ifndef MODELS_MAXMIN_H
#define MODELS_MAXMIN_H

#include <stddef.h>
#include <stdint.h>

#include "common/err.h"

#define MAXMIN_OWN_CAP SIZE_MAX

struct maxmin_flow {
	size_t n;            /* links crossed; one that is listed twice is used twice */
	const size_t *links; /* borrowed */
	double cap;          /* bytes/time; INFINITY = none */
};

struct maxmin_links {
	size_t n;
	const double *capacity; /* bytes/time; 0 = the link is down; borrowed */
};

struct maxmin_rate {
	double rate;       /* bytes/time */
	size_t bottleneck; /* the link that stopped it, or MAXMIN_OWN_CAP */
};

/*
 * Share the links between n flows. Returns 0, or -1 with *err set and rates untouched: a
 * negative capacity or cap, an unknown link, a flow without any bound, no memory.
 */
int maxmin_share(struct maxmin_links links, size_t n, const struct maxmin_flow flows[n],
		 struct maxmin_rate rates[n], struct err *err);

/* What the links carry then, into loads[links.n]; returns all flows together. */
double maxmin_loads(struct maxmin_links links, size_t n, const struct maxmin_flow flows[n],
		    const struct maxmin_rate rates[n], double loads[]);

/* What a window of bytes allows on a round trip: window / rtt. Returns 0, or -1 with *err set. */
int maxmin_window_cap(double window, double rtt, double *cap, struct err *err);

#endif
