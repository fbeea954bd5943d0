/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "tests/unit/findings.h"
#include "tests/unit/suite.h"

#define US     1000
#define ROUNDS 20
#define SITE   5

/*
 * Rank 1 waits 1 ms for each message of rank 0, in so many polls that took inside_ns of it: 0
 * stands for one MPI_Wait. So many ranks share a core. is_told: the trace says of each message that the
 * polls did not find it.
 */
static struct hotspots find_of(double crowd, uint64_t polls, int64_t inside_ns, int is_told)
{
	struct flood *floods = calloc(ROUNDS, sizeof(*floods));
	struct tables x;
	struct hotspots h;
	int64_t now = 0;

	tables_init(&x, 2, 1);
	for (uint32_t round = 0; round < ROUNDS; round++) {
		int64_t end = now + 1000 * US;
		uint32_t send = tables_call(&x, 0, REGION_SEND, end - 15 * US, end - 14 * US, 1);
		uint32_t post = tables_call(&x, 1, REGION_IRECV, now, now + US, 2), done;

		if (inside_ns) {
			uint32_t call = tables_call(&x, 1, REGION_TEST, now + US, end - US, SITE);

			floods[round] = (struct flood){polls, inside_ns};
			x.trace.calls[call].flood = round;
			done = tables_call(&x, 1, REGION_TEST, end - US, end, SITE);
		} else {
			done = tables_call(&x, 1, REGION_WAIT, now + US, end, SITE);
		}
		tables_message(&x, 8, send, send, post, done);
		now = end + 10 * US;
	}
	x.trace.floods = floods;
	x.trace.n_floods = ROUNDS;
	tables_finish(&x);
	for (uint32_t i = 0; i < x.messages.n && is_told; i++)
		x.messages.m[i].not_here_ns =
			x.trace.calls[x.messages.m[i].recv_done].enter_ns - US;
	for (uint32_t r = 0; r < 2; r++)
		x.trace.ranks[r].crowd = crowd;
	h = findings_of(&x, tables_machine(10e-6, 1e-6, 1e-9, 65536));
	free(floods);
	x.trace.floods = NULL;
	tables_release(&x);
	return h;
}

static struct hotspots find_on(double crowd, int64_t inside_ns, int is_told)
{
	return find_of(crowd, 500, inside_ns, is_told);
}

static struct hotspots find(int64_t inside_ns)
{
	return find_on(1, inside_ns, 0);
}

/* 400 us of 1 ms in polls, 600 us of computation between them. */
static void test_rule_polling_while_computing(void)
{
	struct hotspots h = find(400 * US);
	const struct hotspot *x = findings_one(&h, "polling");

	CU_ASSERT_FATAL(x != NULL);
	CU_ASSERT_EQUAL(x->site, SITE);
	CU_ASSERT_EQUAL(x->rank, 1);
	CU_ASSERT_DOUBLE_EQUAL(x->saves_high_s, ROUNDS * 400e-6, 1e-6);
	CU_ASSERT_DOUBLE_EQUAL(x->saves_mid_s, ROUNDS * 200e-6, 1e-6); /* of two ranks, one polls */
	CU_ASSERT_EQUAL(findings_evidence(x, "polls"), ROUNDS * 500);
	CU_ASSERT_PTR_NOT_NULL(strstr(x->why, "; in the budget send overhead (o_s) 8.00 ms"));
	CU_ASSERT_EQUAL(findings_contention(&h), 0);
	hotspots_release(&h);
}

/* Between pieces of computation too, but for what is computed after the last one: no message would come sooner. */
static void test_rule_polling_is_not_waiting(void)
{
	struct hotspots h = find_on(1, 400 * US, 1);
	const struct hotspot *x = findings_one(&h, "polling");

	CU_ASSERT(x == NULL || x->saves_high_s < ROUNDS * 11e-6);
	hotspots_release(&h);
}

/* As a way to wait: nothing is promised but a core, and that only to ranks that share it. */
static void test_rule_polling_as_a_wait_promises_a_core(void)
{
	struct hotspots h = find_on(2, 995 * US, 1);
	const struct hotspot *x = findings_one(&h, "polling");

	CU_ASSERT_FATAL(x != NULL);
	CU_ASSERT_EQUAL(x->saves_mid_s, 0);
	CU_ASSERT_DOUBLE_EQUAL(x->saves_high_s, ROUNDS * 995e-6, 1e-6);
	CU_ASSERT_EQUAL(x->severity, SEVERITY_LOW);
	hotspots_release(&h);
	h = find_on(1, 995 * US, 1);
	CU_ASSERT(findings_one(&h, "polling") == NULL);
	hotspots_release(&h);
}

/* 6 ns between polls are a loop's, 40 times as many a program's. */
static void test_rule_polling_takes_no_loop_for_work(void)
{
	struct hotspots h = find_of(1, 20000, 878 * US, 0);

	CU_ASSERT(findings_one(&h, "polling") == NULL);
	hotspots_release(&h);
	h = find_of(1, 500, 878 * US, 0);
	CU_ASSERT(findings_one(&h, "polling") != NULL);
	hotspots_release(&h);
}

static void test_rule_polling_is_silent_on_waits(void)
{
	struct hotspots h = find(0);

	CU_ASSERT(findings_one(&h, "polling") == NULL);
	CU_ASSERT_EQUAL(findings_contention(&h), 0);
	hotspots_release(&h);
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_rule_polling_while_computing),
		SUITE_CASE(test_rule_polling_is_not_waiting),
		SUITE_CASE(test_rule_polling_as_a_wait_promises_a_core),
		SUITE_CASE(test_rule_polling_takes_no_loop_for_work),
		SUITE_CASE(test_rule_polling_is_silent_on_waits),
		CU_TEST_INFO_NULL,
	};

	return suite_run("rule_polling", tests);
}
