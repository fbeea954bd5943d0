/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The rate of a node is bounded (Gropp, Olson, Samfass, EuroMPI 2016): k processes of a node
 * send m bytes each at the same time; together they get what they can inject, but not
 * more than the node's network interface. Pure; bytes and any one unit of time.
 */
#ifndef MODELS_MAX_RATE_H
#define MODELS_MAX_RATE_H

#include "common/err.h"

struct max_rate {
	double alpha; /* start-up time */
	double R_N;   /* of the node, bytes/time */
	double R_C;   /* of the first process, bytes/time */
	double R_i;   /* what each further process adds, bytes/time; R_C when they do not compete */
};

struct max_rate_result {
	double time;      /* T = alpha + k m / rate */
	double rate;      /* min(R_N, R_C + (k - 1) R_i) */
	double saturated; /* the number of processes from which on the node is the limit;
			     0 = no number of them reaches it */
};

/* k: whole, at least 1. Returns 0, or -1 with *err set and *out untouched. */
int max_rate_time(struct max_rate m, double k, double bytes, struct max_rate_result *out,
		  struct err *err);

#endif
