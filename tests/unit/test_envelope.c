/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/attribution/envelope.h"

#include "tests/fixtures/suite.h"

#define TOTAL_NS 100

/* A size in a damaged archive takes any time: no sum of such bounds wraps. */
static void test_envelope_no_part_is_more_than_all(void)
{
	struct view v = {.total_ns = TOTAL_NS};

	v.parts[COST_compute] = (struct part){.ns = TOTAL_NS, .high_ns = TOTAL_NS};
	v.parts[COST_wire].high_ns = INT64_MAX / 2;
	v.parts[COST_receive_overhead].high_ns = INT64_MAX / 2;
	v.parts[COST_send_overhead].high_ns = INT64_MAX / 2;
	envelope_bound(&v);
	for (int c = 0; c < COST_COUNT; c++) {
		CU_ASSERT_EQUAL(v.parts[c].low_ns, 0);
		CU_ASSERT(v.parts[c].high_ns >= v.parts[c].ns && v.parts[c].high_ns <= TOTAL_NS);
	}
	CU_ASSERT_EQUAL(v.parts[COST_wire].high_ns, TOTAL_NS);
}

static CU_TestInfo tests[] = {
	SUITE_CASE(test_envelope_no_part_is_more_than_all),
	CU_TEST_INFO_NULL,
};

int main(void)
{
	return suite_run("envelope", tests);
}
