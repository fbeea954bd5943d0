/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The gap of messages in a row, so many that nothing else counts: the saturation method
 * (Kielmann, Bal, Verstoep 2000, section 3), for g(0) and to compare the fast one with. Seconds,
 * bytes.
 */
#ifndef CALIBRATE_SATURATION_H
#define CALIBRATE_SATURATION_H

#include "calibrate/blocks.h"
#include "calibrate/pair.h"

/*
 * How many in a row saturate: doubled until one costs the same and the answer's way does not
 * count any more, or until twice as many would take more than most_s.
 */
int saturation_messages(struct pair *p, size_t bytes, double most_s);

/* Messages in a row, again and again. */
struct floods {
	size_t bytes;
	int n;             /* in a row */
	double half_width; /* wanted, as a share */
	double until;      /* or until then, or the most that there are of floods */
};

/* Their gap: each flood is a block, added to *b. */
struct estimate saturation_gap(struct pair *p, const struct floods *f, struct blocks *b);

/*
 * Both, within about most_s, and the time that took. Returns 1 when that time did not suffice for
 * all floods of a gap that is steady, else 0.
 */
int saturation_measure(struct pair *p, size_t bytes, double most_s, struct estimate *out,
		       double *spent_s);

#endif
