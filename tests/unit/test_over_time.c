/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>

#include "analyze/attribution/over_time.h"
#include "report/moments.h"
#include "tests/fixtures/suite.h"
#include "tests/fixtures/sums.h"

#include <math.h>
#include <string.h>

#define MS 1000000

static int64_t sum_of(const struct over_time *x, enum cost part)
{
	int64_t sum = 0;

	for (uint32_t k = 0; k < x->n; k++)
		sum += x->ns[k][part];
	return sum;
}

/* Rank 0 computes for 600 ms, then sends what rank 1 waits for from its 100th ms on. */
static void one_waits(struct tables *x)
{
	uint32_t send, recv;

	tables_init(x, 2, 1);
	send = tables_call(x, 0, REGION_SEND, 600 * MS, 600 * MS + 1000, 0);
	recv = tables_call(x, 1, REGION_RECV, 100 * MS, 600 * MS + 13000, 1);
	tables_message(x, 1000, send, send, recv, recv);
	tables_call(x, 0, REGION_MPI_LOCAL, 999 * MS, 1000 * MS, 2);
	tables_finish(x);
}

/* To the nanosecond what the budget has, and each part when it was. */
static void test_over_time_has_all_of_the_budget(void)
{
	struct machine m = tables_machine(10e-6, 1e-6, 1e-9, 4096);
	struct attribution a;
	struct over_time x;
	struct tables t;

	one_waits(&t);
	a = sums_attribute(&t, &m);
	over_time_find(&x, &t.trace, &a);
	CU_ASSERT_EQUAL(x.n, 100);
	CU_ASSERT_EQUAL(x.piece_ns, 10 * MS);
	for (int c = 0; c < COST_COUNT; c++)
		CU_ASSERT_EQUAL(sum_of(&x, c), a.budget.parts[c].ns);
	for (uint32_t k = 0; k < x.n; k++) {
		int64_t late_ns = x.ns[k][COST_late_partner], own_ns = x.ns[k][COST_compute];

		CU_ASSERT(k >= 10 && k < 60 ? llabs(late_ns - 10 * MS) < 20000 : late_ns < 20000);
		if (k != 60 && k != 99)
			CU_ASSERT(llabs(own_ns + late_ns - 20 * MS) < 20000);
	}
	attribution_release(&a);
	tables_release(&t);
	machine_release(&m);
}

/* What was not recorded is nobody's time. */
static void test_over_time_leaves_out_pauses(void)
{
	struct op ops[] = {{.kind = OP_PAUSE, .time_ns = 705 * MS},
			   {.kind = OP_RESUME, .time_ns = 795 * MS}};
	struct machine m = tables_machine(10e-6, 1e-6, 1e-9, 4096);
	struct attribution a;
	struct over_time x;
	struct tables t;

	one_waits(&t);
	t.trace.ops = ops;
	t.trace.n_ops = t.trace.ranks[0].ops = 2;
	a = sums_attribute(&t, &m);
	over_time_find(&x, &t.trace, &a);
	CU_ASSERT_EQUAL(sum_of(&x, COST_compute), a.budget.parts[COST_compute].ns);
	CU_ASSERT(llabs(x.ns[69][COST_compute] - 20 * MS) < 10);
	CU_ASSERT(llabs(x.ns[70][COST_compute] - 15 * MS) < 10);
	CU_ASSERT(llabs(x.ns[75][COST_compute] - 10 * MS) < 10);
	CU_ASSERT(llabs(x.ns[79][COST_compute] - 15 * MS) < 10);
	t.trace.ops = NULL;
	attribution_release(&a);
	tables_release(&t);
	machine_release(&m);
}

/* Ten pieces, each of 8 s of computation and, of one part, so much. */
static json_t *with_part(const double wire_s[10])
{
	json_t *wire = json_array(), *compute = json_array();
	double all_s = 0;

	for (int k = 0; k < 10; k++) {
		json_array_append_new(wire, json_real(wire_s[k]));
		json_array_append_new(compute, json_real(8.0));
		all_s += wire_s[k];
	}
	return json_pack("{s:{s:s}, s:{s:{s:{s:f}}}, s:{s:f, s:{s:o, s:o}}}", "summary", "largest",
			 "wire", "budget", "parts", "wire", "share", all_s / (all_s + 80.0),
			 "timeline", "piece_s", 2.0, "parts", "wire", wire, "compute", compute);
}

/* It is said only of what is in a small part of the run. */
static void test_over_time_says_when_most_was_lost(void)
{
	static const struct {
		double wire_s[10];
		const char *says;
	} rows[] = {
		{{1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, ""},
		{{0.1, 0, 0, 0, 0, 3, 4, 0, 0, 0.5},
		 "half of the wire (L, G) is between 12.0 s and 14.0 s of the run"},
		{{0, 0, 0, 0, 0, 0, 0, 0, 3, 3.1},
		 "half of the wire (L, G) is between 18.0 s and 20.0 s of the run"},
		{{0, 0, 0.1, 0, 0, 0, 0, 0, 0, 0}, ""},
	};

	for (size_t k = 0; k < sizeof(rows) / sizeof(rows[0]); k++) {
		json_t *document = with_part(rows[k].wire_s);
		char text[200];

		CU_ASSERT_STRING_EQUAL(moments_of_largest(document, sizeof(text), text),
				       rows[k].says);
		json_decref(document);
	}
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_over_time_has_all_of_the_budget),
		SUITE_CASE(test_over_time_leaves_out_pauses),
		SUITE_CASE(test_over_time_says_when_most_was_lost),
		CU_TEST_INFO_NULL,
	};

	return suite_run("over_time", tests);
}
