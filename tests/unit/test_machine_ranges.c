/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What each size's own intervals do to those of a report. */
#include "analyze/machine/machine_ranges.h"

#include "tests/fixtures/suite.h"
#include "tests/fixtures/sums.h"

#include <jansson.h>

#define US 1000

static json_t *estimate(double value, double half)
{
	return json_pack("{s:f, s:f, s:f, s:i, s:b}", "value", value, "low", value - half, "high",
			 value + half, "n", 99, "identifiable", 1);
}

/* Of a machine of 10 us, 1 us and 2 ns a byte: overheads of 1 us +- 0.5, the whole +- 2 us. */
static json_t *point(double bytes)
{
	double g = 2e-6 + 2e-9 * bytes;

	return json_pack("{s:o, s:o, s:o, s:o}", "o_s", estimate(1e-6, 0.5e-6), "o_r",
			 estimate(1e-6, 0.5e-6), "g", estimate(g, 0), "L_g",
			 estimate(10e-6 + g, 2e-6));
}

/*
 * A message that takes 14 us: the wire is what overheads leave, which may be longer when it is
 * shorter.
 */
static void test_machine_ranges_wire_is_what_overheads_leave(void)
{
	struct machine m = tables_machine(10e-6, 1e-6, 2e-9, 1 << 20);
	json_t *points = json_pack("[o, o]", point(0), point(1e6));
	struct attribution a;
	struct tables x;
	struct err err;
	uint32_t s, r;
	int k;

	for (k = 0; k < LOCALITY_COUNT; k++)
		CU_ASSERT_EQUAL(machine_ranges_take(points, "toy", &m.classes[k], &err), 0);
	tables_init(&x, 2, 1);
	s = tables_call(&x, 0, REGION_SEND, 50 * US, 51 * US, 0);
	r = tables_call(&x, 1, REGION_RECV, 0, 64 * US, 1);
	tables_message(&x, 1000, s, s, r, r);
	tables_finish(&x);
	a = sums_attribute(&x, &m);
	CU_ASSERT(sums_add_up(&x, &a));
	CU_ASSERT_EQUAL(a.blame.parts[COST_wire].ns, 12 * US);
	CU_ASSERT(a.blame.parts[COST_wire].low_ns <= 9 * US); /* 12 - 2 * 1.5 */
	CU_ASSERT(a.blame.parts[COST_wire].high_ns >= 13 * US);
	attribution_release(&a);
	tables_release(&x);
	machine_release(&m);
	json_decref(points);
}

static CU_TestInfo tests[] = {
	SUITE_CASE(test_machine_ranges_wire_is_what_overheads_leave),
	CU_TEST_INFO_NULL,
};

int main(void)
{
	return suite_run("machine_ranges", tests);
}
