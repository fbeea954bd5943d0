/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Clement, Steed and Crandall's factor for a shared network (Supercomputing 1996; Steffenel
 * 2006, eq. 2): all processes send at once, each gets its share of the bandwidth.
 * Pure; bytes and any one unit of time.
 */
#ifndef MODELS_CLEMENT_H
#define MODELS_CLEMENT_H

#include "common/err.h"

struct clement {
	double l;     /* latency of the link, time */
	double W;     /* bandwidth of the link, bytes/time */
	double gamma; /* contention factor: the number of processes, at least 1 */
};

/* T = l + m gamma / W. Returns 0, or -1 with *err set, *time untouched. */
int clement_time(struct clement c, double bytes, double *time, struct err *err);

#endif
