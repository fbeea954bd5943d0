/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the samples of one size say of the machine. For machine_fit.c only. Seconds. */
#ifndef ANALYZE_MACHINE_KNOWN_H
#define ANALYZE_MACHINE_KNOWN_H

#include "analyze/machine/machine_samples.h"

/* The low end of a bin and how sure it is. */
struct low {
	size_t n;
	double s;
	double bytes;
	double half_width; /* relative, 95 % */
};

/* What one bin knows: T = legs L + g. */
struct known {
	struct low time;
	double less_s, more_s; /* time may be so much less, or more, by the clocks */
	int legs;
	int crowded; /* nothing shows what a message alone takes; time has what the others took */
	double company; /* others were on the network beside each, and may have made them slower */
	int any;        /* time is by messages that nobody waited for: it may be their receivers' */
	int alone; /* one as fast had nobody else on the network, or it takes what such sizes say */
	double line_s; /* it would take so long alone by the sizes that were, if less; 0: unknown */
	double port_most; /* no port is longer busy with one, or others would have hindered it */
	struct low o_s, o_r, spacing, share;
	struct low o_s_perhaps; /* by sends that may have waited for their receivers */
	int late; /* o_r is by receives whose message may have come only while they lasted */
	double usual_share_s; /* where many get through: not the luckiest */
	double sharers;       /* of share: as many messages got through together */
	struct low second;    /* o_r too, but by inference */
};

/*
 * Of one class, each bin; zeros where there are no samples. Returns 0, or -1 with *err set (out of
 * memory).
 */
int known_find(struct known known[SAMPLE_BINS], const struct samples *all, enum locality class,
	       struct err *err);

/*
 * A parameter (a struct low at this offset in a struct known) of the nearest bin that has
 * samples of it; 0 when none has.
 */
double known_nearest(const struct known known[SAMPLE_BINS], int bin, size_t offset);

#endif
