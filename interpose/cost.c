/* SPDX-License-Identifier: BSD-3-Clause */
#include "interpose/cost.h"

#include <string.h>
#include <sys/mman.h>

#include "interpose/completions.h"
#include "interpose/requests_plain.h"

#define CALLS 400

struct cost {
	double call_ns;    /* a call: its call site found, its record filled */
	double request_ns; /* a request: put into the table, taken out, a record of its end */
	double poll_ns;    /* a call that joins a flood */
};

/*
 * In place of MPI: as long as a short call of it. The processor does part of the recorder's work, above
 * all reads the clock, while it waits for MPI's; so what the recorder adds to this is what
 * it adds to a call, and not what it takes alone, which is half as much again.
 */
static inline void work_as_mpi(void)
{
	uint64_t x = 1;
	int i;

	for (i = 0; i < 32; i++)
		__asm__ volatile("imul %0, %0" : "+r"(x));
}

static __attribute__((noinline)) void nothing(MPI_Request handle)
{
	(void)handle;
	work_as_mpi();
}

#define ENTER(s, call) scope_enter(s, call, __builtin_return_address(0), __builtin_frame_address(0))

static __attribute__((noinline)) void call(MPI_Request handle)
{
	struct scope s;

	(void)handle;
	if (!ENTER(&s, CALL_Barrier))
		return;
	work_as_mpi();
	scope_returned(&s);
	scope_leave(&s);
}

static __attribute__((noinline)) void poll(MPI_Request handle)
{
	struct scope s;

	(void)handle;
	if (!ENTER(&s, CALL_Iprobe))
		return;
	work_as_mpi();
	scope_returned(&s);
	hook_poll_failed(&s, NOT_A_REQUEST);
	scope_leave(&s);
}

static __attribute__((noinline)) void start(MPI_Request handle)
{
	struct scope s;
	struct request *q;

	if (!ENTER(&s, CALL_Isend))
		return;
	work_as_mpi();
	scope_returned(&s);
	q = request_new(handle);
	if (q) {
		*q = (struct request){.id = 1,
				      .thread = lane_self->thread,
				      .kind = REQUEST_SEND,
				      .active = 1,
				      .plain = 1};
		request_ready(handle);
	}
	scope_leave(&s);
}

/* Two calls, in which a request begins and ends. */
static __attribute__((noinline)) void start_and_wait(MPI_Request handle)
{
	struct saved saved = {.handle = handle};
	struct scope s;

	start(handle);
	if (!ENTER(&s, CALL_Wait))
		return;
	if (saved_are_taken(&s))
		request_take(handle, &saved.request);
	work_as_mpi();
	scope_returned(&s);
	saved_complete(&s, &saved, MPI_STATUS_IGNORE);
	scope_leave(&s);
}

static double ns_of(void (*work)(MPI_Request), struct lane *fake)
{
	MPI_Request handle;
	struct log_anchor begin;
	int i;

	memset(&handle, 0x5a, sizeof(handle));
	fake->log.next = (void *)(fake + 1);
	fake->flood.n = 0;
	begin = ticks_anchor();
	for (i = 0; i < CALLS; i++)
		work(handle);
	return (double)(ticks_anchor().mono_ns - begin.mono_ns) / CALLS;
}

static double at_least_0(double ns)
{
	return ns > 0 ? ns : 0;
}

/* In a lane of its own: the least of three times, as a busy machine only adds. */
static struct cost measure_in(struct lane *fake)
{
	static void (*const works[])(MPI_Request) = {nothing, call, poll, start_and_wait};
	double least[4], ns;
	int round, k;

	for (round = 0; round < 4;
	     round++) /* pages, caches and the call sites are new in the first */
		for (k = 0; k < 4; k++) {
			ns = ns_of(works[k], fake);
			if (round < 2 || ns < least[k])
				least[k] = ns;
		}
	return (struct cost){.call_ns = at_least_0(least[1] - least[0]),
			     .poll_ns = at_least_0(least[2] - least[0]),
			     .request_ns = at_least_0(least[3] - 2 * least[1])};
}

void cost_note(struct log_header *h)
{
	struct lane *mine = lane_self, *fake;
	size_t bytes = sizeof(*fake) + (2 * CALLS + 1) * sizeof(struct record);
	struct cost cost;
	void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	long depth = recorder.depth;

	if (p == MAP_FAILED)
		return;
	fake = p;
	fake->log.end = (struct record *)(void *)(fake + 1) + 2 * CALLS + 1;
	fake->anchor_due = UINT64_MAX;
	recorder.depth = 0; /* a call site is unwound once, not with every call */
	lane_self = fake;
	cost = measure_in(fake);
	lane_self = mine;
	recorder.depth = depth;
	munmap(p, bytes);
	h->cost_ns = cost.call_ns;
	h->request_ns = cost.request_ns;
	h->poll_ns = cost.poll_ns;
}
