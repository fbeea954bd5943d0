/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Parameterised LogP (Kielmann, Bal, Verstoep 2000, section 2): latency L and, per message
 * size, the overheads o_s, o_r and the gap g, piecewise linear between measured sizes.
 * A message that nobody hinders is complete L + g(m) after its send began; g covers both
 * overheads. Pure: no I/O, no allocation, no globals; safe from any thread. Seconds, bytes.
 */
#ifndef MODELS_PLOGP_H
#define MODELS_PLOGP_H

#include <stddef.h>

#include "models/loggp.h"

/* One size of the tables. */
struct plogp_point {
	double bytes;
	double o_s_s; /* send overhead */
	double o_r_s; /* receive overhead */
	double g_s;   /* gap: shortest time between messages of this size through one port */
};

/* n >= 1 points in ascending order of bytes; borrowed. */
struct plogp {
	double L_s;
	size_t n;
	const struct plogp_point *points;
};

/*
 * Are these values that the functions below can take: at least one point, sizes ascending, nothing
 * negative? Returns 0, or -1 with *err set.
 */
int plogp_check(struct plogp p, struct err *err);
int plogp_check_size(double bytes, struct err *err); /* 0 or more */

/*
 * The parameters at any size: linear between points, constant below the first; above the
 * last along the last segment, or in proportion to the bytes when there is one point only.
 */
struct plogp_point plogp_at(struct plogp p, double bytes);

/* L + g(m): from the start of the send to the complete message at a waiting receiver, s. */
double plogp_time(struct plogp p, double bytes);

/* Time until the last of n messages sent back to back has arrived, L + sum g(m_i), s. */
double plogp_burst_time(struct plogp p, size_t n, const double bytes[n]);

/* LogGP's parameters (table 1): L + g(1) - o_s(1) - o_r(1), mean overhead, G = g(m)/m at the
 * largest size. L is not below 0. */
struct loggp plogp_to_loggp(struct plogp p);

#endif
