/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * When ranks' time went where: the budget's parts in equal pieces of the run. A call's parts are
 * not told apart by time: each is spread evenly over the call. Of a rank of which several threads
 * call, each thread's calls count; the rest, computation, is no less than 0.
 */
#ifndef ANALYZE_OVER_TIME_H
#define ANALYZE_OVER_TIME_H

#include "analyze/attribution/attribution.h"

#define OVER_TIME_PIECES 100 /* at most */

struct over_time {
	uint32_t n;
	int64_t piece_ns;                         /* each; the run may end within the last one */
	int64_t ns[OVER_TIME_PIECES][COST_COUNT]; /* of all ranks */
};

void over_time_find(struct over_time *out, const struct trace *t, const struct attribution *a);

#endif
