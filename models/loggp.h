/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * LogGP: the time one message takes on an idle network (Alexandrov et al. 1995).
 * Pure: no I/O, no allocation kept, no globals; safe from any thread. Seconds and bytes.
 */
#ifndef MODELS_LOGGP_H
#define MODELS_LOGGP_H

#include <stddef.h>

#include "common/err.h"

struct loggp {
	double o_s;          /* processor overhead at either end, s */
	double L_s;          /* wire latency, s */
	double g_s;          /* gap between short messages, s */
	double G_s_per_byte; /* inverse bandwidth, s/byte */
};

/* From the send call to the message at a waiting receiver, 2 o + L + (m - 1) G, s. */
double loggp_time(struct loggp m, double bytes);

/*
 * The same for values from outside: returns 0, or -1 with *err set and *time_s untouched when
 * one is negative or no number.
 */
int loggp_message(struct loggp m, double bytes, double *time_s, struct err *err);

/*
 * Fit time = a + G bytes to n samples, robust to outliers (bisquare weights): sets L_s = a
 * (overheads included, o_s = g_s = 0) and G_s_per_byte, both kept from being negative.
 * Needs two distinct sizes. Returns 0, or -1 with *err set and *m unchanged.
 */
int loggp_fit(struct loggp *m, size_t n, const double bytes[n], const double s[n], struct err *err);

#endif
