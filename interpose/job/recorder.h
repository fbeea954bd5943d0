/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The recorder's state: one struct recorder a process, one struct lane a thread.
 *
 * Life cycle: off until MPI_Init has returned (recorder_start), on until
 * MPI_Finalize (recorder_stop) but for pauses (pause.h), or until anything goes wrong
 * (recorder_inert), which is said once and for good: the application runs on as if
 * alone. A child made by fork() is inert too.
 *
 * Threads: each writes its own lane without locks (lane.h). Tables common to the threads
 * are behind recorder_lock(), which does nothing unless MPI_THREAD_MULTIPLE.
 */
#ifndef INTERPOSE_RECORDER_H
#define INTERPOSE_RECORDER_H

#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>

#include "interpose/evidence/evidence.h"
#include "interpose/evidence/queues.h"
#include "interpose/job/lane.h"
#include "interpose/log/ticks.h"

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

/* In MPI_Finalize, called from ra, before the real one: no more records; write the archive. */
void recorder_stop(void *ra);

/* Stop for good, with one sentence on stderr (once a job) unless why is NULL. */
void recorder_inert(const char *why);

/* One sentence on stderr, unless the job has said one already. */
void recorder_says_once(const char *why, const char *what);

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
