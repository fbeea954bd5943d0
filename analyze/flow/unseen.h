/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pauses of the recording between a message's two ends. Both ends are in the trace, so it took as
 * long as it took, but what its ranks did meanwhile is not known: that the receiver was computing,
 * or busy with other messages, is not to be said of a rank that nobody saw. ns.
 */
#ifndef ANALYZE_UNSEEN_H
#define ANALYZE_UNSEEN_H

#include "analyze/trace.h"

struct pause {
	int64_t from_ns, until_ns;
};

/* The pauses of all ranks, those of a rank in order. */
struct unseen {
	uint32_t n; /* 0 in most runs: then nothing is to be judged */
	struct pause *pauses;
	uint32_t *first; /* per rank; one more at the end */
};

/* Returns 0, or -1 with *err set (out of memory). */
int unseen_init(struct unseen *u, const struct trace *t, struct err *err);
void unseen_release(struct unseen *u);

/*
 * From the first pause of src or dst in [from, until) to the end of the last, within it; until
 * before from where neither paused.
 */
struct pause unseen_hull(const struct unseen *u, uint32_t src, uint32_t dst, int64_t from_ns,
			 int64_t until_ns);

#endif
