/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Clocks of different nodes, compared. Their leaders (nodes.h) form a binomial tree; each
 * asks its parent, which has asked its own before, for the time: small messages over the
 * tool's own communicator, of which the fastest round trip counts. Half of it, and the
 * parent's own error, bound the error. So the reference takes part in O(log nodes) rounds.
 *
 * All ranks compare after MPI_Init and in MPI_Finalize, without a limit of time. In long runs
 * leaders compare in between too (meetings.c): there each wait ends at a deadline. Messages
 * carry the number of their comparison, and what comes late is passed over by a later one,
 * at the latest that of MPI_Finalize: nothing is left behind.
 */
#ifndef INTERPOSE_OFFSETS_H
#define INTERPOSE_OFFSETS_H

#include "interpose/archive/timeline.h"
#include "interpose/job/nodes.h"
#include "interpose/job/recorder.h"

#define OFFSETS_CHILDREN 31 /* no job has more rounds */
#define OFFSETS_LAST     UINT64_MAX

/* A message between two leaders. */
struct note {
	uint64_t number; /* of the comparison: it goes up */
	uint64_t next;   /* the next comparison's; OFFSETS_LAST: none but MPI_Finalize's */
	int32_t trip;    /* 0: the comparison begins */
	int32_t trips;   /* that will follow */
	int64_t reference_ns;
	int64_t error_ns;
};

/* The way to another leader: one receive posted at most, one send on its way at most. */
struct edge {
	int rank;
	int started; /* recv and send are requests */
	MPI_Request recv, send;
	struct note in, out;
	unsigned failures;
};

struct offsets {
	struct nodes nodes;
	struct edge parent;
	struct edge child[OFFSETS_CHILDREN];
	int children;
	int round;             /* in which the parent has time for this one */
	struct log_offset now; /* as last compared */
};
extern struct offsets offsets;

/* After MPI_Init and in MPI_Finalize: one more offset in the leaders' headers. Collective. */
void offsets_measure(struct log_header *h);

/*
 * In MPI_Finalize: every rank gets its leader's points; a leader's digest holds them.
 * Returns 0, or -1 with *err set. The caller: timeline_release.
 */
int offsets_share(const char *digest, size_t n, struct timeline *out, struct err *err);

/* As child: wait for the beginning of a comparison, ask. As parent: begin, and answer. */
int offsets_await(uint64_t number, int64_t deadline_ns, struct note *begin);
int offsets_ask(const struct note *begin, int64_t deadline_ns);
int offsets_answer(struct edge *child, const struct note *begin, int64_t deadline_ns);

#endif
