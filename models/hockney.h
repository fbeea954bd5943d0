/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Hockney's model of one message (Parallel Computing 20, 1994): a start-up time and a time
 * for each byte; and the three forms of it that scheduling uses (Legrand's lecture on
 * communication models, 2008). Pure: no I/O, no allocation, no globals; safe from any thread.
 * Seconds and bytes, or any other unit of time used throughout.
 */
#ifndef MODELS_HOCKNEY_H
#define MODELS_HOCKNEY_H

#include "common/err.h"

enum hockney_form {
	HOCKNEY_FIXED,  /* not divisible: alpha_s is the time of the whole message, t_k */
	HOCKNEY_LINEAR, /* divisible, latency neglected: m beta */
	HOCKNEY_AFFINE, /* alpha + m beta */
};

struct hockney {
	double alpha_s;         /* start-up time */
	double beta_s_per_byte; /* inverse bandwidth */
};

/*
 * The time of a message, s. Returns 0, or -1 with *err set and *time_s untouched when a
 * parameter is negative or no number.
 */
int hockney_time(struct hockney h, enum hockney_form form, double bytes, double *time_s,
		 struct err *err);

/*
 * The size that reaches half of the bandwidth, alpha / beta, bytes. Errors as above; also
 * when beta is 0.
 */
int hockney_half_size(struct hockney h, double *bytes, struct err *err);

#endif
