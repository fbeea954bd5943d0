/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "common/table.h"
#include "tests/fixtures/retimed.h"
#include "tests/fixtures/suite.h"

#define US    1000
#define WAY   (60 * US) /* of a message */
#define LESS  (20 * US)
#define EAGER 100
#define LARGE 100000 /* its sender waits for the receive */

static double saved_ns(struct tables *x, int64_t less_ns, int64_t rest_ns)
{
	return retimed_saves_ns(x, (struct retimed){less_ns, rest_ns, 0, 0, 0, 0, 0});
}

static uint32_t sent(struct tables *x, uint32_t rank, int64_t from_ns, int64_t to_ns)
{
	return tables_call(x, rank, REGION_SEND, from_ns, to_ns, 1);
}

static uint32_t received(struct tables *x, uint32_t rank, int64_t from_ns, int64_t to_ns)
{
	return tables_call(x, rank, REGION_RECV, from_ns, to_ns, 2);
}

/* From rank 0 to 1, and from there to 2; the first is there so long before it is asked for. */
static void chain(struct tables *x, int64_t early_ns)
{
	int64_t got_ns = WAY + early_ns;
	uint32_t one, two, then, last;

	tables_init(x, 3, 1);
	one = sent(x, 0, 0, US);
	two = received(x, 1, early_ns ? got_ns - 2 * US : 0, got_ns);
	then = sent(x, 1, got_ns + 50 * US, got_ns + 51 * US);
	last = received(x, 2, 0, got_ns + 50 * US + WAY);
	tables_message(x, EAGER, one, one, two, two);
	tables_message(x, EAGER, then, then, last, last);
}

static void test_retime_adds_up_along_a_chain(void)
{
	struct tables x;

	chain(&x, 0);
	CU_ASSERT_EQUAL(saved_ns(&x, 0, 0), 0);
	chain(&x, 0);
	CU_ASSERT_DOUBLE_EQUAL(saved_ns(&x, LESS, 0), 2 * LESS, 1);
	chain(&x, 200 * US); /* nobody had waited for the first */
	CU_ASSERT_DOUBLE_EQUAL(saved_ns(&x, LESS, 0), LESS, 1);
}

/* Rank 1 waits for the first when it has computed, as it sends or before that. */
static void test_retime_waits_later(void)
{
	struct tables x;

	chain(&x, 0);
	CU_ASSERT_DOUBLE_EQUAL(retimed_saves_ns(&x, (struct retimed){0, WAY, 0, 0, 1, 0, 0}), WAY,
			       2 * US);
	chain(&x, 0);
	CU_ASSERT_DOUBLE_EQUAL(retimed_saves_ns(&x, (struct retimed){0, WAY, 0, 0, 1, 1, 0}),
			       50 * US, 2 * US);
	chain(&x, 200 * US);
	CU_ASSERT(retimed_saves_ns(&x, (struct retimed){0, WAY, 0, 0, 1, 1, 0}) <= 4 * US);
}

/* Rank 0 waits in its send until rank 1 has got rank 2's message and asks for the other. */
static void hold_up(struct tables *x)
{
	uint32_t large, small, first, second;

	tables_init(x, 3, 1);
	large = sent(x, 0, 0, 2 * WAY);
	small = sent(x, 2, 0, US);
	first = received(x, 1, 0, WAY);
	second = received(x, 1, WAY, 2 * WAY);
	tables_message(x, EAGER, small, small, first, first);
	tables_message(x, LARGE, large, large, second, second);
}

static void test_retime_frees_senders(void)
{
	struct tables x;

	hold_up(&x);
	CU_ASSERT_DOUBLE_EQUAL(saved_ns(&x, LESS, 0), 2 * LESS, 1);
}

/* All wait for the rank that came last, and that had waited for a message. */
static void test_retime_passes_collectives(void)
{
	const int64_t enter_ns[] = {10 * US, WAY + 50 * US, 10 * US};
	uint32_t send, recv;
	struct tables x;

	tables_init(&x, 3, 1);
	send = sent(&x, 0, 0, US);
	recv = received(&x, 1, 0, WAY);
	tables_message(&x, EAGER, send, send, recv, recv);
	tables_collective(&x, enter_ns, WAY + 60 * US, 3);
	CU_ASSERT_DOUBLE_EQUAL(saved_ns(&x, LESS, 0), LESS, 1);
}

/*
 * The same, but they start two at once, go on and complete them: not before rank 1, which has
 * waited for the message, has started them.
 */
static void test_retime_passes_non_blocking_collectives(void)
{
	struct collective *all = calloc(2, sizeof(*all));
	struct collective_start starts[6];
	uint32_t send, recv = TRACE_NONE, start, done;
	struct tables x;

	CU_ASSERT_PTR_NOT_NULL_FATAL(all);
	all[0] = all[1] = (struct collective){
		.root = -1, .last_enter_ns = WAY + 50 * US, .is_nonblocking = 1, .members = 3};
	tables_init(&x, 3, 1);
	send = sent(&x, 0, 0, US); /* each rank's calls are in order: they keep their numbers */
	for (uint32_t r = 0; r < 3; r++) {
		int64_t start_ns = r == 1 ? WAY + 50 * US : 10 * US;

		recv = r == 1 ? received(&x, 1, 0, WAY) : recv;
		start = tables_call(&x, r, REGION_MPI_LOCAL, start_ns, start_ns + US, 3);
		done = tables_call(&x, r, REGION_WAIT, start_ns + 5 * US, WAY + 60 * US, 4);
		for (uint32_t k = 0; k < 2; k++)
			starts[2 * r + k] = (struct collective_start){
				.start = start, .done = done, .collective = k};
	}
	tables_message(&x, EAGER, send, send, recv, recv);
	x.collectives = (struct collectives){all, 2, starts, 6, 0};
	CU_ASSERT_DOUBLE_EQUAL(saved_ns(&x, LESS, 0), LESS, 1);
}

struct rooted {
	const char *name;
	int64_t enter_ns[3], leave_ns[3]; /* of rank 0, its root, and the others */
	uint32_t gains, ends; /* whose message before is sooner; whose last call is last */
};

static double rooted_saves_ns(const struct rooted *c)
{
	uint32_t send, recv, from = (c->gains + 1) % 3, first;
	struct region *region;
	struct tables x;

	tables_init(&x, 3, 1);
	send = sent(&x, from, 0, US);
	recv = received(&x, c->gains, 0, WAY);
	tables_message(&x, EAGER, send, send, recv, recv);
	first = x.trace.n_calls;
	tables_collective(&x, c->enter_ns, 0, 3);
	for (uint32_t rank = 0; rank < 3; rank++)
		x.trace.calls[first + rank].leave_ns = c->leave_ns[rank];
	x.collectives.c[0].root = 0;
	region = &x.trace.regions[x.trace.calls[first].region];
	free(region->name);
	region->name = strdup(c->name);
	tables_call(&x, c->ends, REGION_MPI_LOCAL, 600 * US, 601 * US, 1);
	return saved_ns(&x, LESS, 0);
}

/* From the root: a leaf waits for it, be others later or not, and it waits for nobody. */
static void test_retime_waits_for_the_root(void)
{
	struct rooted c = {"MPI_Bcast",
			   {200 * US, 90 * US, 300 * US},
			   {210 * US, 210 * US, 310 * US},
			   .gains = 1,
			   .ends = 1};

	CU_ASSERT_EQUAL(rooted_saves_ns(&c), 0);
	c.gains = 0;
	CU_ASSERT_DOUBLE_EQUAL(rooted_saves_ns(&c), LESS, 1);
	c.ends = 0;
	c.leave_ns[0] = 290 * US;
	CU_ASSERT_DOUBLE_EQUAL(rooted_saves_ns(&c), LESS, 1);
	c.ends = 2; /* it came later than the root */
	CU_ASSERT_EQUAL(rooted_saves_ns(&c), 0);
}

/* To the root: it waits for the last, and the others for nobody. */
static void test_retime_waits_at_the_root(void)
{
	struct rooted c = {"MPI_Reduce",
			   {200 * US, 90 * US, 300 * US},
			   {310 * US, 120 * US, 310 * US},
			   .gains = 1,
			   .ends = 1};

	CU_ASSERT_DOUBLE_EQUAL(rooted_saves_ns(&c), LESS, 1);
	c.ends = 0;
	CU_ASSERT_EQUAL(rooted_saves_ns(&c), 0);
	c.gains = 2;
	CU_ASSERT_DOUBLE_EQUAL(rooted_saves_ns(&c), LESS, 1);
}

/*
 * Who returns soon after another one has entered, and was there long before, has waited for that
 * one, whose data it hands on; not the root, and not where that is a small part of its call.
 */
static void test_retime_waits_in_the_middle_of_trees(void)
{
	struct rooted c = {"MPI_Reduce",
			   {200 * US, 90 * US, 300 * US},
			   {310 * US, 305 * US, 310 * US},
			   .gains = 2,
			   .ends = 1};

	CU_ASSERT_DOUBLE_EQUAL(rooted_saves_ns(&c), LESS, 1);
	c.gains = 1;
	CU_ASSERT_EQUAL(rooted_saves_ns(&c), 0);
	c.leave_ns[1] = 590 * US;
	CU_ASSERT_DOUBLE_EQUAL(rooted_saves_ns(&c), LESS, 1);
}

/*
 * What a thread gains others of its rank may not: then its rank is as recorded. Thread 0 receives,
 * and thread 1 does what needs nobody; or it sends to rank 0, which then ends last.
 */
static void test_retime_leaves_threads_alone(void)
{
	for (int sends = 0; sends < 2; sends++) {
		enum region_kind kind = sends ? REGION_SEND : REGION_MPI_LOCAL;
		uint32_t send, recv, last, other[2];
		struct tables x;

		tables_init(&x, 2, 1);
		send = sent(&x, 0, 0, US);
		recv = received(&x, 1, 0, WAY);
		other[0] = tables_call(&x, 1, REGION_MPI_LOCAL, 10 * US, 11 * US, 1);
		other[1] = tables_call(&x, 1, kind, 500 * US, 501 * US, 1);
		for (int k = 0; k < 2; k++)
			x.trace.calls[other[k]].thread = 1;
		tables_message(&x, EAGER, send, send, recv, recv);
		if (sends) {
			last = received(&x, 0, 400 * US, 500 * US + WAY);
			tables_message(&x, EAGER, other[1], other[1], last, last);
		}
		CU_ASSERT_DOUBLE_EQUAL(saved_ns(&x, LESS, 0), sends * LESS, 1);
	}
}

/*
 * A call that waits for nobody is as much shorter as it is said to be, and never less than nothing.
 */
static void test_retime_shortens_calls(void)
{
	struct tables x;

	tables_init(&x, 2, 1);
	tables_call(&x, 0, REGION_MPI_LOCAL, 0, 10 * US, 1);
	tables_call(&x, 0, REGION_MPI_LOCAL, 100 * US, 103 * US, 1);
	CU_ASSERT_DOUBLE_EQUAL(saved_ns(&x, 0, 5 * US), 8 * US, 1);
}

/*
 * What the programs do before their calls is shorter, or longer: of both, one after the other,
 * where rank 2 waits for rank 1, and that for rank 0.
 */
static void test_retime_shortens_the_programs_own(void)
{
	for (int sign = -1; sign <= 1; sign += 2) {
		struct tables x;

		chain(&x, 0);
		for (uint32_t c = 0; c < x.trace.n_calls; c++) {
			x.trace.calls[c].enter_ns += 100 * US;
			x.trace.calls[c].leave_ns += 100 * US;
		}
		for (uint32_t i = 0; i < x.messages.n; i++)
			x.messages.m[i].done_ns += 100 * US;
		CU_ASSERT_DOUBLE_EQUAL(
			retimed_saves_ns(&x, (struct retimed){0, 0, sign * LESS, 0, 0, 0, 0}),
			sign > 0 ? 2 * LESS : 0, 1);
	}
}

/*
 * Rank 1 waits in a probe for what rank 0 works on, receives it and sends it on to rank 2: at once,
 * or when its sender sees the receive.
 */
static double saved_by_probes(uint64_t bytes)
{
	uint32_t one, two, then, last;
	struct tables x;

	tables_init(&x, 3, 1);
	one = sent(&x, 0, 500 * US, 570 * US);
	tables_call(&x, 1, REGION_PROBE, 0, 510 * US, 3);
	two = received(&x, 1, 511 * US, 571 * US);
	then = sent(&x, 1, 572 * US, 573 * US);
	last = received(&x, 2, 0, 640 * US);
	tables_message(&x, bytes, one, one, two, two);
	tables_message(&x, EAGER, then, then, last, last);
	return retimed_saves_ns(&x, (struct retimed){.own_ns = LESS, .first_only = 1});
}

static void test_retime_waits_in_probes(void)
{
	CU_ASSERT_DOUBLE_EQUAL(saved_by_probes(EAGER), LESS, 1);
	CU_ASSERT_DOUBLE_EQUAL(saved_by_probes(LARGE), LESS, 1);
}

/*
 * Rank 1 polls for what rank 0 sends when it has computed for 8 ms, in two stretches, and computes
 * itself between the polls for so much of each: less_ns less computed by rank 0 saves how much?
 */
static double saved_by_polls(enum region_kind kind, int64_t own_ns, int64_t less_ns,
			     int64_t sent_ns)
{
	static const int64_t from[] = {US, 4030 * US}, to[] = {4000 * US, 8060 * US};
	struct tables x;
	uint32_t send, post, done;

	tables_init(&x, 2, 1);
	x.trace.floods = table_calloc(2, sizeof(*x.trace.floods));
	x.trace.n_floods = 2;
	CU_ASSERT_PTR_NOT_NULL_FATAL(x.trace.floods);
	post = kind == REGION_TEST ? tables_call(&x, 1, REGION_IRECV, 0, 0, 1) : 0;
	for (uint32_t k = 0; k < 2; k++) {
		uint32_t call = tables_call(&x, 1, kind, from[k], to[k], 2);

		x.trace.floods[k] =
			(struct flood){.polls = 100, .inside_ns = to[k] - from[k] - own_ns};
		x.trace.calls[call].part = k;
		x.trace.calls[call].is_flood = 1;
	}
	done = tables_call(&x, 1, kind, 8061 * US, 8062 * US, 2);
	if (kind == REGION_IPROBE)
		post = done = received(&x, 1, 8063 * US, 8064 * US);
	send = sent(&x, 0, sent_ns, sent_ns + US);
	tables_call(&x, 1, REGION_MPI_LOCAL, 9000 * US, 9001 * US, 3);
	tables_message(&x, EAGER, send, send, post, done);
	x.messages.m[0].not_here_ns = 8059 * US;
	return retimed_saves_ns(&x, (struct retimed){0, 0, less_ns, 0, 0, 0, 1});
}

/* Who does nothing but poll waits; who works meanwhile has to do that all the same. */
static void test_retime_waits_in_polls(void)
{
	static const enum region_kind kinds[] = {REGION_TEST, REGION_IPROBE};

	for (size_t k = 0; k < 2; k++) {
		CU_ASSERT_DOUBLE_EQUAL(saved_by_polls(kinds[k], 100 * US, 3000 * US, 8000 * US),
				       3000 * US, 1);
		CU_ASSERT_DOUBLE_EQUAL(saved_by_polls(kinds[k], 100 * US, 7900 * US, 8000 * US),
				       7900 * US, 1);
		CU_ASSERT_EQUAL(saved_by_polls(kinds[k], 2000 * US, 3000 * US, 8000 * US), 0);
		/* a clock says that it was sent after it had come: then nothing is known */
		CU_ASSERT(saved_by_polls(kinds[k], 100 * US, 100 * US, 8500 * US) <= 100 * US);
	}
}

/*
 * Rank 0's send waits for a receive that rank 1 posts when it has rank 2's message, which comes
 * sooner now: so does what it waits for. Posted before the call that waits for rank 2 it gains
 * nothing by that.
 */
static void test_retime_posts_before_another_call(void)
{
	for (uint32_t sooner = 0; sooner < 2; sooner++) {
		struct tables x;

		hold_up(&x);
		CU_ASSERT_DOUBLE_EQUAL(
			retimed_saves_ns(&x, (struct retimed){LESS, 0, 0, sooner, 0, 0, 0}),
			sooner ? LESS : 2 * LESS, 1);
	}
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_retime_adds_up_along_a_chain),
		SUITE_CASE(test_retime_waits_later),
		SUITE_CASE(test_retime_frees_senders),
		SUITE_CASE(test_retime_passes_collectives),
		SUITE_CASE(test_retime_passes_non_blocking_collectives),
		SUITE_CASE(test_retime_waits_for_the_root),
		SUITE_CASE(test_retime_waits_at_the_root),
		SUITE_CASE(test_retime_waits_in_the_middle_of_trees),
		SUITE_CASE(test_retime_leaves_threads_alone),
		SUITE_CASE(test_retime_shortens_calls),
		SUITE_CASE(test_retime_shortens_the_programs_own),
		SUITE_CASE(test_retime_waits_in_probes),
		SUITE_CASE(test_retime_waits_in_polls),
		SUITE_CASE(test_retime_posts_before_another_call),
		CU_TEST_INFO_NULL,
	};

	return suite_run("retime", tests);
}
