/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the rows of calls.def say of a call: hooks run between its entry and the
 * real function ("before") and after that has returned ("after"). They fill the
 * call's record, follow requests and communicators, and never touch what the
 * application sees; a hook that returns a status replaces an ignored one by the
 * lane's own so that source, tag and size can be read.
 */
#ifndef INTERPOSE_HOOKS_H
#define INTERPOSE_HOOKS_H

#include "interpose/callsite.h"
#include "interpose/comms.h"
#include "interpose/left.h"
#include "interpose/meetings.h"
#include "interpose/recorder.h"
#include "interpose/requests.h"
#include "interpose/sessions.h"
#include "interpose/sizes.h"
#include "interpose/skipped.h"

/* Is a call recorded? If not, its record is the lane's unseen, which nobody keeps. */
enum scope_off { SCOPE_ON, SCOPE_PAUSED, SCOPE_COUNTED };

/* One call being recorded. */
struct scope {
	struct lane *lane;
	struct record *r;
	int off;                 /* enum scope_off */
	int filled;              /* r holds a completion: the next one is a part */
	int watched;             /* the saved requests were watched, see hooks_watch.c */
	uint64_t done;           /* when the next part completed; 0: when the call returned */
	int count;               /* of saved requests */
	struct file *file;       /* being closed */
	struct record *kept;     /* of a counted call that is in the log: its record */
	struct log_total *total; /* of a counted call */
	MPI_Request handle;      /* one saved request ... */
	struct request request;
};

/* Many saved requests, in lane->handles. */
struct saved {
	MPI_Request handle;
	int nth;       /* of a watched call: which request was the nth to complete */
	uint64_t done; /* and when this one did, in ticks; 0: not known */
	struct request request;
#ifdef CONTEND_SIMULATED
	MPI_Status status; /* of a watched call: as it was when this one completed */
#endif
};

/*
 * The other end of a point-to-point call. Rank and tag are apart: side by side, as in a record,
 * they are copied as one word, and that has to wait until both halves' stores are done.
 */
struct peer {
	int rank;
	MPI_Comm comm;
	MPI_Datatype type;
	MPI_Count count;
	int tag;
};
#define PEER(count, type, rank, tag, comm) (&(struct peer){rank, comm, type, count, tag})

/* What a call for any or some of its requests says is complete: how many, and which. */
struct some {
	const int *n, *indices;
};
#define SOME(n, indices) ((struct some){n, indices})
#define ONE              (&(const int){1})

struct coll {
	int root;
	uint64_t out, in;
};
#define NO_ROOT                   (-1)
#define COLL(root, out, in)       (&(struct coll){root, out, in})
#define BYTES(count, type)        hook_bytes(count, type)
#define BLOCKS(comm)              hook_blocks(&s, comm)
#define AT_ROOT(root, comm)       hook_at_root(&s, root, comm)
#define AT_LEAF(root, comm)       hook_at_leaf(&s, root, comm)
#define SUM(comm, counts)         TOTAL(BLOCKS(comm), counts)
#define SUM_LOCAL(comm, counts)   TOTAL(hook_size(&s, comm), counts)
#define SUMW(comm, counts, types) TOTALW(BLOCKS(comm), counts, types)
#define OWN(comm, counts)         hook_own(&s, comm, counts, WIDE(counts))
#define NEIGHBOURS(comm)          hook_neighbours(comm)
/* Of n counts of either width. */
#define TOTAL(n, counts)          hook_sum(n, counts, WIDE(counts))
#define TOTALW(n, counts, types)  hook_sumw(n, counts, WIDE(counts), types)
#define WIDE(counts)              (sizeof(*(counts)) == sizeof(MPI_Count))

struct degrees {
	uint64_t in, out;
};

uint64_t hook_blocks(struct scope *s, MPI_Comm comm);
uint64_t hook_size(struct scope *s, MPI_Comm comm);
int hook_at_root(struct scope *s, int root, MPI_Comm comm);
int hook_at_leaf(struct scope *s, int root, MPI_Comm comm);
uint64_t hook_sum(uint64_t n, const void *counts, int wide);
uint64_t hook_sumw(uint64_t n, const void *counts, int wide, const MPI_Datatype *types);
uint64_t hook_own(struct scope *s, MPI_Comm comm, const void *counts, int wide);
struct degrees hook_neighbours(MPI_Comm comm);

/* Of elements whose size no int can hold. */
uint64_t hook_large_bytes(MPI_Count count, MPI_Datatype type);

static inline uint64_t hook_bytes(MPI_Count count, MPI_Datatype type)
{
	int size = size_of_type(type);

	if (size && count > 0)
		return (uint64_t)count * (uint64_t)size;
	if (count <= 0 || type == MPI_DATATYPE_NULL || real.Type_size(type, &size))
		return 0;
	if (size < 0)
		return hook_large_bytes(count, type);
	return (uint64_t)count * (uint64_t)size;
}

static inline void hook_none(void)
{
}

/* Did this error code's call, or request, bring a message all the same, one cut to the buffer? */
static inline int hook_is_cut(int code)
{
	int class = MPI_SUCCESS;

	return code != MPI_SUCCESS && !real.Error_class(code, &class) && class == MPI_ERR_TRUNCATE;
}

/* A call that failed did nothing worth more than its time. */
void hook_failed(struct scope *s);

static inline void hook_result(struct scope *s, int ret)
{
	if (ret != MPI_SUCCESS)
		hook_failed(s);
}

/*
 * One more send or collective on a channel: counted in a pause, else it says how many were
 * counted before it.
 */
static inline uint32_t hook_on_channel(struct scope *s, enum skipped_way way, uint32_t comm,
				       int peer, int tag)
{
	struct skipped_channel c = {way, comm, peer, tag};

	if (__builtin_expect(s->off, 0)) {
		if (s->off == SCOPE_PAUSED)
			skipped_add(&c, 1);
	} else if (__builtin_expect(recorder.skipped, 0))
		return skipped_take(&c);
	return 0;
}

/* Bytes to send, if anybody will hear of them. */
static inline uint64_t hook_bytes_of(const struct scope *s, MPI_Count count, MPI_Datatype type)
{
	return s->off == SCOPE_PAUSED ? 0 : hook_bytes(count, type);
}

/* A message goes or has come; a collective gives and takes bytes. */
static inline void hook_count_sent(struct scope *s, uint64_t bytes)
{
	if (__builtin_expect(s->off == SCOPE_COUNTED, 0)) {
		s->total->sent++;
		s->total->sent_bytes += bytes;
	}
}

static inline void hook_count_received(struct scope *s, uint64_t bytes)
{
	if (__builtin_expect(s->off == SCOPE_COUNTED, 0)) {
		s->total->received++;
		s->total->received_bytes += bytes;
	}
}

static inline void hook_count_coll(struct scope *s, uint64_t out, uint64_t in)
{
	if (__builtin_expect(s->off == SCOPE_COUNTED, 0)) {
		s->total->sent_bytes += out;
		s->total->received_bytes += in;
	}
}

/* The record of something more that this call did; NULL when inert. */
static inline struct record *scope_part(struct scope *s)
{
	return s->off ? s->r : lane_part(s->lane);
}

/* The same, of a collective: after one that all ranks were in, clocks may be compared. */
static inline void hook_met(struct scope *s, int ret, MPI_Comm comm)
{
	hook_result(s, ret);
	if (__builtin_expect(meetings_on, 0) && ret == MPI_SUCCESS)
		meetings_count(s->lane, (enum call_id)s->r->call, comm);
}

/* Point to point: hooks_p2p.c */
void hook_send(struct scope *s, MPI_Count count, MPI_Datatype type, int dest, int tag,
	       MPI_Comm comm);
MPI_Status *hook_recv(struct scope *s, int source, int tag, MPI_Comm comm, MPI_Status *status);
void hook_received(struct scope *s, int ret, MPI_Status *status);
MPI_Status *hook_sendrecv(struct scope *s, MPI_Count count, MPI_Datatype type, int dest, int tag,
			  MPI_Comm comm, MPI_Status *status);
void hook_sendreceived(struct scope *s, int ret, int source, MPI_Comm comm, MPI_Status *status);
void hook_isend(struct scope *s, int ret, const struct peer *peer, const MPI_Request *request);
void hook_irecv(struct scope *s, int ret, const struct peer *peer, const MPI_Request *request);
void hook_isendrecv(struct scope *s, int ret, const struct peer *to, const struct peer *from,
		    const MPI_Request *request);
void hook_send_init(struct scope *s, int ret, const struct peer *peer, const MPI_Request *request);
void hook_recv_init(struct scope *s, int ret, const struct peer *peer, const MPI_Request *request);
void hook_starting(struct scope *s, int count, const MPI_Request *requests);
void hook_started(struct scope *s, int ret, int count, const MPI_Request *requests);
void hook_probe(struct scope *s, int source, int tag, MPI_Comm comm);
void hook_probed(struct scope *s, int ret, int flag);
void hook_matched(struct scope *s, int ret, int flag, MPI_Comm comm, const MPI_Message *message);
void hook_take_message(struct scope *s, const MPI_Message *message);
MPI_Status *hook_mrecv(struct scope *s, const MPI_Message *message, MPI_Status *status);
void hook_mreceived(struct scope *s, int ret, MPI_Status *status);
void hook_imrecv(struct scope *s, int ret, const MPI_Request *request);

/* Completion: hooks_wait.c */
MPI_Status *hook_wait_one(struct scope *s, const MPI_Request *request, MPI_Status *status);
void hook_completed_one(struct scope *s, int ret, int flag, const MPI_Request *request,
			MPI_Status *status);
void hook_looked_at(struct scope *s, int ret, int flag, MPI_Request request);
MPI_Status *hook_wait_all(struct scope *s, int count, const MPI_Request *requests,
			  MPI_Status *statuses);
MPI_Status *hook_watch_all(struct scope *s, int count, const MPI_Request *requests,
			   MPI_Status *statuses);
/* What the watched ones' statuses were, when the Waitall found nothing left to do. */
#ifdef CONTEND_SIMULATED
void hook_watched_statuses(const struct scope *s, MPI_Status *statuses);
#else
static inline void hook_watched_statuses(const struct scope *s, MPI_Status *statuses)
{
	(void)s, (void)statuses;
}
#endif
void hook_completed_all(struct scope *s, int ret, int flag, const MPI_Request *requests,
			MPI_Status *statuses);
MPI_Status *hook_wait_any(struct scope *s, int count, const MPI_Request *requests,
			  MPI_Status *status);
void hook_completed_any(struct scope *s, int ret, struct some some, const MPI_Request *requests,
			MPI_Status *status);
MPI_Status *hook_wait_some(struct scope *s, int count, const MPI_Request *requests,
			   MPI_Status *statuses);
void hook_completed_some(struct scope *s, int ret, struct some some, const MPI_Request *requests,
			 MPI_Status *statuses);
/* What l's thread waits for is not known any more: the call was left, see left.h. */
void hook_left(struct lane *l);
void hook_free(struct scope *s, const MPI_Request *request);
void hook_request_freed(struct scope *s, int ret);
void hook_cancel(struct scope *s, const MPI_Request *request);

/*
 * Nothing there yet: hooks_poll.c. The failing polls of a busy loop are one flood, one call in the
 * log however many they are, with an entry for each (call, site, request) that takes part.
 */
#define NOT_A_REQUEST ((struct polled){.id = 0})
void hook_poll_failed(struct scope *s, struct polled of);

/* The lane's own status(es) in place of ignored ones. */
MPI_Status *hook_status(struct scope *s, MPI_Status *status);
MPI_Status *hook_statuses(struct scope *s, int count, MPI_Status *statuses);

/* Bytes that a receive brought, whatever its datatype. */
uint64_t hook_status_bytes(MPI_Status *status);

/* Collectives and communicators: hooks_coll.c */
void hook_coll(struct scope *s, MPI_Comm comm, const struct coll *coll);
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
void hook_comm_idup(struct scope *s, int ret, MPI_Comm parent, MPI_Comm *made,
		    const MPI_Request *request);

/*
 * Enter: returns 0 when this call is not to be recorded (off, or inside another
 * MPI call). ra and frame are the wrapper's.
 */
int scope_enter(struct scope *s, enum call_id call, void *ra, void *frame);

/*
 * Enter in a pause: returns 0 when there is none, or inside another MPI call. The hooks are to
 * be called as ever; nothing is kept but what counts. pause.c.
 */
int scope_enter_off(struct scope *s, enum call_id call, void *ra, void *frame);

static inline int scope_off(struct scope *s, enum call_id call, void *ra, void *frame)
{
	return recorder.paused && scope_enter_off(s, call, ra, frame);
}

/* The real function has returned. */
void scope_returned_off(struct scope *s);

/* The real function has returned. */
static inline void scope_returned(struct scope *s)
{
	s->r->leave = ticks_now();
}

static inline void scope_leave(struct scope *s)
{
	s->lane->inside = NULL;
}

#endif
