/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A flow of the simulated machine is found again by the whole nanosecond at which it starts. */
#include "tests/smpi/flow_table.h"

#include <string.h>

#include "tests/fixtures/scratch.h"
#include "tests/fixtures/suite.h"

/* Within a host, 0.8 ns before 1 ms and 0.4 ns after; to another, two at 2 ms. */
static const char flows[] = "src,dst,bytes,start_s,end_s,free_s\n"
			    "0,0,2016,0.9999992e-3,0.0011,1e-4\n"
			    "0,0,2016,1.0000004e-3,0.0012,1e-4\n"
			    "0,1,2016,2.0000000e-3,0.0024,1e-4\n"
			    "0,1,2016,2.0000003e-3,0.0023,1e-4\n";

static struct flow_table table;

static int enter(void)
{
	char *scratch = scratch_new();
	struct err err;
	int ret;

	scratch_store(scratch_path(scratch, "flows.csv"), flows, strlen(flows));
	ret = flow_table_read(scratch_path(scratch, "flows.csv"), &table, &err);
	scratch_free(scratch);
	return ret;
}

static int leave(void)
{
	flow_table_release(&table);
	return 0;
}

static double end_s(unsigned dst, double start_s)
{
	const struct sim_flow *f = flow_table_take(&table, 0, dst, 2016, start_s);

	return f ? f->end_s : 0;
}

/* The later message asks first; the earlier one's flow is in its reach as well. */
static void test_each_takes_its_own_flow(void)
{
	CU_ASSERT_DOUBLE_EQUAL(end_s(0, 1.000000e-3), 0.0012, 0);
	CU_ASSERT_DOUBLE_EQUAL(end_s(0, 0.999999e-3), 0.0011, 0);
	CU_ASSERT_DOUBLE_EQUAL(end_s(0, 1.000000e-3), 0, 0);
}

static void test_out_of_reach_is_no_flow(void)
{
	CU_ASSERT_PTR_NULL(flow_table_take(&table, 0, 1, 2016, 2.000002e-3));
	CU_ASSERT_PTR_NULL(flow_table_take(&table, 0, 1, 2000, 2.000000e-3));
}

static void test_of_one_nanosecond_the_first_to_end_is_first(void)
{
	CU_ASSERT_DOUBLE_EQUAL(end_s(1, 2.000000e-3), 0.0023, 0);
	CU_ASSERT_DOUBLE_EQUAL(end_s(1, 2.000000e-3), 0.0024, 0);
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_each_takes_its_own_flow),
		SUITE_CASE(test_out_of_reach_is_no_flow),
		SUITE_CASE(test_of_one_nanosecond_the_first_to_end_is_first),
		CU_TEST_INFO_NULL,
	};

	return suite_run_between("flow_table", enter, leave, tests);
}
