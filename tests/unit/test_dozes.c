/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/attribution/lateness.h"
#include "analyze/matching/dozes.h"
#include "common/table.h"
#include "tests/fixtures/suite.h"
#include "tests/fixtures/sums.h"
#include "tests/fixtures/tables.h"

#include <string.h>

#define US 1000
#define MS (1000 * US)

#define POLLS 10

/* What the system says of rank 1. */
struct said {
	int64_t used_ns, awaited_ns, left;
	int is_threaded;
};

/*
 * Rank 1 posts a receive and polls 10 times, 1 ms from one to the next, of which 10 us are in the
 * poll; and twice more, once after a few us, and once it has its message. Then it computes for
 * compute_ns. Rank 0 sends after so long, and waits for an answer.
 */
static void make(struct tables *x, int64_t sent_ns, int64_t compute_ns, struct said said)
{
	int64_t at_ns = POLLS * MS + compute_ns;
	uint32_t send, post, done, answer, answered;
	struct rank *r;

	tables_init(x, 2, 2);
	send = tables_call(x, 0, REGION_SEND, sent_ns, sent_ns + 10 * US, 0);
	post = tables_call(x, 1, REGION_IRECV, 0, 0, 1);
	for (int k = 0; k < POLLS; k++)
		tables_call(x, 1, REGION_TEST, k * MS, k * MS + 10 * US, 2);
	tables_call(x, 1, REGION_TEST, 15 * US, 16 * US, 2);
	done = tables_call(x, 1, REGION_TEST, POLLS * MS, POLLS * MS + 10 * US, 2);
	tables_call(x, 1, REGION_TEST, POLLS * MS + 35 * US, POLLS * MS + 38 * US, 2);
	answer = tables_call(x, 1, REGION_SEND, at_ns + 50 * US, at_ns + 60 * US, 3);
	answered = tables_call(x, 0, REGION_RECV, sent_ns + 10 * US, at_ns + 70 * US, 4);
	tables_message(x, 8, send, send, post, done);
	x->messages.m[0].not_here_ns = (POLLS - 1) * MS;
	tables_message(x, 8, answer, answer, answered, answered);
	tables_finish(x);
	r = &x->trace.ranks[1];
	r->core_used_ns = said.used_ns;
	r->core_awaited_ns = said.awaited_ns;
	r->core_left = said.left;
	r->is_threaded = (uint8_t)said.is_threaded;
}

static void release(struct tables *x)
{
	table_free(x->trace.floods);
	x->trace.floods = NULL;
	tables_release(x);
}

static int64_t slept_ns(int64_t compute_ns, struct said said)
{
	struct err err;
	struct tables x;
	int64_t ns;

	make(&x, 9500 * US, compute_ns, said);
	CU_ASSERT_FATAL(!dozes_mark(&x.trace, &x.messages, &err));
	ns = dozes_of_rank_ns(&x.trace, &x.trace.ranks[1]);
	CU_ASSERT_EQUAL(dozes_of_rank_ns(&x.trace, &x.trace.ranks[0]), 0);
	CU_ASSERT_EQUAL(x.trace.n_floods, ns ? POLLS : 0);
	release(&x);
	return ns;
}

static void test_dozes_where_the_system_says_so(void)
{
	const int64_t all_ns = POLLS * (MS - 10 * US) - 6 * US;

	/* there is nothing else that it could have slept in */
	CU_ASSERT_EQUAL(slept_ns(0, (struct said){.used_ns = MS}), all_ns);
	/* it ran, or waited for a core, */
	CU_ASSERT_EQUAL(slept_ns(0, (struct said){.used_ns = 3 * MS}), 0);
	CU_ASSERT_EQUAL(slept_ns(0, (struct said){.used_ns = MS, .awaited_ns = 2 * MS}), 0);
	/* or nobody knows, or which of its threads it was */
	CU_ASSERT_EQUAL(slept_ns(0, (struct said){.left = POLLS}), 0);
	CU_ASSERT_EQUAL(slept_ns(0, (struct said){.used_ns = MS, .is_threaded = 1}), 0);
}

static void test_dozes_beside_computation(void)
{
	const int64_t all_ns = POLLS * (MS - 10 * US) - 6 * US;

	/* it slept for as long as between polls, and as often; or perhaps in its computation */
	CU_ASSERT_EQUAL(slept_ns(8 * MS, (struct said){.used_ns = 8 * MS, .left = POLLS}), all_ns);
	CU_ASSERT_EQUAL(slept_ns(8 * MS, (struct said){.used_ns = 8 * MS, .left = 3}), 0);
	CU_ASSERT_EQUAL(slept_ns(8 * MS, (struct said){.used_ns = 12 * MS, .left = POLLS}), 0);
}

/* Who polls for a collective is left alone: what it does between the polls may be its work. */
static void test_dozes_for_messages_only(void)
{
	struct err err;
	struct tables x;

	make(&x, 9500 * US, 0, (struct said){.used_ns = MS});
	x.messages.n = 0;
	CU_ASSERT_FATAL(!dozes_mark(&x.trace, &x.messages, &err));
	CU_ASSERT_EQUAL(x.trace.n_floods, 0);
	release(&x);
}

/* The sleep is a wait, until the message is sent; from then on it keeps the answer from rank 0. */
static void test_dozes_are_waits(void)
{
	struct machine m = tables_machine(5e-6, 1e-6, 1e-9, 1 << 20);
	struct attribution a;
	struct lateness l;
	struct err err = {""};
	struct tables x;
	int64_t slept_ns = 0;

	make(&x, 9300 * US, 0, (struct said){.used_ns = MS});
	CU_ASSERT_FATAL(!dozes_mark(&x.trace, &x.messages, &err));
	a = sums_attribute(&x, &m);
	CU_ASSERT_EQUAL(a.rank_budget[1].parts[COST_late_partner].ns, 9295 * US);
	CU_ASSERT(a.rank_budget[1].parts[COST_compute].ns < 100 * US);
	CU_ASSERT_FATAL(lateness_find(&l, &x.trace, &x.messages, &a, &err) == 0);
	for (size_t k = 0; k < l.n; k++)
		if (l.rows[k].reason == LATENESS_SLEEP) {
			CU_ASSERT_EQUAL(l.rows[k].rank, 1);
			slept_ns += l.rows[k].ns;
		}
	CU_ASSERT(slept_ns > 600 * US && slept_ns <= 700 * US);
	lateness_release(&l);
	attribution_release(&a);
	machine_release(&m);
	release(&x);
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_dozes_where_the_system_says_so),
		SUITE_CASE(test_dozes_beside_computation),
		SUITE_CASE(test_dozes_for_messages_only),
		SUITE_CASE(test_dozes_are_waits),
		CU_TEST_INFO_NULL,
	};

	return suite_run("dozes", tests);
}
