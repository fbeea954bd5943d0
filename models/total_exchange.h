/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lower bounds of an exchange of messages of any sizes between n processes, each of which can
 * send one and receive one at a time (Steffenel 2006, section 5): the message exchange digraph
 * has an arc for each weight above 0; what a process sends itself is no arc.
 * Pure: no I/O, no globals; safe from any thread. Bytes and any one unit of time.
 */
#ifndef MODELS_TOTAL_EXCHANGE_H
#define MODELS_TOTAL_EXCHANGE_H

#include <stddef.h>

#include "common/err.h"
#include "models/hockney.h"

struct total_exchange {
	size_t sends;    /* Delta_s, the most messages that one process sends */
	size_t receives; /* Delta_r */
	double startups; /* Claim 1: max(Delta_s, Delta_r) */
	double t_s;      /* the longest that one process sends, without start-ups */
	double t_r;      /* the longest that one process receives */
	double transfer; /* Claim 2: max(t_s, t_r) */
	double lower;    /* Claim 3: startups alpha + transfer */
	double port;     /* the longest that one port is busy, start-ups included */
	int one_port;    /* 1: one port of one process has both maxima of Claim 3 */
};

/*
 * The bounds for weights w[i n + j], bytes from i to j. `lower` needs the exchange to be
 * synchronous or `one_port`; `port` always holds, and is at most `lower`. Returns 0, or
 * -1 with *err set and *out untouched: n < 2, a weight that is negative or no number.
 */
int total_exchange_bounds(struct hockney link, size_t n, const double w[],
			  struct total_exchange *out, struct err *err);

/* Proposition 1, messages of equal size: (n - 1) (alpha + m beta). Errors likewise. */
int total_exchange_equal(struct hockney link, double n, double bytes, double *time,
			 struct err *err);

#endif
