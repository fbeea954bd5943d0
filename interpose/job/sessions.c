/* SPDX-License-Identifier: BSD-3-Clause */
#include "interpose/job/sessions.h"

#include "interpose/calls/wrap.h"
#include "interpose/hooks/hooks.h"

/* More than these are not asked for groups; they count all the same. */
#define SESSIONS_KNOWN 16

static struct {
	atomic_flag lock;
	MPI_Session known[SESSIONS_KNOWN];
	int n_known, n;
	int first; /* a session has begun the recording */
	int world; /* MPI_Init was called meanwhile, MPI_Finalize not yet */
} sessions = {.lock = ATOMIC_FLAG_INIT};

static void unlock(void)
{
	atomic_flag_clear_explicit(&sessions.lock, memory_order_release);
}

static void add(MPI_Session session)
{
	spin_lock(&sessions.lock);
	if (sessions.n_known < SESSIONS_KNOWN)
		sessions.known[sessions.n_known++] = session;
	sessions.n++;
	unlock();
}

void sessions_closing(const MPI_Session *session)
{
	int i;

	spin_lock(&sessions.lock);
	for (i = 0; i < sessions.n_known; i++)
		if (sessions.known[i] == *session) {
			sessions.known[i] = sessions.known[--sessions.n_known];
			break;
		}
	sessions.n--;
	unlock();
}

/* Is any session left, or a world that was begun beside them? */
static int is_any_left(void)
{
	return !sessions.first || sessions.n > 0 || sessions.world;
}

int sessions_alone(void)
{
	return sessions.first && !sessions.world;
}

void sessions_begin_world(void)
{
	sessions.world = 1;
}

int sessions_end_world(void)
{
	sessions.world = 0;
	return sessions.first && sessions.n > 0;
}

int sessions_group(MPI_Group *all)
{
	if (!real.Group_from_session_pset)
		return -1;
	if (sessions.n_known)
		return real.Group_from_session_pset(sessions.known[0], "mpi://WORLD", all) ? -1 : 0;
	return sessions.world && !real.Comm_group(MPI_COMM_WORLD, all) ? 0 : -1;
}

/* The first session: who is this process among all? */
static void begin(uint64_t enter, void *ra)
{
	struct init init = {enter, ticks_now(), CALL_Session_init, ra};
	MPI_Group all;
	int rank, ranks;

	if (sessions_group(&all))
		return;
	real.Group_rank(all, &rank);
	real.Group_size(all, &ranks);
	real.Group_free(&all);
	sessions.first = 1;
	recorder_start_session(&init, rank, ranks);
}

int wrap_Session_init(MPI_Info info, MPI_Errhandler errors, MPI_Session *session)
{
	static atomic_flag beginning = ATOMIC_FLAG_INIT; /* by one thread */
	void *ra = __builtin_return_address(0);
	uint64_t enter = ticks_now();
	struct scope s;
	int ret, recorded;

	spin_lock(&beginning);
	recorder_claim_session();
	recorded = scope_enter(&s, CALL_Session_init, ra, __builtin_frame_address(0));
	ret = real.Session_init(info, errors, session);
	if (ret == MPI_SUCCESS) {
		add(*session);
		if (!recorded && !recorder.started)
			begin(enter, ra);
	}
	if (recorded) {
		scope_returned(&s);
		scope_leave(&s);
	}
	atomic_flag_clear_explicit(&beginning, memory_order_release);
	return ret;
}

void hook_session_closed(struct scope *s)
{
	(void)s;
	if (!is_any_left())
		recorder_stop_session();
}
