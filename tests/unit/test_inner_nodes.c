/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ranks that wait in a rooted collective for others than its root. */
#include "tests/fixtures/late.h"
#include "tests/fixtures/suite.h"
#include "tests/fixtures/sums.h"

#include <stdlib.h>
#include <string.h>

#define US    1000
#define RANKS 4

struct scene {
	const char *name;
	int64_t enter_ns[RANKS], leave_ns[RANKS];
};

/* Rank 3 comes last, and rank 2 hands its data on to rank 0, the root. */
static const struct scene reduce = {"MPI_Reduce",
				    {100 * US, 100 * US, 100 * US, 400 * US},
				    {420 * US, 103 * US, 410 * US, 403 * US}};

/* Rank 2 comes last, and rank 3 gets the data from it. */
static const struct scene bcast = {"MPI_Bcast",
				   {100 * US, 105 * US, 400 * US, 105 * US},
				   {103 * US, 110 * US, 404 * US, 410 * US}};

/* Rank 1 waits for a message that rank 2, or 3, sends after it. */
static struct attribution attribute(struct tables *x, const struct scene *s, uint32_t sender)
{
	struct machine m = tables_machine(5e-6, 1e-6, 1e-9, 1 << 20);
	struct attribution a;
	struct region *region;
	uint32_t first, send, recv;

	tables_init(x, RANKS, 1);
	first = x->trace.n_calls;
	tables_collective(x, s->enter_ns, 0, 3);
	for (uint32_t r = 0; r < RANKS; r++)
		x->trace.calls[first + r].leave_ns = s->leave_ns[r];
	x->collectives.c[0].root = 0;
	region = &x->trace.regions[x->trace.calls[first].region];
	free(region->name);
	region->name = strdup(s->name);
	send = tables_call(x, sender, REGION_SEND, 500 * US, 501 * US, 1);
	recv = tables_call(x, 1, REGION_RECV, 120 * US, 507 * US, 2);
	tables_message(x, 1000, send, send, recv, recv);
	tables_finish(x);
	a = sums_attribute(x, &m);
	CU_ASSERT(sums_add_up(x, &a));
	machine_release(&m);
	return a;
}

/* What the rank waited in the collective, and what that is at least. */
static void expect_wait(const struct attribution *a, uint32_t rank, int64_t ns, int64_t low_ns)
{
	const struct part *p = &a->rank_budget[rank].parts[COST_collective_wait];

	CU_ASSERT_EQUAL(p->ns, ns);
	CU_ASSERT_EQUAL(p->low_ns, low_ns);
	CU_ASSERT(p->high_ns >= p->ns);
}

static void test_inner_nodes_wait_for_whom_they_hand_on(void)
{
	struct tables x;
	struct attribution a = attribute(&x, &reduce, 2);

	expect_wait(&a, 0, 300 * US, 300 * US);
	expect_wait(&a, 1, 0, 0);
	expect_wait(&a, 2, 300 * US, 0); /* most likely */
	expect_wait(&a, 3, 0, 0);
	CU_ASSERT_EQUAL(a.rank_budget[2].parts[COST_collective_transfer].high_ns, 310 * US);
	attribution_release(&a);
	tables_release(&x);
}

/* Along a tree from the root a rank waits for the one before it, and for the root before that. */
static void test_inner_nodes_keep_those_after_them(void)
{
	struct scene early = bcast;
	struct attribution a;
	struct tables x;

	a = attribute(&x, &bcast, 3);
	expect_wait(&a, 0, 0, 0);
	expect_wait(&a, 1, 0, 0);
	expect_wait(&a, 3, 295 * US, 0);
	CU_ASSERT_EQUAL(attribution_kept_by(&a, x.trace.ranks[3].first_call),
			x.trace.ranks[2].first_call);
	attribution_release(&a);
	tables_release(&x);
	early.enter_ns[0] = 390 * US;
	early.leave_ns[0] = early.leave_ns[1] = 405 * US;
	early.enter_ns[2] = 392 * US; /* little later than the root: it may be for nobody's sake */
	a = attribute(&x, &early, 3);
	expect_wait(&a, 3, 285 * US, 285 * US);
	CU_ASSERT_EQUAL(a.rank_budget[3].parts[COST_collective_wait].high_ns, 287 * US);
	attribution_release(&a);
	tables_release(&x);
}

/* The root waits for nobody, unless it is there until one comes that takes what is large. */
static void test_inner_nodes_take_from_the_root(void)
{
	struct scene large = bcast;
	struct attribution a;
	struct tables x;

	large.leave_ns[0] = 415 * US;
	a = attribute(&x, &large, 3);
	expect_wait(&a, 0, 300 * US, 0);
	CU_ASSERT_EQUAL(attribution_kept_by(&a, x.trace.ranks[0].first_call),
			x.trace.ranks[2].first_call);
	attribution_release(&a);
	tables_release(&x);
}

/* Who is late for that is so because of the last one. */
static void test_inner_nodes_pass_lateness_on(void)
{
	struct tables x;
	struct lateness l;
	struct err err;
	struct attribution a = attribute(&x, &reduce, 2);

	CU_ASSERT_EQUAL_FATAL(lateness_find(&l, &x.trace, &x.messages, &a, &err), 0);
	CU_ASSERT_EQUAL(late_ns(&l, 3, LATENESS_COMPUTATION), 280 * US);
	CU_ASSERT_EQUAL(late_ns(&l, 2, LATENESS_COLLECTIVE), 10 * US);
	CU_ASSERT_EQUAL(late_ns(&l, 2, LATENESS_COMPUTATION), 90 * US);
	lateness_release(&l);
	attribution_release(&a);
	tables_release(&x);
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_inner_nodes_wait_for_whom_they_hand_on),
		SUITE_CASE(test_inner_nodes_keep_those_after_them),
		SUITE_CASE(test_inner_nodes_take_from_the_root),
		SUITE_CASE(test_inner_nodes_pass_lateness_on),
		CU_TEST_INFO_NULL,
	};

	return suite_run("inner_nodes", tests);
}
