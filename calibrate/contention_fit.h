/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the measured times of many ranks say. Pure. Seconds, bytes. */
#ifndef CALIBRATE_CONTENTION_FIT_H
#define CALIBRATE_CONTENTION_FIT_H

#include "calibrate/contention.h"

/*
 * The max-rate model of the steps: R_N the most that was seen, R_C of one pair, R_i what the
 * next step adds for each; alpha is one message's. Steps without a rate say nothing. Sets fit,
 * tells_more, clamped and saturates.
 */
void contention_fit_rates(struct contention_rates *r, double alpha);

/*
 * Least squares of the steps' medians: slope_s and its standard error, which takes three steps:
 * through two there is a line that both are on.
 */
void contention_fit_fan(struct contention_fan *f);

/*
 * The gaps of out->bytes long messages, split in those that took about as long as one alone and
 * the others.
 */
void contention_split_gaps(const struct samples *each, struct hockney link,
			   struct contention_stress *out);

#endif
