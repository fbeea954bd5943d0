/* SPDX-License-Identifier: BSD-3-Clause */
#include "interpose/job/cost.h"

#include <string.h>
#include <sys/mman.h>

#include "interpose/hooks/hooks.h"
#include "interpose/objects/requests_plain.h"

#define CALLS   100 /* in a piece, which is much shorter than a time slice */
#define PIECES  16
#define RECORDS (4 * CALLS + 1) /* an exchange has four */

struct cost {
	double call_ns;    /* a call: its call site found, its record filled */
	double request_ns; /* a request: put into the table, taken out, a record of its end */
	double poll_ns;    /* a call that joins a flood */
};

/* A lane of its own, with a log and a communicator. */
struct aside {
	struct lane lane;
	struct comm_info comm;
	struct record records[RECORDS];
};

/* Of two requests that begin and end, and one that never does. No MPI sees them. */
struct handles {
	MPI_Request ends[2], stays;
};

/*
 * In place of MPI: as long as a short call of it. The processor does part of the recorder's work,
 * above all reads the clock, while it waits for MPI's; so what the recorder adds to this is what it
 * adds to a call, and not what it takes alone, which is half as much again.
 */
static inline void work_as_mpi(void)
{
	uint64_t x = 1;
	int i;

	for (i = 0; i < 32; i++)
		__asm__ volatile("imul %0, %0" : "+r"(x));
}

static __attribute__((noinline)) void nothing(const struct handles *h)
{
	(void)h;
	work_as_mpi();
}

#define ENTER(s, call) scope_enter(s, call, __builtin_return_address(0), __builtin_frame_address(0))

/* The null communicator stands for the one that the program used last: see cost_note(). */
static __attribute__((noinline)) void collective(const struct handles *h)
{
	struct scope s;

	(void)h;
	if (!ENTER(&s, CALL_Allreduce))
		return;
	hook_coll(&s, MPI_COMM_NULL, COLL(NO_ROOT, ASKED(1, MPI_INT), ASKED(1, MPI_INT)));
	work_as_mpi();
	scope_returned(&s);
	hook_result(&s, MPI_SUCCESS);
	scope_leave(&s);
}

static __attribute__((noinline)) void probe(void)
{
	struct scope s;

	if (!ENTER(&s, CALL_Iprobe))
		return;
	work_as_mpi();
	scope_returned(&s);
	hook_poll_failed(&s, NOT_A_REQUEST);
	scope_leave(&s);
}

/* Two polls, of either kind. */
static __attribute__((noinline)) void polls(const struct handles *h)
{
	MPI_Status *status;
	struct scope s;

	probe();
	if (!ENTER(&s, CALL_Test))
		return;
	status = hook_wait_one(&s, &h->stays, MPI_STATUS_IGNORE);
	work_as_mpi();
	scope_returned(&s);
	hook_completed_one(&s, MPI_SUCCESS, 0, &h->stays, status);
	scope_leave(&s);
}

static __attribute__((noinline)) void start_receive(const MPI_Request *handle)
{
	struct scope s;

	if (!ENTER(&s, CALL_Irecv))
		return;
	work_as_mpi();
	scope_returned(&s);
	hook_irecv(&s, MPI_SUCCESS, PEER(0, MPI_INT, 0, 1, MPI_COMM_NULL), handle);
	scope_leave(&s);
}

static __attribute__((noinline)) void start_send(const MPI_Request *handle)
{
	struct scope s;

	if (!ENTER(&s, CALL_Isend))
		return;
	work_as_mpi();
	scope_returned(&s);
	hook_isend(&s, MPI_SUCCESS, PEER(1, MPI_INT, 0, 1, MPI_COMM_NULL), handle);
	scope_leave(&s);
}

/* Three calls, in which two requests begin and end. */
static __attribute__((noinline)) void exchange(const struct handles *h)
{
	MPI_Status *statuses;
	struct scope s;

	start_receive(&h->ends[0]);
	start_send(&h->ends[1]);
	if (!ENTER(&s, CALL_Waitall))
		return;
	statuses = hook_wait_all(&s, 2, h->ends, MPI_STATUSES_IGNORE);
	work_as_mpi();
	if (statuses != MPI_STATUSES_IGNORE)
		memset(statuses, 0, 2 * sizeof(*statuses));
	scope_returned(&s);
	hook_completed_all(&s, MPI_SUCCESS, 1, h->ends, statuses);
	scope_leave(&s);
}

static double ns_of(void (*work)(const struct handles *), const struct handles *h, struct aside *a)
{
	struct log_anchor begin;
	int i;

	a->lane.log.next = a->records;
	a->lane.flood.n = 0;
	begin = ticks_anchor();
	for (i = 0; i < CALLS; i++)
		work(h);
	return (double)(ticks_anchor().mono_ns - begin.mono_ns) / CALLS;
}

static double at_least_0(double ns)
{
	return ns > 0 ? ns : 0;
}

/* In its lane: the least of many times, as a busy machine only adds. */
static struct cost measure_in(struct aside *a)
{
	static void (*const works[])(const struct handles *) = {nothing, collective, polls,
								exchange};
	struct request stayed;
	struct handles h;
	double least[4], ns;
	int piece, k;

	memset(&h.ends[0], 0x5a, sizeof(h.ends[0]));
	memset(&h.ends[1], 0x6b, sizeof(h.ends[1]));
	memset(&h.stays, 0x7c, sizeof(h.stays));
	start_receive(&h.stays);
	for (piece = 0; piece < PIECES; piece++) /* pages, caches, call sites: new in the first */
		for (k = 0; k < 4; k++) {
			ns = ns_of(works[k], &h, a);
			if (piece < 2 || ns < least[k])
				least[k] = ns;
		}
	request_remove(h.stays, &stayed);
	return (struct cost){.call_ns = at_least_0(least[1] - least[0]),
			     .poll_ns = at_least_0(least[2] / 2 - least[0]),
			     .request_ns = at_least_0((least[3] - 3 * least[1]) / 2)};
}

/* As measure_in(), with what a call may look at as it is mostly, and left as it was. */
static struct cost measure_aside(struct aside *a)
{
	int skipped = recorder.skipped, looks = recorder.queues.open;
	struct lane *mine = lane_self, *fake = &a->lane;
	uint64_t requests = recorder.requests;
	long depth = recorder.depth;
	struct cost cost;

	fake->log.next = a->records;
	fake->log.end = a->records + RECORDS;
	fake->anchor_due = UINT64_MAX;
	fake->comm = MPI_COMM_NULL;
	fake->comm_epoch = comms_epoch;
	fake->info = &a->comm;
	fake->statuses = mine->statuses;
	fake->handles = mine->handles;
	recorder.depth = 0; /* a call site is unwound once, not with every call */
	recorder.skipped = recorder.queues.open = 0;
	lane_self = fake;
	cost = measure_in(a);
	lane_self = mine;
	recorder.depth = depth;
	recorder.skipped = skipped;
	recorder.queues.open = looks;
	if (!recorder.multiple)
		recorder.requests = requests;
	mine->statuses = fake->statuses;
	mine->handles = fake->handles;
	return cost;
}

void cost_note(struct log_header *h)
{
	struct cost cost;
	void *p = mmap(NULL, sizeof(struct aside), PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		return;
	cost = measure_aside(p);
	munmap(p, sizeof(struct aside));
	h->cost_ns = cost.call_ns;
	h->request_ns = cost.request_ns;
	h->poll_ns = cost.poll_ns;
}
