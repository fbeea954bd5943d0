/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The trace in memory: flat tables, filled once by reader.c and const for
 * everybody after clock.c. Times are int64_t ns from the first event of the
 * trace. Ranks are world ranks. All indices are into the tables of one struct
 * trace; TRACE_NONE means "there is none".
 *
 * Any OTF2 archive that follows the MPI conventions fits: ours, Score-P's,
 * EZTrace's, Extrae's. What a foreign archive lacks (call sites, receive
 * requests) is TRACE_NONE or 0, never made up.
 */
#ifndef ANALYZE_TRACE_H
#define ANALYZE_TRACE_H

#include <stddef.h>
#include <stdint.h>

#include "analyze/core_groups.h"
#include "analyze/endpoints.h"
#include "analyze/readings.h"
#include "common/err.h"
#include "common/prefetch.h"

#define TRACE_NONE UINT32_MAX

/* What a region (an MPI function, or one of the user's) is to the analysis. */
enum region_kind {
	REGION_OTHER,      /* not MPI: user code, I/O ... */
	REGION_MPI_LOCAL,  /* MPI, but waits for nobody: Comm_rank, Type_size, Isend ... */
	REGION_SEND,       /* Send, Bsend, Rsend: blocking, may be eager */
	REGION_SSEND,      /* Ssend: returns only after the receive has begun */
	REGION_ISEND,      /* Isend, Issend, Ibsend, Irsend, Start(all) of sends */
	REGION_RECV,       /* Recv, Mrecv */
	REGION_IRECV,      /* Irecv, Imrecv */
	REGION_SENDRECV,   /* Sendrecv, Sendrecv_replace */
	REGION_WAIT,       /* Wait, Waitany: one completion ends the call */
	REGION_WAITALL,    /* Waitall: the last completion ends the call */
	REGION_WAITSOME,   /* Waitsome: at least one */
	REGION_TEST,       /* Test, Testall, Testany, Testsome, Request_get_status: never blocks */
	REGION_PROBE,      /* Probe, Mprobe */
	REGION_IPROBE,     /* Iprobe, Improbe */
	REGION_COLLECTIVE, /* blocking collectives, Comm_dup/split ... */
	REGION_IO,         /* a file, by this rank alone */
	REGION_INIT,       /* Init, Init_thread; any session begun or ended */
	REGION_FINALIZE,
};

/* How a function sends, as far as its kind does not say so. */
enum region_mode {
	REGION_STANDARD,
	REGION_SYNCHRONOUS, /* Issend */
	REGION_BUFFERED,    /* Bsend, Ibsend */
};

struct region {
	char *name;            /* "MPI_Isend" */
	enum region_kind kind; /* from the name (any archive), not from OTF2 roles */
	enum region_mode mode;
	uint8_t is_end;  /* who enters it has communicated */
	uint8_t is_bare; /* another recorder wrote no record in any call of it */
	uint8_t is_of_files;
};

struct site {
	char *path;       /* the call path as recorded (SCHEMA_ATTR_SITE) */
	char *file;       /* resolved by sites.c; NULL = unknown */
	char *function;   /* NULL = unknown */
	unsigned line;    /* 0 = unknown */
	uint32_t frame;   /* where in the path the frame begins that these tell of */
	uint32_t rebuilt; /* 1 + where in it one begins whose object is another build; 0: none */
	uint32_t paths;   /* how many lead here; path is the one with most of the time, */
	double share;     /* so much of it. 0 = not counted */
	/* Functions on that path, each with a tab, file:line if known, a newline; or NULL. */
	char *callers; /* the innermost first */
};

/*
 * An inter-communicator is the ranks of its group A followed by those of group B, and
 * the peers of its records count in that. The self communicator is one per rank.
 */
struct comm {
	char *name;
	uint32_t size;     /* 0 = members unknown */
	uint32_t *members; /* world rank of each rank of the communicator */
	int alone;         /* 1: of one rank, whichever uses it */
	int inter;         /* 1: of two groups */
	int outside; /* 1: with processes that are none of this run's ranks, as spawned ones */
};

/* What recording took of a rank's time, as the recorder measured it; ns. */
struct rank_cost {
	double call_ns;    /* each call; 0 = none of this is said */
	double request_ns; /* each request that was started, beside its calls */
	double poll_ns;    /* each poll of a flood */
	double sites_ns;   /* all finding of call sites */
	double writing_ns; /* all writing of records */
	double aside_ns;   /* all else: clocks compared between calls */
};

/* The messages in MPI's own queue that no receive was posted for, as seen when others completed. */
struct unexpected {
	double looks; /* so often; 0: not known */
	double mean, most;
};

/* What a location's file lacks. */
enum loss {
	LOSS_NONE,
	LOSS_MISSING,     /* there is no event file */
	LOSS_CUT,         /* it ends early */
	LOSS_DAMAGED,     /* something in it is not OTF2's: what is before it is used */
	LOSS_DEFINITIONS, /* what its events' numbers mean is missing or not whole */
};

/* Where a rank's recording ends for it, as if it paused and did not go on. */
struct rank_loss {
	enum loss what;
	uint64_t location;   /* whose file it is */
	uint64_t events, of; /* of it so many are used, of so many that it had, 0: not known */
	int64_t end_ns;      /* of the last one that is used; INT64_MIN: none is */
};

struct rank {
	char *host;     /* name of the node's system tree node */
	uint32_t node;  /* 0 .. nodes-1; TRACE_NONE when absent */
	uint32_t home;  /* 0 .. homes-1: nodes with one host name are one. trace_number_homes() */
	uint32_t clock; /* 0 .. clocks-1; one for a node, and for all nodes with one boot id */
	double crowd;   /* ranks for each core that it competes for; 0: not known. run_cores.h */
	int taken_off;  /* 1: other processes wanted its core, again and again; run_cores.h */
	int64_t core_awaited_ns;      /* a thread of it at most: had no core; 0: not known */
	int64_t core_used_ns;         /* they ran; 0: not known */
	int64_t core_left;            /* how often they gave it up to wait or sleep; likewise */
	int64_t searched_ns;          /* MPI searched its queues; 0: not known. run_queues.h */
	struct unexpected unexpected; /* likewise */
	int64_t clock_error_ns;       /* how far it may be off rank 0's; -1 = not said */
	struct rank_cost cost;
	struct rank_loss loss;
	int64_t begin_ns;    /* first event */
	int64_t end_ns;      /* last event */
	int64_t gone_ns;     /* of the run's end after the last sign of life of it. run_ends.h */
	int is_silent;       /* that is not its end: it may have lived on outside MPI */
	uint32_t calls;      /* this rank's: trace.calls[first_call .. first_call + calls - 1] */
	uint32_t first_call; /* by enter time; threads of a rank are merged */
	uint32_t ops;        /* this rank's records: trace.ops[first_op .. first_op + ops - 1] */
	uint32_t first_op;
	uint32_t requests; /* that were started */
	uint32_t aside; /* requests of windows and files that were begun and not seen to complete */
	uint32_t given; /* requests that a wait was given and never returned; 0: not known */
	uint32_t awaits;    /* to its end: 1 + a rank; 0: none, or it is not known. awaited.h */
	uint32_t awaits_in; /* that call */
	uint32_t completed; /* of its calls those up to the last one in which a request completed */
	uint8_t is_threaded;  /* several threads of it call */
	uint8_t has_ended;    /* it got as far as MPI_Finalize */
	uint8_t is_in_circle; /* of ranks that await each other */
	uint8_t absent;       /* no location stands for it: it ran without the recorder */
};

#define CALL_REGIONS (1u << 20)
#define CALL_THREADS (1u << 10)

/* One outermost MPI call (calls nested in it are not kept), or one user region with MPI's name. */
struct call {
	int64_t enter_ns;
	int64_t leave_ns; /* rank's end if the trace stops inside the call */
	uint32_t rank;
	uint32_t site;        /* index into trace.sites, or TRACE_NONE */
	uint32_t part;        /* index into trace.floods if it is one, else into collectives, as
			* collectives.c set it; or TRACE_NONE */
	uint32_t region : 20; /* index into trace.regions; below CALL_REGIONS */
	uint32_t thread : 10; /* 0 for a rank's first location; the last one for all beyond */
	uint32_t is_flood : 1;
	uint32_t is_of_files : 1; /* it opens, reads or writes files, or completes that */
};

/* The collective that a call takes part in, or TRACE_NONE. */
static inline uint32_t call_collective(const struct call *c)
{
	return c->is_flood ? TRACE_NONE : c->part;
}

/* What a call is that stands for many failing polls in a row. */
struct flood {
	uint64_t polls;
	int64_t inside_ns; /* in these polls and recording them; the rest was the program's own */
	int64_t asleep_ns; /* of that after the last one, the rank slept: matching/dozes.h */
};

enum op_kind {
	OP_SEND,        /* MpiSend */
	OP_RECV,        /* MpiRecv */
	OP_ISEND,       /* MpiIsend: posted */
	OP_ISEND_DONE,  /* MpiIsendComplete */
	OP_IRECV,       /* MpiIrecvRequest: posted; peer and tag: only if it never completes */
	OP_IRECV_DONE,  /* MpiIrecv: completed */
	OP_TEST_FAILED, /* MpiRequestTest; bytes: how many; of several it is when the last began */
	OP_CANCELLED,   /* MpiRequestCancelled */
	OP_FREED,       /* the same of a receive that takes its message, but is not waited for */
	OP_MATCHED,     /* a probe took a message off its channel: request is that of its receive */
	OP_TAKEN,       /* no record: a call that takes a message, of which there is none */
	OP_COLL,        /* MpiCollectiveEnd (peer = root as communicator rank, or -1) */
	OP_NBC_POST,    /* NonBlockingCollectiveRequest */
	OP_NBC_DONE,    /* NonBlockingCollectiveComplete */
	OP_PAUSE,       /* MeasurementOnOff: nothing is recorded from here on ... */
	OP_RESUME,      /* ... to here */
	OP_SKIPPED,     /* receives of a channel that are not recorded in the pause before */
	OP_PUT,         /* RmaPut: comm is the window's, peer the target */
	OP_GET,         /* RmaGet: bytes_in */
	OP_ATOMIC,      /* RmaAtomic: bytes there and bytes_in back */
	OP_EPOCH,  /* RmaGroupSync: begun or ended with the ranks of a group, as the call says */
	OP_LOCK,   /* RmaRequestLock, RmaAcquireLock: peer -1: of all; tag 1: shared */
	OP_UNLOCK, /* RmaReleaseLock */
	OP_ASIDE,  /* a request of a window or file began; of these is kept how many stay open */
	OP_ASIDE_DONE, /* it, or any other operation on one, completed or failed */
};

/*
 * One communication record. The trace has those of collectives, one-sided communication and pauses;
 * those of messages, up to OP_MATCHED and OP_SKIPPED, are joined to its endpoints, and OP_ASIDE
 * counted.
 */
struct op {
	int64_t time_ns;
	uint64_t bytes;    /* sent or received; OP_COLL: sent */
	uint64_t bytes_in; /* OP_COLL, OP_NBC_DONE: received; else 0 */
	uint64_t request; /* unique within a rank; 0 for blocking ones; OP_EPOCH: of trace.groups */
	uint32_t call;    /* the enclosing call, or TRACE_NONE */
	int32_t peer;     /* rank IN THE COMMUNICATOR of the other end (or root); -1 = none */
	int32_t tag;
	uint32_t comm;    /* index into trace.comms */
	uint32_t skipped; /* before it on its channel, not recorded; or SCHEMA_SKIPPED_UNKNOWN */
	uint8_t kind;     /* enum op_kind */
	uint8_t coll_op;  /* OTF2_CollectiveOp for OP_COLL and OP_NBC_* */
	uint8_t unseen;   /* OP_IRECV, OP_IRECV_DONE: it happened in a pause, at another time */
};

/* What it gave and got; no more than a number holds, whatever a damaged archive says. */
static inline uint64_t op_bytes(const struct op *op)
{
	return op->bytes_in > UINT64_MAX - op->bytes ? UINT64_MAX : op->bytes + op->bytes_in;
}

/* Ranks that synchronize, world ranks; TRACE_NONE: one that is not in the trace. */
struct rank_group {
	uint32_t size;
	uint32_t *members;
};

struct trace {
	char *anchor;              /* path of the .otf2 file */
	int64_t wall_ns;           /* last event minus first */
	char *creator;             /* who wrote it, as it says; or NULL */
	uint64_t events;           /* OTF2 event records read */
	uint64_t unread_events;    /* those that other locations say they have: accelerators, ... */
	uint64_t unread_locations; /* ... metrics, processes without MPI */
	double tick_ns;            /* its clock's resolution */
	uint64_t records;          /* of communication among them */
	int assumes_host; /* the archive does not say where ranks ran: on one host, by one clock */
	int assumes_comm; /* the archive defines no communicator: there is one of all ranks */
	int dated; /* completions have times of their own where they came before the call's end */
	uint32_t nodes;
	uint32_t homes;
	uint32_t clocks;
	/* By clock.c: [from clock * clocks + to], see clock_error.h; NULL: too many, or not yet */
	int64_t *pair_error_ns;
	int64_t clock_error_ns; /* the largest of them */
	uint32_t n_ranks;
	uint32_t n_regions;
	uint32_t n_sites;
	uint32_t n_comms;
	uint32_t n_comms_defined; /* the archive's; behind them ranks' own MPI_COMM_SELF, if used */
	uint32_t n_calls;
	uint32_t n_ops;
	uint32_t n_floods;
	uint32_t n_groups;
	struct rank *ranks;
	struct region *regions;
	struct site *sites;
	struct comm *comms;
	struct call *calls; /* sorted by rank, then enter */
	struct op *ops;     /* sorted by rank, then time */
	struct flood *floods;
	struct rank_group *groups;
	struct readings readings;
	struct endpoints ends;          /* once the messages are matched, those open at the end */
	struct core_groups core_groups; /* run_cores.h */
};

static inline enum region_kind trace_call_kind(const struct trace *t, uint32_t call)
{
	return t->regions[t->calls[call].region].kind;
}

/* Does a call of that kind wait for requests? */
static inline int region_waits(enum region_kind kind)
{
	return kind == REGION_WAIT || kind == REGION_WAITALL || kind == REGION_WAITSOME;
}

/* Does it ask, and leave in any case? */
static inline int region_polls(enum region_kind kind)
{
	return kind == REGION_TEST || kind == REGION_IPROBE;
}

static inline int trace_is_poll(const struct trace *t, uint32_t call)
{
	return region_polls(trace_call_kind(t, call));
}

/* The polls that a call stands for; NULL: it is one call. */
static inline const struct flood *trace_flood(const struct trace *t, const struct call *c)
{
	return c->is_flood ? &t->floods[c->part] : NULL;
}

/* Is there a call that polls? */
int trace_has_polls(const struct trace *t);

static inline void trace_fetch_call(const struct trace *t, uint32_t call)
{
	prefetch(&t->calls[call]);
}

/*
 * Does the rank's recording end in this call? By the trace alone: it may have returned just then.
 */
static inline int trace_is_open(const struct trace *t, uint32_t call)
{
	const struct call *c = &t->calls[call];

	return c->leave_ns >= t->ranks[c->rank].end_ns;
}

/* For whom does a call wait to its rank's end? TRACE_NONE: it does not, or that is not known. */
static inline uint32_t trace_awaits(const struct trace *t, uint32_t call)
{
	const struct rank *r = &t->ranks[t->calls[call].rank];

	return r->awaits && r->awaits_in == call ? r->awaits - 1 : TRACE_NONE;
}

/* A call's place: its site, or of one without its function. Below trace_places(). */
static inline uint32_t trace_place(const struct trace *t, uint32_t call)
{
	const struct call *c = &t->calls[call];

	return c->site < t->n_sites ? c->site : t->n_sites + c->region;
}

static inline uint32_t trace_places(const struct trace *t)
{
	return t->n_sites + t->n_regions;
}

/* World rank of a communicator's rank; TRACE_NONE when not known. */
static inline uint32_t trace_world_rank(const struct trace *t, uint32_t comm, int32_t rank)
{
	if (comm >= t->n_comms || rank < 0 || (uint32_t)rank >= t->comms[comm].size)
		return TRACE_NONE;
	return t->comms[comm].members[rank];
}

/*
 * Number the homes of all ranks, whose hosts and nodes are known; without names a node is one.
 * Returns 0, or -1: out of memory.
 */
int trace_number_homes(struct trace *t);

/*
 * By how much the clock of rank b may be ahead of that of rank a, for all that is known, ns; by
 * the messages from a to b, else as the recorder says. INT64_MAX: nothing is known.
 */
int64_t trace_clock_ahead_ns(const struct trace *t, uint32_t a, uint32_t b);

/*
 * Each node has so many cores, for all of its ranks that no group of core_groups has yet; 0: not
 * known. Returns 0, or -1: out of memory.
 */
int trace_set_cores(struct trace *t, double cores);

/* Has this rank to share a core with another one? */
static inline int trace_shares_core(const struct trace *t, uint32_t rank)
{
	return t->ranks[rank].crowd > 1;
}

/* Was this rank without a core at times? Any call of it may then take any time. */
static inline int trace_lacks_core(const struct trace *t, uint32_t rank)
{
	return trace_shares_core(t, rank) || t->ranks[rank].taken_off;
}

/* Was any rank? And has any to share one? */
int trace_any_lacks_core(const struct trace *t);
int trace_any_shares_core(const struct trace *t);

/*
 * How long a rank's recording paused, ns: its call that paused and the one that went on were
 * recorded. Between 0 and the wall time.
 */
int64_t trace_paused_ns(const struct trace *t, uint32_t rank);

/*
 * Before a rank's recording begins with MPI_Init others had begun: until it was started, too, ns
 * from the run's begin on; else 0.
 */
int64_t trace_launch_ns(const struct trace *t, uint32_t rank);

/* Is it the MPI_Init of a rank whose recording began with a pause? That is recorded for its end. */
int trace_is_before_recording(const struct trace *t, uint32_t call);

/* Is the rank absent, or is nothing but MPI's start and end recorded of it before a pause? */
int trace_is_left_out(const struct trace *t, uint32_t rank);

/* Is the rank absent, or does its recording pause? */
int trace_is_unseen_at_times(const struct trace *t, uint32_t rank);

/* May the rank have called MPI after ns, unrecorded: absent, paused, or its log full or damaged? */
int trace_is_unseen_after(const struct trace *t, uint32_t rank, int64_t ns);

/* The rank's time that any share is of, ns: none when it is left out. */
int64_t trace_recorded_ns(const struct trace *t, uint32_t rank);

/* Frees all tables; a zeroed struct trace is fine. */
void trace_release(struct trace *t);
void site_release(struct site *s);

#endif
