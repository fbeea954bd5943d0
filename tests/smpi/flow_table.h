/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The simulator's flows (flows.h), read back and found again: by hosts, bytes and the instant at
 * which they start. Seconds of simulated time.
 */
#ifndef TESTS_SMPI_FLOW_TABLE_H
#define TESTS_SMPI_FLOW_TABLE_H

#include <stddef.h>

#include "common/err.h"

#define FLOW_TOLERANCE_S 1e-9 /* the trace's times are whole ns */

struct sim_flow {
	unsigned src, dst; /* hosts */
	double bytes;      /* with the simulator's envelope */
	double start_s, end_s;
	double free_s; /* what it takes on an idle network */
	int used;      /* a message is joined with it */
};

struct flow_table {
	struct sim_flow *flows; /* by source, destination, bytes, start */
	size_t n;
};

/* Returns 0, or -1 with *err set. Caller: flow_table_release. */
int flow_table_read(const char *path, struct flow_table *out, struct err *err);
void flow_table_release(struct flow_table *t);

/*
 * The unused flow that starts nearest to start_s, and mark it used; NULL when there is none within
 * FLOW_TOLERANCE_S. Of several that start in that nanosecond, as between two hosts with many ranks,
 * the one that ends first: to be asked for in the order in which messages are complete.
 */
struct sim_flow *flow_table_take(struct flow_table *t, unsigned src, unsigned dst, double bytes,
				 double start_s);

#endif
