/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/matching/takers.h"

#include "analyze/matching/messages.h"
#include "analyze/reader/reader.h"
#include "tests/fixtures/scratch.h"
#include "tests/traces/mktrace.h"

#include "tests/fixtures/suite.h"

#include <stdlib.h>
#include <string.h>

#define RANKS   4
#define TAGS    2
#define MOST    200
#define ANY     (-1)
#define STEP_NS 10

static struct err err;

/* A message and the receive that got it, as MPI joins them: by the times of their calls. */
struct post {
	int src, tag; /* ANY */
	int freed;
	uint64_t bytes; /* that it got */
	int64_t ns, sent_ns;
	int is_done;
};

struct arrival {
	int src, tag;
	uint64_t bytes;
	int64_t ns;
	int is_taken;
};

/* Rank 0 receives. */
struct program {
	struct post posts[MOST];
	struct arrival arrivals[MOST];
	unsigned n_posts, n_arrivals, seed;
	int64_t now_ns;
};

/* What is to be made, and what of it the trace has. */
struct making {
	unsigned seed;
	uint64_t sizes; /* 0: all are different */
	int takers;     /* one receive in so many is one */
	int is_whole;
	unsigned missing; /* the last sends, of a job that was killed */
};

static unsigned draw(struct program *p, unsigned below)
{
	p->seed = p->seed * 1103515245U + 12345U;
	return (p->seed >> 16) % below;
}

static int fits(const struct post *r, const struct arrival *a)
{
	return (r->src == ANY || r->src == a->src) && (r->tag == ANY || r->tag == a->tag);
}

static void join(struct post *r, struct arrival *a)
{
	r->is_done = a->is_taken = 1;
	r->bytes = a->bytes;
	r->sent_ns = a->ns;
}

static void post(struct program *p, struct post r)
{
	struct post *at = &p->posts[p->n_posts++];

	CU_ASSERT_FATAL(p->n_posts <= MOST);
	*at = r;
	at->ns = p->now_ns += STEP_NS;
	for (unsigned i = 0; i < p->n_arrivals && !at->is_done; i++)
		if (!p->arrivals[i].is_taken && fits(at, &p->arrivals[i]))
			join(at, &p->arrivals[i]);
}

static void arrive(struct program *p, struct arrival a)
{
	struct arrival *at = &p->arrivals[p->n_arrivals++];

	CU_ASSERT_FATAL(p->n_arrivals <= MOST);
	*at = a;
	at->ns = p->now_ns += STEP_NS;
	for (unsigned i = 0; i < p->n_posts && !at->is_taken; i++)
		if (!p->posts[i].is_done && fits(&p->posts[i], at))
			join(&p->posts[i], at);
}

static struct arrival some_message(struct program *p, const struct making *how)
{
	struct arrival a = {.src = 1 + (int)draw(p, RANKS - 1), .tag = (int)draw(p, TAGS)};

	a.bytes = how->sizes ? 1 + draw(p, (unsigned)how->sizes) : 1 + p->n_arrivals;
	return a;
}

/* All that is sent is received, and each receive that is waited for has its message. */
static void run(struct program *p, const struct making *how)
{
	unsigned i, n;

	for (i = 0; i < MOST / 5; i++) {
		struct post r = {.src = 1 + (int)draw(p, RANKS - 1), .tag = (int)draw(p, TAGS)};

		arrive(p, some_message(p, how));
		r.freed = how->takers && draw(p, (unsigned)how->takers) == 0;
		if (r.freed && draw(p, 2))
			r.src = ANY;
		if (r.freed && (r.src != ANY || draw(p, 2)))
			r.tag = ANY;
		post(p, r);
	}
	for (i = 0, n = p->n_posts; i < n; i++)
		while (!p->posts[i].is_done && !p->posts[i].freed) {
			struct arrival a = some_message(p, how);

			a.src = p->posts[i].src;
			a.tag = p->posts[i].tag;
			arrive(p, a);
		}
	for (i = 0; i < p->n_arrivals; i++)
		if (!p->arrivals[i].is_taken)
			post(p,
			     (struct post){.src = p->arrivals[i].src, .tag = p->arrivals[i].tag});
}

static void write_call(struct mktrace *m, uint32_t rank, int64_t ns, const char *function,
		       struct mkop op)
{
	mktrace_call(m, rank, (struct mkspan){ns, ns + 4}, function, NULL, 1, &op);
}

static void write_receives(struct mktrace *m, struct program *p)
{
	unsigned i;

	for (i = 0; i < p->n_posts; i++) {
		const struct post *r = &p->posts[i];

		write_call(m, 0, r->ns, "MPI_Irecv",
			   (struct mkop){.kind = OP_IRECV, .request = i + 1});
		if (r->freed)
			write_call(m, 0, r->ns + 5, "MPI_Request_free",
				   (struct mkop){.kind = OP_FREED,
						 .peer = r->src,
						 .tag = r->tag,
						 .request = i + 1});
	}
	for (i = 0; i < p->n_posts; i++) {
		const struct post *r = &p->posts[i];

		p->now_ns += STEP_NS;
		if (!r->freed)
			write_call(m, 0, p->now_ns, "MPI_Wait",
				   (struct mkop){.kind = OP_IRECV_DONE,
						 .peer = r->src,
						 .tag = r->tag,
						 .bytes = r->bytes,
						 .request = i + 1});
	}
}

static void write_program(struct mktrace *m, struct program *p, const struct making *how)
{
	for (unsigned i = 0; i < p->n_arrivals - how->missing; i++) {
		const struct arrival *a = &p->arrivals[i];

		write_call(m, (uint32_t)a->src, a->ns, "MPI_Send",
			   (struct mkop){.kind = OP_SEND, .tag = a->tag, .bytes = a->bytes});
	}
	write_receives(m, p);
	for (uint32_t r = 0; r < RANKS && how->is_whole; r++)
		mktrace_call(m, r, (struct mkspan){p->now_ns + 90, p->now_ns + 99}, "MPI_Finalize",
			     NULL, 0, NULL);
}

/* Each message that is joined, with its own receive? */
static unsigned count_wrong(const struct trace *t, const struct messages *m,
			    const struct program *p)
{
	unsigned wrong = 0;

	for (uint32_t i = 0; i < m->n; i++) {
		int64_t sent_ns = t->calls[m->m[i].send_call].enter_ns;
		int64_t posted_ns = t->calls[m->m[i].recv_call].enter_ns;
		const struct post *r = p->posts;

		/* the trace begins with its first event */
		while (r->ns - p->arrivals[0].ns != posted_ns)
			r++;
		wrong += r->sent_ns - p->arrivals[0].ns != sent_ns;
	}
	return wrong;
}

static unsigned all_received(const struct program *p)
{
	unsigned n = 0;

	for (unsigned i = 0; i < p->n_posts; i++)
		n += !p->posts[i].freed;
	return n;
}

/* Adds to *joined and *all. */
static void check(const struct making *how, unsigned *joined, unsigned *all)
{
	struct program *p = calloc(1, sizeof(*p));
	char *dir = scratch_new();
	struct mktrace *m = mktrace_new(dir, RANKS, &err);
	struct messages messages;
	struct trace t;

	CU_ASSERT_PTR_NOT_NULL_FATAL(p);
	p->seed = how->seed;
	run(p, how);
	write_program(m, p, how);
	CU_ASSERT_EQUAL_FATAL(mktrace_close(m, &err), 0);
	CU_ASSERT_EQUAL_FATAL(trace_read(dir, &t, &err), 0);
	CU_ASSERT_EQUAL_FATAL(messages_match(&t, &messages, &err), 0);
	CU_ASSERT_EQUAL(count_wrong(&t, &messages, p), 0);
	CU_ASSERT_EQUAL(messages.n + messages.untold + messages.unmatched_recvs, all_received(p));
	if (how->is_whole && !how->missing)
		CU_ASSERT_EQUAL(messages.unmatched_recvs, 0);
	*joined += messages.n;
	*all += all_received(p);
	messages_release(&messages);
	trace_release(&t);
	scratch_free(dir);
	free(p);
}

static void check_many(struct making how, double least)
{
	unsigned joined = 0, all = 0;

	for (how.seed = 1; how.seed <= 40; how.seed++)
		check(&how, &joined, &all);
	CU_ASSERT(joined >= least * all);
}

static void test_takers_none(void)
{
	check_many((struct making){.sizes = 1, .is_whole = 1}, 1);
}

static void test_takers_are_found_by_sizes(void)
{
	check_many((struct making){.takers = 4, .is_whole = 1}, 1);
	check_many((struct making){.takers = 4}, 0.8);
}

static void test_takers_of_one_size_leave_doubt(void)
{
	check_many((struct making){.takers = 8, .sizes = 1, .is_whole = 1}, 0.1);
	check_many((struct making){.takers = 8, .sizes = 1}, 0.1);
}

static void test_takers_of_few_sizes(void)
{
	check_many((struct making){.takers = 6, .sizes = 3, .is_whole = 1}, 0.5);
	check_many((struct making){.takers = 6, .sizes = 3}, 0.3);
}

static void test_takers_where_sends_are_missing(void)
{
	check_many((struct making){.takers = 6, .missing = 5}, 0.5);
	check_many((struct making){.takers = 6, .sizes = 3, .missing = 5}, 0.3);
}

/* One size, but one taker: what is left over is what it took. */
static void test_takers_took_what_is_left(void)
{
	struct mkop send = {.kind = OP_SEND, .bytes = 7};
	struct mkop recv = {.kind = OP_RECV, .bytes = 7};
	struct mkop taker = {.kind = OP_FREED, .peer = ANY, .tag = ANY, .request = 1};
	char *dir = scratch_new();
	struct mktrace *m = mktrace_new(dir, 3, &err);
	struct messages messages;
	struct trace t;

	for (uint32_t src = 1; src <= 2; src++)
		for (int64_t i = 0; i < 3; i++)
			write_call(m, src, 100 * i, "MPI_Send", send);
	for (int64_t i = 0; i < 2; i++)
		for (recv.peer = 1; recv.peer <= 2; recv.peer++) {
			write_call(m, 0, 1000 * i + 100 * recv.peer, "MPI_Recv", recv);
			if (i || recv.peer == 2)
				continue;
			write_call(m, 0, 120, "MPI_Irecv",
				   (struct mkop){.kind = OP_IRECV, .request = 1});
			write_call(m, 0, 150, "MPI_Request_free", taker);
		}
	recv.peer = 2;
	write_call(m, 0, 3000, "MPI_Recv", recv);
	for (uint32_t r = 0; r < 3; r++)
		mktrace_call(m, r, (struct mkspan){4000, 4001}, "MPI_Finalize", NULL, 0, NULL);
	CU_ASSERT_EQUAL_FATAL(mktrace_close(m, &err), 0);
	CU_ASSERT_EQUAL_FATAL(trace_read(dir, &t, &err), 0);
	CU_ASSERT_EQUAL_FATAL(messages_match(&t, &messages, &err), 0);
	CU_ASSERT_EQUAL(messages.untold, 0);
	CU_ASSERT_EQUAL(messages.unmatched_sends, 1);
	CU_ASSERT_EQUAL_FATAL(messages.n, 5);
	for (uint32_t i = 0; i < messages.n; i++) { /* by completion: 1 2, 1 2, 2 */
		int64_t nth = i / 2 + (i == 2);

		CU_ASSERT_EQUAL(t.calls[messages.m[i].send_call].enter_ns, 100 * nth);
	}
	messages_release(&messages);
	trace_release(&t);
	scratch_free(dir);
}

static CU_TestInfo tests[] = {
	SUITE_CASE(test_takers_none),
	SUITE_CASE(test_takers_are_found_by_sizes),
	SUITE_CASE(test_takers_of_one_size_leave_doubt),
	SUITE_CASE(test_takers_of_few_sizes),
	SUITE_CASE(test_takers_where_sends_are_missing),
	SUITE_CASE(test_takers_took_what_is_left),
	CU_TEST_INFO_NULL,
};

int main(void)
{
	return suite_run("takers", tests);
}
