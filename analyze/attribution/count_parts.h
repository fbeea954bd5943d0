/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What count_loads.c sums up: each rank's bytes in each operation. For count_loads.c only. */
#ifndef ANALYZE_COUNT_PARTS_H
#define ANALYZE_COUNT_PARTS_H

#include "analyze/attribution/count_loads.h"

/* A rank's bytes in an operation; of a target's many are. */
struct count_part {
	uint32_t collective, rank;
	uint32_t call; /* of the rank; TRACE_NONE: others' operations on its memory */
	uint32_t at;   /* where it is at work: blocking, call; TRACE_NONE: that is another's */
	double bytes[COUNT_WAYS];
};

struct count_parts {
	struct count_part *p; /* by collective and rank */
	size_t n;
};

/*
 * Those of functions whose kind[region] (enum count_kind) is not 0. Returns 0, or -1: out of
 * memory. Caller: count_parts_release.
 */
int count_parts_find(struct count_parts *out, const struct trace *t, const struct collectives *c,
		     const uint8_t *kind);
void count_parts_release(struct count_parts *x);

#endif
