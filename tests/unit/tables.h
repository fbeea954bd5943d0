/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Traces and message tables made in memory, for unit tests. Calls and messages may be
 * added in any order; a call is named by the handle that tables_call() gave until
 * tables_finish() sorts and renumbers everything as the reader and the matcher would.
 */
#ifndef TESTS_UNIT_TABLES_H
#define TESTS_UNIT_TABLES_H

#include "analyze/attribution/attribution.h"

struct tables {
	struct trace trace;
	struct messages messages;
	struct collectives collectives;
	size_t room_calls;
	size_t room_messages;
};

/* ranks on hosts of per_host ranks each; all share one clock. Aborts on no memory. */
void tables_init(struct tables *x, uint32_t ranks, uint32_t per_host);
void tables_release(struct tables *x);

/* site: any number below 8. */
uint32_t tables_call(struct tables *x, uint32_t rank, enum region_kind kind, int64_t enter_ns,
		     int64_t leave_ns, uint32_t site);

/* A message between ranks given by its calls; send_done may be send_call, and so on. */
void tables_message(struct tables *x, uint64_t bytes, uint32_t send_call, uint32_t send_done,
		    uint32_t recv_call, uint32_t recv_done);

/*
 * A collective without a root that all ranks call: they enter at enter_ns[rank] and leave together.
 */
void tables_collective(struct tables *x, const int64_t *enter_ns, int64_t leave_ns, uint32_t site);

/* Sort, renumber, set the wall time. */
void tables_finish(struct tables *x);

/* A machine of one point per class: L, o_s = o_r = o, g proportional to the bytes. */
struct machine tables_machine(double L_s, double o_s, double g_s_per_byte, uint64_t eager_bytes);

#endif
