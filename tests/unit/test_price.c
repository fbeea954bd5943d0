/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/flow/price.h"

#include "tests/fixtures/suite.h"

/* Messages of two sizes, of which nothing tells apart how long the receiver handles them. */
static struct machine_class not_told(struct plogp_point points[2])
{
	return (struct machine_class){
		.L_s = 10e-6, .n = 2, .points = points, .joint = MACHINE_JOINT_O_R};
}

/* What small messages take may all be handling, also on machines that are fast. */
static void test_price_of_handlers_that_small_messages_allow(void)
{
	struct plogp_point points[] = {{.bytes = 8, .g_s = 140e-6}, {.bytes = 100000, .g_s = 5e-3}};
	struct machine_class c = not_told(points);
	int64_t small_ns = price_at(&c, SCENARIO_HANDLERS, 8).o_r_ns;
	int64_t large_ns = price_at(&c, SCENARIO_HANDLERS, 100000).o_r_ns;

	CU_ASSERT_EQUAL(small_ns, 150000);
	CU_ASSERT(large_ns >= small_ns);
	CU_ASSERT(large_ns < 2000000);
}

/* What large ones take is their bytes', which no receiver is so slow with. */
static void test_price_of_handlers_where_all_messages_are_large(void)
{
	struct plogp_point points[] = {{.bytes = 50000, .g_s = 3e-3},
				       {.bytes = 100000, .g_s = 5e-3}};
	struct machine_class c = not_told(points);

	CU_ASSERT(price_at(&c, SCENARIO_HANDLERS, 50000).o_r_ns < 1000000);
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_price_of_handlers_that_small_messages_allow),
		SUITE_CASE(test_price_of_handlers_where_all_messages_are_large),
		CU_TEST_INFO_NULL,
	};

	return suite_run("price", tests);
}
