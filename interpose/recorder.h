/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The recorder's state: one struct recorder a process, one struct lane a thread.
 *
 * Life cycle: off until MPI_Init has returned (recorder_start), on until
 * MPI_Finalize (recorder_stop) but for pauses (pause.h), or until anything goes wrong
 * (recorder_inert), which is said once and for good: the application runs on as if
 * alone. A child made by fork() is inert too.
 *
 * Threads: each writes its own lane without locks. Tables common to the threads
 * are behind recorder_lock(), which does nothing unless MPI_THREAD_MULTIPLE.
 */
#ifndef INTERPOSE_RECORDER_H
#define INTERPOSE_RECORDER_H

#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>

#include "interpose/arena.h"
#include "interpose/evidence.h"
#include "interpose/log.h"
#include "interpose/mpi4.h"
#include "interpose/queues.h"
#include "interpose/simulated.h"
#include "interpose/ticks.h"

enum call_id {
#define CALL(name, class, params, args, before, after) CALL_##name,
#define SPECIAL(name, class)                           CALL_##name,
#include "interpose/calls.def"
#undef SPECIAL
#undef CALL
	CALL_COUNT
};

/* The job's own MPI, by pointer: nothing here calls MPI by name. */
struct real {
#define CALL(name, class, params, args, before, after)     OF_MPI(name, (*name), params);
#define SOME_MPI(name, class, params, args, before, after) int(*name) params;
#define SPECIAL(name, class)                               __typeof__(MPI_##name) *name;
#define SOME_SPECIAL(name, class, params)                  int(*name) params;
#include "interpose/calls.def"
#undef SPECIAL
#undef CALL
#define REAL(name)              __typeof__(MPI_##name) *name;
#define SOME_REAL(name, params) int(*name) params;
#include "interpose/helpers.def"
#undef REAL
};
extern struct real real __attribute__((visibility("hidden")));

/* What mostly is so, where every call of the program comes by. */
#define USUAL(x) __builtin_expect(!!(x), 1)

struct comm_info;
struct scope;

#define SITE_CACHE  512
#define SITE_GUARDS 6

/*
 * A call path that was unwound: the wrapper's return address and frame, and where on the stack
 * the callers' return addresses lie. As long as they are there it is the same path.
 */
struct site_key {
	uintptr_t ra;
	uintptr_t sp;
	const uintptr_t *slot[SITE_GUARDS]; /* own caller: no guard */
	uintptr_t caller[SITE_GUARDS];
	uint32_t site;
	uint32_t unused[3]; /* a power of two in all: found by a shift */
};

#define FLOOD_ENTRIES 128

/*
 * Failing polls with nothing between them: records that lie in the log one behind the other. The
 * first is the call that stands for all, the others are its parts; each counts polls of its
 * own kind, found again by going round.
 */
struct flood {
	struct record *end; /* behind the last of them */
	unsigned n, turn;   /* the last poll's entry */
	struct record *entry[FLOOD_ENTRIES];
};

struct lane {
	struct log log;
	struct scope *inside; /* the call being recorded; what MPI or its callbacks call is not */
	struct record *call;  /* its record; NULL: not made yet */
	uint32_t thread;
	uint64_t anchor_due; /* tick at which the clock is to be read against again */
	struct flood flood;  /* the failing polls just before, for the next one to join */
	MPI_Comm comm;       /* last communicator looked up ... */
	struct comm_info *info;
	unsigned comm_epoch;
	struct scratch statuses, handles, members;
	int waiting;                    /* requests in handles that are waited for, not taken */
	struct record unseen;           /* in place of the log's while recording pauses */
	struct lane *other;             /* next in recorder.lanes */
	struct lane *parked;            /* next in recorder.parked */
	unsigned victim;                /* the cached call site to give up next */
	uintptr_t stack_low, stack_end; /* of this thread's stack; 0 when not known */
	unsigned long long unloads;     /* of objects, when this cache was emptied last */
	struct site_key sites[SITE_CACHE];
};

/* RECORDER_PAUSED: pause.h; RECORDER_FULL: full.h */
enum recorder_pause { RECORDER_RUNS, RECORDER_PAUSED, RECORDER_FULL };

struct recorder {
	atomic_int on;
	atomic_int paused;  /* enum recorder_pause: not on for now */
	int unlisted;       /* this rank is not one of those to record */
	atomic_int skipped; /* a pause has left out messages that the next ones must tell of */
	atomic_int started; /* recorder_start has run */
	int multiple;       /* MPI_THREAD_MULTIPLE */
	int rank, ranks;
	long depth;        /* frames of call path kept */
	int split_waitall; /* OPTION_SPLIT_WAITALL */
	uint64_t requests; /* last id given out */
	atomic_flag lock;
	atomic_flag parking;        /* guards parked, whatever the thread level */
	struct lane *_Atomic lanes; /* only grows: to be walked without a lock */
	struct lane *parked;        /* of threads that ended: the next new threads go on in them */
	_Atomic uint32_t n_lanes;
	MPI_Comm comm;             /* the tool's own; null unless all ranks are recorded */
	struct log_header *header; /* of the first log: what is said of the process */
	struct evidence evidence;
	struct queues queues;
	char dir[1024]; /* the run directory */
};
extern struct recorder recorder __attribute__((visibility("hidden")));
extern LANE_LOCAL struct lane *lane_self;

/* The call that has made MPI begin: its times, and where it was called from. */
struct init {
	uint64_t enter, leave;
	enum call_id call;
	void *ra;
};

/* Around MPI_Init: claim this rank's log before, start recording after. */
void recorder_claim(void);
void recorder_start(const struct init *init);

/*
 * The same around the first MPI_Session_init, rank and ranks being those of all processes.
 * Other ranks may never come: this rank does without them, and its log stays a log.
 */
void recorder_claim_session(void);
void recorder_start_session(const struct init *init, int rank, int ranks);

/* No session is left, nor a world that was begun beside them. */
void recorder_stop_session(void);

/* In MPI_Finalize, before the real one: no more records; write the archive. */
void recorder_stop(void);

/* Stop for good, with one sentence on stderr (once a job) unless why is NULL. */
void recorder_inert(const char *why);

/* One sentence on stderr, unless the job has said one already. */
void recorder_says_once(const char *why, const char *what);

/* This thread's lane, made at its first call; NULL when inert. */
struct lane *lane_open(void);

/*
 * Room for units more units; NULL when there is none: then events end (full.h), or the recorder goes
 * inert.
 */
struct record *lane_room(struct lane *l, size_t units);

/* A record without times of its own behind the current call; NULL when inert. */
static inline struct record *lane_part(struct lane *l)
{
	struct record *r = l->log.next;

	if (r == l->log.end)
		r = lane_room(l, 1);
	if (r) {
		l->log.next = r + 1;
		r->flags = RECORD_FLAG_PART;
	}
	return r;
}

/*
 * Between two calls, about ten times a second: read the clock against CLOCK_MONOTONIC once more,
 * and what else is due. Returns the time after it.
 */
uint64_t lane_anchor(struct lane *l, uint64_t now);

static inline void spin_lock(atomic_flag *lock)
{
	unsigned spins = 0;

	while (atomic_flag_test_and_set_explicit(lock, memory_order_acquire))
		if (++spins % 100 == 0)
			sched_yield(); /* its owner may need this core */
}

static inline void spin_unlock(atomic_flag *lock)
{
	atomic_flag_clear_explicit(lock, memory_order_release);
}

/* Never held across a call of MPI: that may wait for a thread that waits for this lock. */
static inline void recorder_lock(void)
{
	if (recorder.multiple)
		spin_lock(&recorder.lock);
}

static inline void recorder_unlock(void)
{
	if (recorder.multiple)
		spin_unlock(&recorder.lock);
}

/* The next request id of this process; never 0, never used twice. */
static inline uint64_t recorder_request(void)
{
	return recorder.multiple ? __atomic_add_fetch(&recorder.requests, 1, __ATOMIC_RELAXED)
				 : ++recorder.requests;
}

#endif
