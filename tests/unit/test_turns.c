/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/flow/turns.h"
#include "tests/fixtures/suite.h"

#define NEVER INT64_MAX

static void serve(struct turns_job *job, size_t n)
{
	struct turns p;
	struct err err;

	CU_ASSERT_FATAL(turns_init(&p, 8, &err) == 0);
	CU_ASSERT_FATAL(turns_serve(&p, job, n, &err) == 0);
	turns_release(&p);
}

static void test_turns_connections_share_alike(void)
{
	struct turns_job job[] = {
		{1000, NEVER, 100, 0, 0, 0},
		{1000, NEVER, 100, 1, 1, 0},
		{1000, NEVER, 400, 2, 2, 0},
		{9000, NEVER, 100, 0, 3, 0}, /* finds the port idle */
	};

	serve(job, 4);
	CU_ASSERT_EQUAL(job[0].done_ns, 1300);
	CU_ASSERT_EQUAL(job[1].done_ns, 1300);
	CU_ASSERT_EQUAL(job[2].done_ns, 1600);
	CU_ASSERT_EQUAL(job[3].done_ns, 9100);
}

static void test_turns_a_late_comer_slows_who_is_there(void)
{
	struct turns_job job[] = {
		{50, NEVER, 100, 1, 1, 0},
		{0, NEVER, 100, 0, 0, 0},
	};

	serve(job, 2);
	CU_ASSERT_EQUAL(job[0].message, 0); /* in order of their coming */
	CU_ASSERT_EQUAL(job[0].done_ns, 150);
	CU_ASSERT_EQUAL(job[1].done_ns, 200);
}

/*
 * One connection alone has its messages through as it has beside another that is there too late to
 * be in the way: whatever is ready at once, without work, or gone before the port could do it.
 */
static void test_turns_one_connection_is_served_in_line(void)
{
	enum { JOBS = 400 };
	struct turns_job alone[JOBS], beside[JOBS + 1];
	uint32_t seed = 7, wrong = 0;
	int64_t ready_ns = 0;

	for (uint32_t k = 0; k < JOBS; k++) {
		int64_t limit_ns;

		seed = seed * 1664525 + 1013904223;
		ready_ns += seed >> 28 ? (seed >> 20) % 150 : 0;
		limit_ns = seed % 7 ? NEVER : ready_ns - 50 + (seed >> 10) % 400;
		alone[k] = (struct turns_job){ready_ns, limit_ns, (seed >> 12) % 130, 3, k, 0};
		beside[k] = alone[k];
	}
	beside[JOBS] = (struct turns_job){ready_ns + 1000000, NEVER, 1, 4, JOBS, 0};
	serve(alone, JOBS);
	serve(beside, JOBS + 1);
	for (uint32_t k = 0; k < JOBS; k++)
		wrong += alone[k].done_ns != beside[k].done_ns;
	CU_ASSERT_EQUAL(wrong, 0);
}

/* One connection's messages leave one after the other, beside another's. */
static void test_turns_a_connection_keeps_its_order(void)
{
	struct turns_job job[] = {
		{0, NEVER, 100, 3, 0, 0},
		{0, NEVER, 100, 3, 1, 0},
		{0, NEVER, 100, 5, 2, 0},
	};

	serve(job, 3);
	CU_ASSERT_EQUAL(job[0].done_ns, 200);
	CU_ASSERT_EQUAL(job[2].done_ns, 200);
	CU_ASSERT_EQUAL(job[1].done_ns, 300);
}

/* The trace shows the first done at once: the port served it before the other, not both alike. */
static void test_turns_who_left_early_had_more_than_its_share(void)
{
	struct turns_job job[] = {
		{0, 100, 100, 0, 0, 0},
		{0, NEVER, 100, 1, 1, 0},
	};

	serve(job, 2);
	CU_ASSERT_EQUAL(job[0].done_ns, 100);
	CU_ASSERT_EQUAL(job[1].done_ns, 200);
}

/* Held up elsewhere until then: it takes a tenth of the port, and the others have the rest. */
static void test_turns_apart_leaves_the_others_the_rest(void)
{
	struct turns_job job[] = {
		{0, 1000, 100, TURNS_APART, 0, 0},
		{0, NEVER, 90, 1, 1, 0},
		{0, NEVER, 180, 2, 2, 0},
		{1000, NEVER, 90, 1, 3, 0}, /* when it is over */
	};

	serve(job, 4);
	CU_ASSERT_EQUAL(job[0].done_ns, 1000);
	CU_ASSERT_EQUAL(job[1].done_ns, 200);
	CU_ASSERT_EQUAL(job[2].done_ns, 300);
	CU_ASSERT_EQUAL(job[3].done_ns, 1090);
}

/* If it says that it needs nearly all, nobody has less than an equal share for it. */
static void test_turns_apart_takes_no_more_than_its_share(void)
{
	struct turns_job job[] = {
		{0, 1000, 900, TURNS_APART, 0, 0},
		{0, NEVER, 200, 1, 1, 0},
	};

	serve(job, 2);
	CU_ASSERT_EQUAL(job[0].done_ns, 1000);
	CU_ASSERT_EQUAL(job[1].done_ns, 400);
}

/* Nobody waits for what takes no time, whatever its connection and its limit. */
static void test_turns_without_work_all_pass_as_they_come(void)
{
	struct turns_job job[] = {
		{50, NEVER, 0, 0, 0, 0},
		{10, 5, 0, 0, 1, 0},
		{50, 50, -3, 1, 2, 0},
	};

	serve(job, 3);
	for (uint32_t k = 0; k < 3; k++)
		CU_ASSERT_EQUAL(job[k].done_ns, job[k].ready_ns);
	job[1].work_ns = 60; /* and with somebody who works before them: what is left of that */
	job[1].limit_ns = NEVER;
	serve(job, 3);
	CU_ASSERT_EQUAL(job[0].done_ns, 70);
	for (uint32_t k = 1; k < 3; k++)
		CU_ASSERT(job[k].done_ns >= 50);
}

/* Whatever the limits: nobody is done before its own work, none after all the work. */
static void test_turns_stay_within_the_work(void)
{
	struct turns_job job[200];
	uint64_t seed = 7;
	int64_t all = 0;

	for (uint32_t k = 0; k < 200; k++) {
		seed = seed * 6364136223846793005u + 1442695040888963407u;
		job[k] =
			(struct turns_job){.ready_ns = (int64_t)(seed >> 33) % 3000,
					   .work_ns = (int64_t)(seed >> 43) % 100,
					   .limit_ns = k % 3 ? NEVER : (int64_t)(seed >> 23) % 9000,
					   .connection = k % 8,
					   .message = k};
		all += job[k].work_ns;
	}
	serve(job, 200);
	for (uint32_t k = 0; k < 200; k++) {
		const struct turns_job *j = &job[k];
		int64_t alone = j->ready_ns + j->work_ns;

		CU_ASSERT(j->done_ns >= (j->limit_ns < alone ? j->ready_ns : alone) - 1);
		CU_ASSERT(j->done_ns <= 3000 + all);
		CU_ASSERT(j->done_ns <= j->limit_ns || j->limit_ns < j->ready_ns);
	}
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_turns_connections_share_alike),
		SUITE_CASE(test_turns_a_late_comer_slows_who_is_there),
		SUITE_CASE(test_turns_one_connection_is_served_in_line),
		SUITE_CASE(test_turns_a_connection_keeps_its_order),
		SUITE_CASE(test_turns_who_left_early_had_more_than_its_share),
		SUITE_CASE(test_turns_apart_leaves_the_others_the_rest),
		SUITE_CASE(test_turns_apart_takes_no_more_than_its_share),
		SUITE_CASE(test_turns_without_work_all_pass_as_they_come),
		SUITE_CASE(test_turns_stay_within_the_work),
		CU_TEST_INFO_NULL,
	};

	return suite_run("turns", tests);
}
