/* SPDX-License-Identifier: BSD-3-Clause */
#include "interpose/job/offsets.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

#define ROUND_TRIPS 20
#define TAG         1
#define TAG_POINTS  5

struct offsets offsets;

static void spin(unsigned *times)
{
	if (++*times % 64 == 0)
		sched_yield(); /* the other side may need this core */
}

/* Wait for a request. Returns 0, or -1 at the deadline: then it goes on. */
static int finish(MPI_Request *request, int64_t deadline_ns)
{
	unsigned times = 0;
	int done = 0;

	for (;;) {
		if (real.Test(request, &done, MPI_STATUS_IGNORE))
			return -1;
		if (done)
			return 0;
		if (ticks_clock_ns(CLOCK_MONOTONIC) >= deadline_ns)
			return -1;
		spin(&times);
	}
}

static void edge_start(struct edge *e)
{
	if (!e->started)
		e->recv = e->send = MPI_REQUEST_NULL;
	e->started = 1;
}

static int put(struct edge *e, const struct note *note, int64_t deadline_ns)
{
	edge_start(e);
	if (finish(&e->send, deadline_ns))
		return -1;
	e->out = *note;
	return real.Isend(&e->out, sizeof(e->out), MPI_BYTE, e->rank, TAG, recorder.comm, &e->send)
		       ? -1
		       : 0;
}

/* The next message of comparison number, or of a later one, into e->in. */
static int take(struct edge *e, uint64_t number, int64_t deadline_ns)
{
	edge_start(e);
	do {
		if (e->recv == MPI_REQUEST_NULL &&
		    real.Irecv(&e->in, sizeof(e->in), MPI_BYTE, e->rank, TAG, recorder.comm,
			       &e->recv))
			return -1;
		if (finish(&e->recv, deadline_ns))
			return -1;
	} while (e->in.number < number);
	return 0;
}

int offsets_await(uint64_t number, int64_t deadline_ns, struct note *begin)
{
	do
		if (take(&offsets.parent, number, deadline_ns))
			return -1;
	while (offsets.parent.in.trip != 0);
	*begin = offsets.parent.in;
	return 0;
}

int offsets_ask(const struct note *begin, int64_t deadline_ns)
{
	struct log_offset best = {.error_ns = INT64_MAX};
	struct edge *e = &offsets.parent;
	struct note question = {.number = begin->number};
	struct log_anchor anchor;
	int64_t before, after, half;

	for (question.trip = 1; question.trip <= begin->trips; question.trip++) {
		before = ticks_clock_ns(CLOCK_MONOTONIC);
		if (put(e, &question, deadline_ns) || take(e, begin->number, deadline_ns))
			return -1;
		after = ticks_clock_ns(CLOCK_MONOTONIC);
		if (e->in.number != begin->number || e->in.trip != question.trip)
			return -1;
		half = (after - before + 1) / 2;
		if (half + e->in.error_ns < best.error_ns) {
			best.error_ns = half + e->in.error_ns;
			best.mono_ns = before + half;
			best.offset_ns = e->in.reference_ns - best.mono_ns;
		}
	}
	anchor = ticks_anchor();
	best.error_ns += (anchor.mono_ns - best.mono_ns) / 10000; /* 100 ppm: it is past */
	best.mono_ns = anchor.mono_ns;
	best.tick = anchor.tick;
	if (begin->trips > 0)
		offsets.now = best;
	return 0;
}

int offsets_answer(struct edge *child, const struct note *begin, int64_t deadline_ns)
{
	struct note answer = {.number = begin->number};
	int64_t now;

	if (put(child, begin, deadline_ns))
		return -1;
	for (answer.trip = 1; answer.trip <= begin->trips; answer.trip++) {
		if (take(child, begin->number, deadline_ns))
			return -1;
		if (child->in.number != begin->number || child->in.trip != answer.trip)
			return -1;
		now = ticks_clock_ns(CLOCK_MONOTONIC);
		answer.reference_ns = now + offsets.now.offset_ns;
		answer.error_ns = offsets.now.error_ns + (now - offsets.now.mono_ns) / 10000;
		if (put(child, &answer, deadline_ns))
			return -1;
	}
	return 0;
}

/* Places in the binomial tree over the leaders, and who is there. */
static void make_tree(void)
{
	struct nodes *n = &offsets.nodes;
	int bit, high = 0;

	for (bit = 1; bit <= n->index && bit > 0; bit *= 2)
		high = bit;
	if (high)
		offsets.parent.rank = n->leaders[n->index - high];
	for (bit = 1; bit <= high; bit *= 2)
		offsets.round++;
	for (bit = high ? 2 * high : 1; n->index + bit < n->n; bit *= 2)
		offsets.child[offsets.children++].rank = n->leaders[n->index + bit];
}

void offsets_measure(struct log_header *h)
{
	struct note begin = {.number = h->n_offsets ? OFFSETS_LAST : 0,
			     .next = OFFSETS_LAST,
			     .trips = ROUND_TRIPS};
	struct log_anchor anchor;
	int i;

	if (recorder.comm == MPI_COMM_NULL || h->n_offsets >= 2)
		return;
	if (!offsets.nodes.n) {
		if (nodes_find(h->boot_id, &offsets.nodes))
			return;
		if (offsets.nodes.leaders)
			make_tree();
	}
	if (!offsets.nodes.leaders)
		return;
	anchor = ticks_anchor();
	offsets.now = (struct log_offset){.tick = anchor.tick, .mono_ns = anchor.mono_ns};
	if (offsets.nodes.index &&
	    (offsets_await(begin.number, INT64_MAX, &begin) || offsets_ask(&begin, INT64_MAX)))
		return;
	for (i = 0; i < offsets.children; i++) {
		offsets_answer(&offsets.child[i], &begin, INT64_MAX);
		finish(&offsets.child[i].send, INT64_MAX);
	}
	if (offsets.nodes.index)
		finish(&offsets.parent.send, INT64_MAX);
	h->offset[h->n_offsets++] = offsets.now;
}

int offsets_share(const char *digest, size_t n, struct timeline *out, struct err *err)
{
	struct timeline mine = {0};
	uint32_t about[2] = {0, 0};
	int i, ret = -1;

	if (!offsets.nodes.n)
		return 0;
	if (offsets.nodes.leaders) {
		ret = timeline_add(&mine, digest, n);
		if (ret)
			mine.n = 0; /* the others wait for an answer */
		timeline_sort(&mine);
		about[0] = mine.n;
		about[1] = mine.has_ticks;
		for (i = 0; i < offsets.nodes.n_members; i++) {
			int to = offsets.nodes.members[i];

			real.Send(about, 8, MPI_BYTE, to, TAG_POINTS, recorder.comm);
			real.Send(mine.points, (int)(mine.n * sizeof(*mine.points)), MPI_BYTE, to,
				  TAG_POINTS, recorder.comm);
		}
	} else {
		int from = offsets.nodes.leader;

		real.Recv(about, 8, MPI_BYTE, from, TAG_POINTS, recorder.comm, MPI_STATUS_IGNORE);
		mine.points = malloc((about[0] + 1) * sizeof(*mine.points));
		ret = mine.points ? 0 : -1;
		real.Recv(mine.points, (int)(ret ? 0 : about[0] * sizeof(*mine.points)), MPI_BYTE,
			  from, TAG_POINTS, recorder.comm, MPI_STATUS_IGNORE);
		mine.n = ret ? 0 : about[0];
		mine.has_ticks = about[1];
	}
	if (ret) {
		timeline_release(&mine);
		return err_set(err, "out of memory for the clocks");
	}
	*out = mine;
	return 0;
}
