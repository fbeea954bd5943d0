/* SPDX-License-Identifier: BSD-3-Clause */
/* What calls.def says of collectives, and of calls that make communicators. */
#ifndef INTERPOSE_HOOKS_COLL_H
#define INTERPOSE_HOOKS_COLL_H

#include <limits.h>

#include "interpose/hooks/hooks_count.h"
#include "interpose/job/meetings.h"

struct coll {
	int root;
	uint64_t out, in;
};
#define NO_ROOT                          INT_MIN /* which no MPI calls anything */
#define COLL(root, out, in)              (&(struct coll){root, out, in})
#define BYTES(count, type)               hook_bytes_when(WHEN, count, type)
#define BLOCKS(comm)                     hook_blocks(&s, comm)
#define AT_ROOT(root, comm)              hook_at_root(&s, root, comm)
#define AT_LEAF(root, comm)              hook_at_leaf(&s, root, comm)
#define SUM(comm, counts)                TOTAL(BLOCKS(comm), counts)
#define MEMBERS(comm)                    hook_size(&s, comm) /* of this side */
#define SUM_LOCAL(comm, counts)          TOTAL(MEMBERS(comm), counts)
#define SUMW(comm, counts, types)        TOTALW(BLOCKS(comm), counts, types)
#define OWN(comm, counts)                hook_own(&s, comm, counts, WIDE(counts))
#define SOURCES(comm)                    hook_neighbours(&s, comm).in
#define TARGETS(comm)                    hook_neighbours(&s, comm).out
/* Of n counts of either width. */
#define TOTAL(n, counts)                 TOTAL_NEAR((struct near){.places = n}, counts)
#define TOTALW(n, counts, types)         TOTALW_NEAR((struct near){.places = n}, counts, types)
/* Of counts for neighbours, those that there are. */
#define TOTAL_NEAR(near, counts)         hook_sum(near, counts, WIDE(counts))
#define TOTALW_NEAR(near, counts, types) hook_sumw(WHEN, near, counts, WIDE(counts), types)
#define WIDE(counts)                     (sizeof(*(counts)) == sizeof(MPI_Count))
/* What the call was told is looked at when it has returned. */
#define WHEN                             NULL, ret
/* BYTES() before the call */
#define ASKED(count, type)               hook_bytes_when(&s, MPI_SUCCESS, count, type)

/* Neighbours on one side of a rank; at places that are nobody's arguments count for nothing. */
struct near {
	uint64_t n, places;
	uint64_t nobody; /* a bit for each of the first 64 places that is MPI_PROC_NULL's */
};

struct neighbours {
	struct near in, out;
};

uint64_t hook_blocks(struct scope *s, MPI_Comm comm);
uint64_t hook_size(struct scope *s, MPI_Comm comm);
int hook_at_root(struct scope *s, int root, MPI_Comm comm);
int hook_at_leaf(struct scope *s, int root, MPI_Comm comm);
uint64_t hook_sum(struct near near, const void *counts, int wide);
uint64_t hook_sumw(struct scope *before, int ret, struct near near, const void *counts, int wide,
		   const MPI_Datatype *types);
uint64_t hook_own(struct scope *s, MPI_Comm comm, const void *counts, int wide);
struct neighbours hook_neighbours(struct scope *s, MPI_Comm comm);

/* The same, of a collective: after one that all ranks were in, clocks may be compared. */
static inline void hook_met(struct scope *s, int ret, MPI_Comm comm)
{
	hook_result(s, ret);
	if (__builtin_expect(atomic_load_explicit(&meetings_on, memory_order_relaxed), 0) &&
	    ret == MPI_SUCCESS)
		meetings_count(s->lane, (enum call_id)s->r->call, comm);
}

void hook_coll(struct scope *s, MPI_Comm comm, const struct coll *coll);
/* The same when what it was told can be asked for. */
void hook_size_coll(struct scope *s, const struct coll *coll);
void hook_icoll(struct scope *s, int ret, MPI_Comm comm, const struct coll *coll,
		const MPI_Request *request);
void hook_coll_init(struct scope *s, int ret, MPI_Comm comm, const struct coll *coll,
		    const MPI_Request *request);
void hook_comm(struct scope *s, int ret, MPI_Comm parent, const MPI_Comm *made);
/* MPI_Session_finalize has returned: after the last one there is nothing to record. */
void hook_session_closed(struct scope *s);
void hook_comm_tagged(struct scope *s, int ret, MPI_Comm parent, const MPI_Comm *made,
		      uint64_t tag);
uint64_t hook_text_tag(const char *text);
void hook_renamed(struct scope *s, int ret, MPI_Comm comm);
void hook_comm_idup(struct scope *s, int ret, MPI_Comm parent, const MPI_Comm *made,
		    const MPI_Request *request);

#endif
