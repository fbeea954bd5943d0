/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files that MPI opens, reads and writes: where the analysis has that time, and what it tells. */
#include <string.h>

#include "analyze/attribution/lateness.h"
#include "tests/fixtures/findings.h"
#include "tests/fixtures/suite.h"
#include "tests/fixtures/sums.h"

#define US    1000
#define MS    1000000
#define RANKS 8
#define STEPS 20
#define WRITE 3
#define AFTER 4

static struct machine machine(void)
{
	return tables_machine(10e-6, 1e-6, 1e-9, 65536);
}

/*
 * Rank 1 is the last to open the file, which rank 0 may have waited for, and nobody after that. Who
 * waits for his own access, or asks until it is done, does nothing else.
 */
static void test_file_access_is_a_part(void)
{
	struct machine m = machine();
	const struct part *p;
	struct attribution a;
	uint32_t call;
	struct tables x;

	tables_init(&x, 2, 1);
	for (uint32_t k = 0; k < 2; k++) {
		call = tables_call(&x, k, REGION_COLLECTIVE, (10 + k * 20) * US, 40 * US, 0);
		x.trace.calls[call].is_of_files = 1;
	}
	tables_call(&x, 0, REGION_IO, 50 * US, 150 * US, 0);
	call = tables_call(&x, 0, REGION_WAIT, 160 * US, 180 * US, 0);
	x.trace.calls[call].is_of_files = 1;
	tables_call(&x, 0, REGION_WAIT, 190 * US, 191 * US, 0);
	tables_call(&x, 0, REGION_TEST, 200 * US, 201 * US, 0);
	call = tables_call(&x, 0, REGION_TEST, 210 * US, 240 * US, 0);
	x.trace.calls[call].is_of_files = 1;
	tables_finish(&x);
	x.trace.regions[REGION_COLLECTIVE].is_of_files = 1;
	a = sums_attribute(&x, &m);
	CU_ASSERT(sums_add_up(&x, &a));
	p = &a.budget.parts[COST_file_access];
	CU_ASSERT_EQUAL(p->ns, 190 * US);
	CU_ASSERT_EQUAL(p->low_ns, 170 * US);
	CU_ASSERT_EQUAL(p->high_ns, 190 * US);
	CU_ASSERT_EQUAL(a.budget.parts[COST_send_overhead].ns, 1 * US);
	CU_ASSERT_EQUAL(a.budget.parts[COST_collective_wait].high_ns, 20 * US);
	CU_ASSERT_EQUAL(a.rank_budget[1].parts[COST_file_access].low_ns, 10 * US);
	CU_ASSERT_EQUAL(a.budget.parts[COST_not_identifiable].ns, 1 * US);
	attribution_release(&a);
	tables_release(&x);
	machine_release(&m);
}

/* What a call waits for beside a message that was there long ago is no handling of that. */
static void test_file_access_beside_a_message(void)
{
	struct machine m = machine();
	uint32_t send, post, wait;
	struct attribution a;
	struct tables x;

	tables_init(&x, 2, 1);
	send = tables_call(&x, 0, REGION_SEND, 10 * US, 11 * US, 0);
	post = tables_call(&x, 1, REGION_IRECV, 5 * US, 6 * US, 0);
	wait = tables_call(&x, 1, REGION_WAITALL, 100 * US, 500 * US, 0);
	tables_message(&x, 8, send, send, post, wait);
	x.trace.calls[wait].is_of_files = 1;
	tables_finish(&x);
	a = sums_attribute(&x, &m);
	CU_ASSERT(sums_add_up(&x, &a));
	CU_ASSERT(a.budget.parts[COST_file_access].ns > 380 * US);
	CU_ASSERT(a.budget.parts[COST_file_access].low_ns < 10 * US);
	attribution_release(&a);
	tables_release(&x);
	machine_release(&m);
}

/* One rank writes for longer than all compute, then all meet. */
static void write_alone(struct tables *x)
{
	int64_t now = 0;

	tables_init(x, RANKS, 1);
	for (uint32_t step = 0; step < STEPS; step++) {
		int64_t enter[RANKS];

		for (uint32_t r = 0; r < RANKS; r++) {
			tables_call(x, r, REGION_MPI_LOCAL, now, now + US, 2);
			enter[r] = now + 10 * MS + r * 1000;
		}
		tables_call(x, 0, REGION_IO, now + 9 * MS, now + 18 * MS, WRITE);
		enter[0] = now + 18 * MS;
		now += 18 * MS + 20 * US;
		tables_collective(x, enter, now, AFTER);
	}
	tables_finish(x);
}

static void test_file_access_is_what_others_wait_for(void)
{
	struct hotspots h;
	const struct hotspot *found;
	struct tables x;

	write_alone(&x);
	h = findings_of(&x, machine());
	found = findings_one(&h, "imbalance");
	CU_ASSERT_FATAL(found != NULL);
	CU_ASSERT_EQUAL(found->rank, 0);
	CU_ASSERT_STRING_EQUAL(found->title, "rank 0 accesses files, the others wait");
	CU_ASSERT_EQUAL(found->site, WRITE);
	CU_ASSERT(strstr(found->why, "180 ms of that in access to files, most in MPI_File_read") !=
		  NULL);
	CU_ASSERT(strstr(found->advice, "MPI_File_write_at_all") != NULL);
	CU_ASSERT_DOUBLE_EQUAL(found->saves_mid_s, STEPS * 7e-3, STEPS * 5e-4);
	hotspots_release(&h);
	tables_release(&x);
}

/* From step to step another rank writes, or all but one. */
static void test_file_access_of_others(void)
{
	static const char *const titles[] = {
		"from step to step another rank accesses files longest, the others wait",
		"rank 0 accesses files for least, and waits for the others"};

	for (int all = 0; all < 2; all++) {
		struct hotspots h;
		const struct hotspot *found;
		struct tables x;
		int64_t now = 0;

		tables_init(&x, RANKS, 1);
		for (uint32_t step = 0; step < STEPS; step++) {
			int64_t enter[RANKS];

			for (uint32_t r = 0; r < RANKS; r++) {
				int writes = all ? r > 0 : step % RANKS == r;

				tables_call(&x, r, REGION_MPI_LOCAL, now, now + US, 2);
				enter[r] = now + 5 * MS + (writes ? 20 * MS : 0);
				if (writes)
					tables_call(&x, r, REGION_IO, now + 4 * MS, enter[r],
						    WRITE);
			}
			now += 25 * MS + 20 * US;
			tables_collective(&x, enter, now, AFTER);
		}
		tables_finish(&x);
		h = findings_of(&x, machine());
		found = findings_one(&h, "imbalance");
		CU_ASSERT_FATAL(found != NULL);
		CU_ASSERT_STRING_EQUAL(found->title, titles[all]);
		CU_ASSERT(strstr(found->advice, "MPI_File_write_at_all") != NULL);
		hotspots_release(&h);
		tables_release(&x);
	}
}

static void test_file_access_keeps_others(void)
{
	struct machine m = machine();
	struct attribution a;
	struct lateness late;
	uint32_t send, recv;
	struct tables x;
	struct err err;

	tables_init(&x, 2, 1);
	tables_call(&x, 0, REGION_IO, 10 * US, 110 * US, WRITE);
	send = tables_call(&x, 0, REGION_SEND, 120 * US, 121 * US, 0);
	recv = tables_call(&x, 1, REGION_RECV, 10 * US, 140 * US, 0);
	tables_message(&x, 8, send, send, recv, recv);
	tables_finish(&x);
	a = sums_attribute(&x, &m);
	CU_ASSERT_FATAL(!lateness_find(&late, &x.trace, &x.messages, &a, &err));
	CU_ASSERT_EQUAL_FATAL(late.n, 2);
	CU_ASSERT_EQUAL(late.rows[0].reason, LATENESS_FILES);
	CU_ASSERT_EQUAL(late.rows[0].ns, 100 * US);
	CU_ASSERT_EQUAL(x.trace.calls[late.rows[0].at].site, WRITE);
	CU_ASSERT_EQUAL(late.rows[1].reason, LATENESS_COMPUTATION);
	lateness_release(&late);
	attribution_release(&a);
	tables_release(&x);
	machine_release(&m);
}

static const struct what_if faster = {"processors", {1, 1, 1, 2}};

/* Of 18 ms a step 9 are computation: writing takes as long as it does. */
static void test_file_access_is_no_computation(void)
{
	struct what_if_saving s;
	struct tables x;

	write_alone(&x);
	s = findings_what_if(&x, machine(), &faster);
	CU_ASSERT_DOUBLE_EQUAL(s.likely_s, STEPS * 4.5e-3, STEPS * 1e-4);
	CU_ASSERT(s.most_s < STEPS * 5.5e-3);
	tables_release(&x);
}

/* Rank 1 computes for 20 ms before all write for 1 ms, the other none: it may wait for that. */
static void test_file_access_may_wait_for_computation(void)
{
	struct what_if_saving s;
	struct tables x;
	int64_t now = 0;

	tables_init(&x, 2, 1);
	for (uint32_t step = 0; step < STEPS; step++)
		for (uint32_t r = 0; r < 2; r++) {
			int64_t begin = now + (r ? 20 * MS : 1000);
			uint32_t call =
				tables_call(&x, r, REGION_COLLECTIVE, begin, now + 21 * MS, WRITE);

			x.trace.calls[call].is_of_files = 1;
			now += r ? 21 * MS : 0;
		}
	tables_finish(&x);
	x.trace.regions[REGION_COLLECTIVE].is_of_files = 1;
	s = findings_what_if(&x, machine(), &faster);
	CU_ASSERT(s.most_s > 0.9 * STEPS * 10e-3 && s.most_s < 1.1 * STEPS * 10e-3);
	tables_release(&x);
}

int main(void)
{
	CU_TestInfo cases[] = {
		SUITE_CASE(test_file_access_is_a_part),
		SUITE_CASE(test_file_access_beside_a_message),
		SUITE_CASE(test_file_access_is_what_others_wait_for),
		SUITE_CASE(test_file_access_of_others),
		SUITE_CASE(test_file_access_keeps_others),
		SUITE_CASE(test_file_access_is_no_computation),
		SUITE_CASE(test_file_access_may_wait_for_computation),
		CU_TEST_INFO_NULL,
	};

	return suite_run("file_access", cases);
}
