/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The message table: sends joined with receives, first in first out per
 * (communicator, source, destination, tag), receives in the order in which they
 * were posted, wildcards by the source and tag of their completion. Partitioned
 * by receiver, so a range of receivers can be matched by itself.
 */
#ifndef ANALYZE_MESSAGES_H
#define ANALYZE_MESSAGES_H

#include "analyze/matching/loose.h"
#include "analyze/trace.h"

/* So many or more, or its receive's completion says more than was sent. */
#define MESSAGE_CUT_UNKNOWN UINT32_MAX

struct message {
	uint64_t bytes; /* sent */
	uint32_t src;   /* world ranks */
	uint32_t dst;
	uint32_t comm;
	int32_t tag;
	uint32_t send_call; /* posts the message (Send, Isend, Start ...) */
	uint32_t send_done; /* completes it; = send_call when blocking; TRACE_NONE: never seen */
	uint32_t recv_call; /* posts the receive (Recv, Irecv ...); TRACE_NONE when not recorded */
	uint32_t recv_done; /* call in which the receive completed; = recv_call when blocking */
	uint32_t place;     /* of send_call: trace_place() */
	uint32_t cut;       /* bytes that its receive had no room for; MESSAGE_CUT_UNKNOWN */
	int64_t sent_ns;    /* send_call was entered */
	int64_t done_ns;    /* the receive was complete: in recv_done, or at its end */
	int64_t send_done_ns; /* the send was complete; nothing when send_done is TRACE_NONE */
	int64_t not_here_ns;  /* last failing Test or Iprobe of it: not there yet; or INT64_MIN */
};

/* A call that completed a receive of what src sent, unrecorded. */
struct unsent {
	uint32_t call;
	uint32_t src;
};

struct messages {
	struct message *m; /* sorted by dst, then completion time */
	uint32_t n;
	uint32_t *by_dst; /* ranks + 1 offsets: messages to r are m[by_dst[r] .. by_dst[r+1]-1] */
	struct message *unanswered; /* unanswered.h; of no interest but to patterns */
	uint32_t n_unanswered;
	uint32_t n_unsent;
	struct unsent *unsent; /* unsent.h */
	uint32_t n_torn;
	uint32_t *torn; /* unsent.h: calls, in order, that completed a receive of no message here */
	uint32_t unmatched_sends;
	uint32_t unmatched_recvs;
	uint32_t one_ended; /* sends and receives whose other end lies in a pause */
	uint32_t cancelled;
	uint32_t ambiguous;      /* several threads of one rank shared a channel */
	uint32_t untold;         /* receives whose message cannot be known: takers.h */
	struct loose_ends loose; /* of those without a partner */
};

/* Was its receive seen to complete before the call returned that completed it? */
static inline int message_is_dated(const struct trace *t, const struct message *m)
{
	return m->done_ns < t->calls[m->recv_done].leave_ns;
}

/*
 * Is it known when its receive was posted? Not if all that the trace has is the call that waited.
 */
static inline int message_is_posted(const struct trace *t, const struct message *m)
{
	enum region_kind kind = trace_call_kind(t, m->recv_done);

	return m->recv_call != TRACE_NONE &&
	       (m->recv_call != m->recv_done || kind == REGION_RECV || kind == REGION_SENDRECV);
}

/* The MPI_Probe or MPI_Mprobe just before its receive, which waited for it; or TRACE_NONE. */
static inline uint32_t message_probe(const struct trace *t, const struct message *m)
{
	const struct call *done = &t->calls[m->recv_done];

	return trace_call_kind(t, m->recv_done) == REGION_RECV &&
			       m->recv_done > t->ranks[m->dst].first_call &&
			       done[-1].thread == done->thread &&
			       trace_call_kind(t, m->recv_done - 1) == REGION_PROBE
		       ? m->recv_done - 1
		       : TRACE_NONE;
}

/* The call in which its receiver began to wait for it, as far as it had not come by then. */
static inline uint32_t message_asked(const struct trace *t, const struct message *m)
{
	uint32_t probe = message_probe(t, m);

	return probe == TRACE_NONE ? m->recv_done : probe;
}

#define MESSAGES_AHEAD 16

/*
 * For passes in order of the table, with each message i: the calls at the ends of those to come
 * are far from each other in memory, and are fetched ahead.
 */
static inline void messages_fetch(const struct trace *t, const struct messages *m, uint32_t i)
{
	const struct message *x = &m->m[i + MESSAGES_AHEAD];

	if (m->n - i <= MESSAGES_AHEAD)
		return;
	trace_fetch_call(t, x->send_call);
	trace_fetch_call(t, x->recv_done);
}

/* For such that ask for all calls of each. */
static inline void messages_fetch_all(const struct trace *t, const struct messages *m, uint32_t i)
{
	const struct message *x = &m->m[i + MESSAGES_AHEAD];

	messages_fetch(t, m, i);
	if (m->n - i <= MESSAGES_AHEAD)
		return;
	if (x->send_done != TRACE_NONE)
		trace_fetch_call(t, x->send_done);
	if (x->recv_call != TRACE_NONE)
		trace_fetch_call(t, x->recv_call);
}

/*
 * For passes in another order, n long, at its place k: the messages themselves, both lines of each.
 */
static inline void messages_fetch_in(const struct messages *m, const uint32_t *order, uint32_t n,
				     uint32_t k)
{
	const struct message *x;

	if (n - k <= 2 * MESSAGES_AHEAD)
		return;
	x = &m->m[order[k + 2 * MESSAGES_AHEAD]];
	prefetch(x);
	prefetch(&x->sent_ns);
}

/*
 * Match all of t's point-to-point operations. Unmatched tails (a killed run) are
 * counted, not errors; so are operations whose partner, communicator or call is not
 * in the trace. Returns 0, or -1 with *err set (out of memory). Caller frees with
 * messages_release.
 */
int messages_match(const struct trace *t, struct messages *out, struct err *err);
/* How many the rank has that receives most of all. */
uint32_t messages_most(const struct messages *m, uint32_t ranks);

void messages_release(struct messages *m);

#endif
