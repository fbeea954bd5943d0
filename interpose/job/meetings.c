/* SPDX-License-Identifier: BSD-3-Clause */
#include "interpose/job/meetings.h"

#include <errno.h>

#include "common/options.h"
#include "interpose/job/offsets.h"
#include "interpose/objects/comms.h"

#define ROUND_TRIPS  8
#define PATIENCE_NS  INT64_C(50000000) /* for one other leader */
#define FAILURES_MAX 3
#define STRIDE_MAX   4096 /* a program that becomes slow is noticed within so many */

atomic_int meetings_on;

static struct {
	atomic_flag busy; /* a thread is counting, or at a meeting */
	uint64_t count;   /* collectives of all ranks so far */
	uint64_t at;      /* the count of the next meeting */
	uint64_t seen;    /* number of the last that was begun by the parent */
	uint64_t stride;  /* from the last to the next */
	unsigned failures;
	int64_t interval_ns;
	int64_t met_ns;      /* rank 0: when the last meeting was ... */
	int64_t compared_ns; /* ... and the last comparison */
} m = {.busy = ATOMIC_FLAG_INIT};

static int64_t now_ns(void)
{
	return ticks_clock_ns(CLOCK_MONOTONIC);
}

void meetings_start(void)
{
	long interval_s = 0;
	struct err err;

	if (option_number(OPTION_CLOCK_INTERVAL, 0, 86400, &interval_s, &err)) {
		recorder_inert(err.text);
		return;
	}
	if (interval_s == 0 || recorder.comm == MPI_COMM_NULL || !offsets.nodes.leaders ||
	    offsets.nodes.n < 2)
		return;
	m.interval_ns = interval_s * INT64_C(1000000000);
	m.at = m.stride = 1;
	m.met_ns = m.compared_ns = now_ns();
	meetings_on = 1;
}

/* What was measured goes into the log. */
static void keep_offset(struct lane *l)
{
	const struct log_offset *o = &offsets.now;
	struct record *r = recorder.paused == RECORDER_FULL ? NULL : lane_room(l, 1);

	if (!r)
		return;
	l->log.next = r + 1;
	l->flood.n = 0;
	r->enter = o->tick;
	r->request = (uint64_t)o->mono_ns;
	r->bytes = (uint64_t)o->offset_ns;
	r->bytes_in = (uint64_t)o->error_ns;
	atomic_signal_fence(memory_order_release);
	r->kind = RECORD_DEF_OFFSET;
}

/* Rank 0: four meetings an interval, at the pace of the program since the last. */
static void call_meeting(struct note *begin)
{
	int64_t now = now_ns();
	double pace = (double)m.stride / (double)(now - m.met_ns + 1);
	double stride = pace * (double)m.interval_ns / 4;
	double most = 4.0 * (double)m.stride;

	stride = stride < most ? stride : most;
	stride = stride < STRIDE_MAX ? stride : STRIDE_MAX;
	m.stride = stride > 1 ? (uint64_t)stride : 1;
	m.met_ns = now;
	*begin = (struct note){.number = m.count, .next = m.count + m.stride};
	if (now - m.compared_ns >= m.interval_ns) {
		struct log_anchor anchor = ticks_anchor();

		begin->trips = ROUND_TRIPS;
		m.compared_ns = now;
		offsets.now = (struct log_offset){.tick = anchor.tick, .mono_ns = anchor.mono_ns};
	}
}

/*
 * Others: what the parent says of this meeting. One that was missed says when the next is.
 * Returns 0, or -1 when there is none now.
 */
static int attend_meeting(struct note *begin)
{
	int64_t deadline = now_ns() + (offsets.round + 1) * PATIENCE_NS;

	do {
		if (offsets_await(m.seen + 1, deadline, begin)) {
			meetings_on = ++m.failures < FAILURES_MAX;
			m.at = m.count + m.stride;
			return -1;
		}
		m.seen = begin->number;
		m.at = begin->next;
		m.stride = begin->next - begin->number;
	} while (m.at <= m.count);
	if (begin->number != m.count)
		return begin->next == OFFSETS_LAST ? 0 : -1;
	if (begin->trips && offsets_ask(begin, now_ns() + PATIENCE_NS)) {
		meetings_on = ++m.failures < FAILURES_MAX;
		begin->trips = 0; /* the children have nobody to ask */
	}
	return 0;
}

static void hold_meeting(struct lane *l)
{
	int64_t before = now_ns();
	struct note begin;
	int i, saved = errno;

	if (offsets.nodes.index == 0) {
		call_meeting(&begin);
	} else if (attend_meeting(&begin)) {
		goto out;
	}
	m.at = begin.next;
	if (begin.trips)
		keep_offset(l);
	for (i = 0; i < offsets.children; i++) {
		struct edge *child = &offsets.child[i];
		struct note last = {.number = m.count, .next = OFFSETS_LAST};

		if (child->failures >= FAILURES_MAX)
			continue;
		if (offsets_answer(child, &begin, now_ns() + PATIENCE_NS) &&
		    ++child->failures >= FAILURES_MAX)
			offsets_answer(child, &last, now_ns());
	}
	if (begin.next == OFFSETS_LAST)
		meetings_on = 0;
out:
	recorder.header->aside_ns += now_ns() - before;
	errno = saved;
}

/* Does the call let no rank go before all have come? */
static int is_for_all(enum call_id call)
{
	switch (call) {
	case CALL_Barrier:
	case CALL_Allgather:
	case CALL_Allgatherv:
	case CALL_Alltoall:
	case CALL_Alltoallv:
	case CALL_Alltoallw:
	case CALL_Allreduce:
	case CALL_Reduce_scatter:
	case CALL_Reduce_scatter_block:
		return 1;
	default:
		return 0;
	}
}

void meetings_count(struct lane *l, enum call_id call, MPI_Comm comm)
{
	const struct comm_info *info;

	if (!is_for_all(call) || (recorder.multiple && comm != MPI_COMM_WORLD))
		return;
	info = comm_of(l, comm);
	if (!info || info->inter || info->size != recorder.ranks)
		return;
	if (atomic_flag_test_and_set_explicit(&m.busy, memory_order_acquire))
		return; /* two collectives at once on one communicator: MPI forbids that */
	if (++m.count == m.at)
		hold_meeting(l);
	atomic_flag_clear_explicit(&m.busy, memory_order_release);
}
