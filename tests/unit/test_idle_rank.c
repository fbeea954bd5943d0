/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Imbalance where one rank has nothing to do, or serves those that work. */
#include <string.h>

#include "tests/fixtures/exchange.h"
#include "tests/fixtures/findings.h"
#include "tests/fixtures/suite.h"

#define MS    1000000
#define RANKS 8
#define STEPS 20
#define IDLE  5

/*
 * In each step the others compute 10 ms and up to vary_ns more, and all meet; in collectives with
 * that root, if it is none below 0.
 */
static struct hotspots find(int64_t vary_ns, int32_t root)
{
	struct tables x;
	struct hotspots h;
	uint64_t seed = 1;
	int64_t now = 0;

	tables_init(&x, RANKS, 1);
	for (uint32_t step = 0; step < STEPS; step++) {
		int64_t enter[RANKS], last = 0;

		for (uint32_t r = 0; r < RANKS; r++) {
			int64_t ns = r == IDLE ? MS / 10 : 10 * MS + exchange_draw(&seed, vary_ns);

			enter[r] = now + ns;
			last = enter[r] > last ? enter[r] : last;
		}
		now = last + 10000;
		tables_collective(&x, enter, now, 4);
	}
	tables_finish(&x);
	for (uint32_t k = 0; k < x.collectives.n; k++)
		x.collectives.c[k].root = root;
	h = findings_of(&x, tables_machine(10e-6, 1e-6, 1e-9, 65536));
	tables_release(&x);
	return h;
}

static const char *title(const struct hotspots *h)
{
	const struct hotspot *x = findings_one(h, "imbalance");

	return x ? x->title : "";
}

/* What any computation varies by is not work of which another rank has most in each step. */
static void test_idle_rank_is_named(void)
{
	struct hotspots h = find(7 * MS, -1);

	CU_ASSERT_PTR_NOT_NULL(strstr(title(&h), "rank 5 computes 1 % of the mean"));
	hotspots_release(&h);
	h = find(40 * MS, -1);
	CU_ASSERT_PTR_NOT_NULL(strstr(title(&h), "another rank computes longest"));
	hotspots_release(&h);
}

/* The root of all collectives hands out the others' work: it shall not do some of it. */
static void test_idle_root_has_no_share(void)
{
	struct hotspots h = find(MS, IDLE);

	CU_ASSERT_STRING_EQUAL(title(&h), "");
	hotspots_release(&h);
	h = find(MS, IDLE + 1);
	CU_ASSERT_PTR_NOT_NULL(strstr(title(&h), "rank 5 computes 1 % of the mean"));
	hotspots_release(&h);
}

/*
 * Each sends rank 0 a record, which it handles for 1 ms and writes for io_ns, after each 10 ms of
 * its work; the last one works more_ns longer.
 */
static struct hotspots find_logged(int64_t more_ns, int64_t io_ns)
{
	int64_t now = 0, free_ns[RANKS] = {0};
	struct tables x;
	struct hotspots h;

	tables_init(&x, RANKS, 1);
	for (uint32_t step = 0; step < STEPS; step++) {
		for (uint32_t r = 1; r < RANKS; r++) {
			int64_t own_ns = 10 * MS + r * MS / 10 + (r == RANKS - 1 ? more_ns : 0);
			int64_t sent_ns = free_ns[r] + own_ns, there_ns = sent_ns + 12000;
			uint32_t send = tables_call(&x, r, REGION_SEND, sent_ns, sent_ns + 1000, 2);
			uint32_t recv;

			there_ns = there_ns > now + 2000 ? there_ns : now + 2000;
			recv = tables_call(&x, 0, REGION_RECV, now, there_ns, 4);
			tables_message(&x, 8, send, send, recv, recv);
			if (io_ns)
				tables_call(&x, 0, REGION_IO, there_ns, there_ns + io_ns, 6);
			now = there_ns + io_ns + MS;
			free_ns[r] = sent_ns + 1000;
		}
	}
	free_ns[0] = now;
	now = free_ns[RANKS - 1] > now ? free_ns[RANKS - 1] : now;
	tables_collective(&x, free_ns, now + 10000, 5);
	tables_finish(&x);
	h = findings_of(&x, tables_machine(10e-6, 1e-6, 1e-9, 65536));
	tables_release(&x);
	return h;
}

/* Who takes records of the others' work has none of it; the others' may be uneven. */
static void test_idle_logger_has_no_share(void)
{
	double saved_s = STEPS * 10e-3 * (RANKS - 2) / (RANKS - 1);
	struct hotspots h = find_logged(0, 0);
	const struct hotspot *x;

	CU_ASSERT_STRING_EQUAL(title(&h), "");
	hotspots_release(&h);
	h = find_logged(10 * MS, 0);
	x = findings_one(&h, "imbalance");
	CU_ASSERT_FATAL(x != NULL);
	CU_ASSERT_PTR_NOT_NULL(strstr(x->title, "rank 7 computes 1.8 times the mean"));
	CU_ASSERT_PTR_NOT_NULL(strstr(x->why, "without rank 0, which serves the others"));
	CU_ASSERT_DOUBLE_EQUAL(x->saves_mid_s, saved_s, 0.1 * saved_s);
	hotspots_release(&h);
}

/* A writer that is not done before the others has too much to do. */
static void test_idle_writer_is_not_idle(void)
{
	struct hotspots h = find_logged(0, 8 * MS);

	CU_ASSERT_STRING_EQUAL(title(&h), "rank 0 accesses files, the others wait");
	hotspots_release(&h);
}

/* Who takes the others' results in each step, in which all meet, has its share of the work. */
static void test_idle_is_not_who_meets_the_others(void)
{
	int64_t now = 0;
	const struct hotspot *found;
	struct tables x;
	struct hotspots h;

	tables_init(&x, RANKS, 1);
	for (uint32_t step = 0; step < STEPS; step++) {
		int64_t enter[RANKS];

		enter[0] = now + 4 * MS;
		for (uint32_t r = 1; r < RANKS; r++) {
			int64_t sent_ns = now + 10 * MS + (r == 3) * 6 * MS;
			int64_t there_ns = sent_ns + 12000;
			uint32_t send = tables_call(&x, r, REGION_SEND, sent_ns, sent_ns + 1000, 2);
			uint32_t recv;

			there_ns = there_ns > enter[0] + 2000 ? there_ns : enter[0] + 2000;
			recv = tables_call(&x, 0, REGION_RECV, enter[0], there_ns, 4);
			tables_message(&x, 8, send, send, recv, recv);
			enter[0] = there_ns;
			enter[r] = sent_ns + 1000;
		}
		now = enter[0] + 20000;
		tables_collective(&x, enter, now, 5);
	}
	tables_finish(&x);
	h = findings_of(&x, tables_machine(10e-6, 1e-6, 1e-9, 65536));
	found = findings_one(&h, "imbalance");
	CU_ASSERT_FATAL(found != NULL);
	CU_ASSERT_PTR_NOT_NULL(strstr(found->title, "rank 3 computes 1.6 times the mean"));
	CU_ASSERT_PTR_NULL(strstr(found->why, "without rank"));
	hotspots_release(&h);
	tables_release(&x);
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_idle_rank_is_named),
		SUITE_CASE(test_idle_root_has_no_share),
		SUITE_CASE(test_idle_logger_has_no_share),
		SUITE_CASE(test_idle_writer_is_not_idle),
		SUITE_CASE(test_idle_is_not_who_meets_the_others),
		CU_TEST_INFO_NULL,
	};

	return suite_run("idle_rank", tests);
}
