/* SPDX-License-Identifier: BSD-3-Clause */
#include "interpose/job/recorder.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/options.h"
#include "common/schema.h"
#include "common/steady.h"
#include "interpose/hooks/callsite.h"
#include "interpose/hooks/left.h"
#include "interpose/job/cost.h"
#include "interpose/job/early.h"
#include "interpose/job/finish.h"
#include "interpose/job/full.h"
#include "interpose/job/launch.h"
#include "interpose/job/meetings.h"
#include "interpose/job/pause.h"
#include "interpose/job/process.h"
#include "interpose/job/world.h"
#include "interpose/objects/comms.h"
#include "interpose/objects/sizes.h"
#include "interpose/objects/windows.h"

struct recorder recorder = {
	.lock = ATOMIC_FLAG_INIT, .parking = ATOMIC_FLAG_INIT, .comm = MPI_COMM_NULL};
struct real real;
LANE_LOCAL struct lane *lane_self;

static struct launch launch;
static struct log first_log; /* claimed before MPI_Init */
static pthread_key_t lane_key;
static int has_lane_key;
static atomic_int refused; /* no log for one more thread */

/* In a child of fork(): the parent's logs are not ours to write. */
static void in_child(void)
{
	recorder.on = recorder.paused = recorder.started = 0;
	recorder.comm = MPI_COMM_NULL;
	early_stop();
}

/* Is this the first process of the job to speak? A marker in the log folder decides. */
static int first_to_speak(void)
{
	char path[sizeof(recorder.dir) + 32];
	int fd;

	if (recorder.dir[0]) {
		snprintf(path, sizeof(path), "%s/" SCHEMA_LOG_DIR "/" SCHEMA_MARK_INERT,
			 recorder.dir);
		fd = steady_open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
		if (fd >= 0) {
			close(fd);
			return 1;
		}
		if (errno == EEXIST)
			return 0;
	}
	return launch.rank == 0;
}

void recorder_says_once(const char *why, const char *what)
{
	if (first_to_speak())
		dprintf(STDERR_FILENO, "contend: %s; %s, the program runs on\n", why, what);
}

void recorder_inert(const char *why)
{
	int saved = errno;

	recorder.on = 0;
	recorder.paused = 0;
	if (why)
		recorder_says_once(why, "recording stops here");
	errno = saved;
}

/* A thread ends: its lane waits for another. */
static void park_lane(void *lane)
{
	struct lane *l = lane;

	if (!recorder.started)
		return;
	left_for_good(l);
	evidence_read_last(l);
	lane_self = NULL;
	l->info = NULL;
	/* Threads may end at the same time whatever MPI allows them to call. */
	spin_lock(&recorder.parking);
	l->parked = recorder.parked;
	recorder.parked = l;
	spin_unlock(&recorder.parking);
}

static struct lane *unpark_lane(void)
{
	struct lane *l;

	spin_lock(&recorder.parking);
	l = recorder.parked;
	if (l)
		recorder.parked = l->parked;
	spin_unlock(&recorder.parking);
	return l;
}

static void own_lane(struct lane *l)
{
	lane_self = l;
	if (l && has_lane_key)
		pthread_setspecific(lane_key, l);
}

/* A lane on a log that exists; NULL without memory. */
static struct lane *lane_new(const struct log *log, uint32_t thread)
{
	struct lane *l;

	recorder_lock();
	l = arena_alloc(sizeof(*l));
	if (l) {
		l->log = *log;
		full_limit(&l->log);
		l->thread = thread;
		l->other = recorder.lanes;
		recorder.lanes = l;
		recorder.header->threads++;
	}
	recorder_unlock();
	own_lane(l);
	return l;
}

struct lane *lane_open(void)
{
	char path[sizeof(recorder.dir) + 64];
	struct log log;
	struct err err;
	struct lane *l = unpark_lane();
	uint32_t thread;
	int saved = errno;

	if (l) {
		memset(l->sites, 0, sizeof(l->sites)); /* another stack */
		l->stack_low = l->stack_end = 0;
		l->flood.n = 0;
		own_lane(l);
		return l;
	}
	if (refused)
		return NULL;
	thread = recorder.n_lanes++;
	launch_log_path(path, sizeof(path), recorder.dir, recorder.rank, thread);
	if (log_create(&log, path, &err)) {
		refused = 1;
		if (recorder.paused == RECORDER_FULL)
			recorder.header->full = LOG_FULL_DISK;
		else
			recorder_inert(err.text);
		errno = saved;
		return NULL;
	}
	process_describe(log.header, thread);
	errno = saved;
	return lane_new(&log, thread);
}

static struct lane *my_lane(void)
{
	return !recorder.on ? NULL : lane_self ? lane_self : lane_open();
}

void recorder_claim(void)
{
	struct err err;

	if (recorder.started || recorder.dir[0])
		return;
	launch_read(&launch);
	recorder.rank = launch.rank;
	recorder.ranks = launch.ranks;
	recorder.depth = 16;
	recorder.split_waitall = option_is_on(OPTION_SPLIT_WAITALL);
	if (option_number(OPTION_DEPTH, 0, SITE_FRAMES_MAX, &recorder.depth, &err) ||
	    pause_options(recorder.rank, &err) || full_options(&err) ||
	    launch_claim(&launch, &first_log, sizeof(recorder.dir), recorder.dir, &err)) {
		recorder_inert(err.text);
		recorder.dir[0] = '\0';
		return;
	}
	process_describe(first_log.header, 0);
}

/* A call that could not be followed as it went; NULL when inert. */
static struct record *note_call(struct lane *l, enum record_kind kind, const struct init *init)
{
	uint32_t site = l ? site_unwind(l, (uintptr_t)init->ra, NULL) : SITE_UNKNOWN;
	struct record *r = l ? lane_room(l, 1) : NULL;

	if (!r)
		return NULL;
	l->log.next++;
	r->enter = init->enter;
	r->leave = init->leave;
	r->call = (uint16_t)init->call;
	r->site = site;
	r->kind = (uint8_t)kind;
	return r;
}

/* Recording begins: the first lane, and in it the call that has made MPI begin. */
static struct lane *begin(const struct init *init)
{
	struct lane *l;
	struct record *r;

	pause_check_ranks(recorder.ranks);
	full_check();
	has_lane_key = !SIMULATED && !pthread_key_create(&lane_key, park_lane);
	l = lane_new(&first_log, recorder.n_lanes++);
	if (!l) {
		recorder_inert("out of memory");
		return NULL;
	}
	l->inside = LANE_BUSY;
	recorder.on = 1;
	r = note_call(l, RECORD_CALL, init);
	if (r)
		pause_at_start(r);
	pthread_atfork(NULL, NULL, in_child);
	early_start();
	recorder.started = 1;
	return l;
}

void recorder_start(const struct init *init)
{
	struct err err;
	struct lane *l;

	if (recorder.started && recorder.on) { /* by a session */
		note_call(my_lane(), RECORD_CALL, init);
		return;
	}
	if (!recorder.dir[0] || recorder.started)
		return;
	recorder.header = first_log.header;
	world_join(&launch);
	if (world_check(&launch, &err)) {
		recorder_inert(err.text);
		launch_withdraw(&launch, recorder.dir);
		return;
	}
	l = begin(init);
	if (!l)
		return;
	if (comms_start())
		recorder_inert("MPI refuses attributes on MPI_COMM_WORLD");
	sizes_start();
	queues_start();
	evidence_start();
	windows_start();
	meetings_start();
	cost_note(recorder.header); /* a job that is killed has this one */
	if (recorder.rank == 0 && !world_was_spawned())
		launch_link_latest(recorder.dir);
	l->inside = NULL;
}

/* Nothing is said to the other ranks: whether they are there is not known. */
void recorder_start_session(const struct init *init, int rank, int ranks)
{
	struct lane *l;

	if (!recorder.dir[0] || recorder.started)
		return;
	recorder.header = first_log.header;
	if (rank != launch.rank || (launch.ranks && ranks != launch.ranks)) {
		recorder_inert("the launcher's environment and MPI's sessions disagree on ranks");
		return;
	}
	recorder.ranks = ranks;
	first_log.header->ranks = (uint32_t)ranks;
	process_name_mpi(first_log.header);
	recorder.multiple = 1; /* another session may be one of threads */
	l = begin(init);
	if (!l)
		return;
	if (comms_start_session())
		recorder_inert("MPI refuses attributes on communicators");
	sizes_start();
	evidence_start();
	windows_start();
	cost_note(recorder.header);
	if (rank == 0)
		launch_link_latest(recorder.dir);
	l->inside = NULL;
}

void recorder_claim_session(void)
{
	if (recorder.started || recorder.dir[0])
		return;
	recorder_claim();
	if (recorder.dir[0])
		launch_leave_part(recorder.dir);
}

void recorder_stop_session(void)
{
	pause_end();
	full_end();
	evidence_stop();
	finish_job();
	launch_forget(&launch, recorder.dir, recorder.ranks);
	recorder.on = 0;
	recorder.started = 0;
}

void recorder_stop(void *ra)
{
	struct lane *l;
	struct record *r;
	int resumed;

	if (!recorder.started && recorder.comm == MPI_COMM_NULL)
		return;
	resumed = pause_end() || full_end();
	l = my_lane();
	if (l) {
		left_for_good(l);
		l->inside = LANE_BUSY;
	}
	r = note_call(l, resumed ? RECORD_RESUME : RECORD_CALL,
		      &(struct init){.enter = ticks_now(), .call = CALL_Finalize, .ra = ra});
	if (recorder.comm != MPI_COMM_NULL)
		real.Barrier(recorder.comm);
	else
		launch_forget_without_first(&launch, recorder.dir);
	if (r)
		r->leave = ticks_now();
	evidence_stop();
	finish_job();
	recorder.on = 0;
	recorder.started = 0;
}
