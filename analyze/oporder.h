/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The records of one rank in order of time. In the trace those of several threads lie
 * one thread after the other.
 */
#ifndef ANALYZE_OPORDER_H
#define ANALYZE_OPORDER_H

#include "analyze/trace.h"

struct oporder {
	const struct trace *t;
	const struct op **ops; /* of the rank set last */
	uint32_t n;
};

/* Room for the rank of t with the most records. Returns 0, or -1: out of memory. */
int oporder_init(struct oporder *o, const struct trace *t);

/* Point ops at the records of a rank; a blocking receive counts from its call's begin. */
void oporder_set(struct oporder *o, uint32_t rank);

void oporder_release(struct oporder *o);

#endif
