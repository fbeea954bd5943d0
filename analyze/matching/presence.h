/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * When was a rank inside MPI? A rank with threads is inside while any of them is.
 * User regions among the calls do not count, nor sleep between polls. Times are the trace's, ns.
 */
#ifndef ANALYZE_PRESENCE_H
#define ANALYZE_PRESENCE_H

#include "analyze/tools/instants.h"
#include "analyze/trace.h"

struct presence {
	const struct trace *t;
	int64_t *
		outside_ns; /* per call: the rank's time outside MPI from its begin to this enter */
	struct instants reach; /* per call: the latest leave of the rank's calls up to this one */
	int64_t *reach_ns;     /* these, unless each is its own leave: NULL */
	int differs;           /* some reach is not the own leave of its call */
	int overlaps;          /* a call began before the ones before it had ended: threads */
	int has_others;        /* there are user regions among the calls */
};

/* Until when the rank was inside of a call of its up to this one, ns. */
static inline int64_t presence_reach_ns(const struct presence *p, uint32_t call)
{
	return instants_at(p->reach, call);
}

/* Fetch what is soon asked about a time near that call: it and the ones beside it. */
static inline void presence_fetch(const struct presence *p, uint32_t call)
{
	const struct call *c = &p->t->calls[call];

	prefetch(c - (call > 0));
	prefetch(c);
	prefetch(c + 1);
}

/* Returns 0, or -1 with *err set (out of memory). t must outlive p. */
int presence_init(struct presence *p, const struct trace *t, struct err *err);
void presence_release(struct presence *p);

/*
 * Time that rank spends outside MPI between from and to, ns; 0 when to <= from. near: a call of
 * it about then, to be found sooner.
 */
int64_t presence_outside_ns(const struct presence *p, uint32_t rank, uint32_t near, int64_t from,
			    int64_t to);

/* About which calls of the rank a while begins and ends. */
struct presence_near {
	uint32_t from, to;
};

/* The same of one while after the other: *near, those of the one before, become this one's. */
int64_t presence_outside_again_ns(const struct presence *p, uint32_t rank,
				  struct presence_near *near, int64_t from, int64_t to);

/* How much of a call lies under earlier calls of its rank, which are other threads', ns. */
int64_t presence_covered_ns(const struct presence *p, uint32_t call);

/* Time outside MPI between the return of a call and the entry of a later one of its rank. */
int64_t presence_between_ns(const struct presence *p, uint32_t call, uint32_t next);

/* The rank's last call that begins at or before when, or TRACE_NONE. near: as above. */
uint32_t presence_call_before(const struct presence *p, uint32_t rank, uint32_t near, int64_t when);

/* First instant >= from at which rank is inside MPI; INT64_MAX when it never is again. */
int64_t presence_next_ns(const struct presence *p, uint32_t rank, uint32_t near, int64_t from);

#endif
