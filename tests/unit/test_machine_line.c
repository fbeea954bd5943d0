/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sizes that were never seen alone, beside the line through those that were. */
#include "analyze/machine/machine.h"
#include "tests/fixtures/suite.h"
#include "tests/fixtures/sums.h"

#define US     1000
#define ROUNDS 40

/* n messages at once between as many pairs of ranks; their receivers come late_ns after them. */
static void transfer(struct tables *x, uint32_t n, uint64_t bytes, int64_t at_ns, int64_t late_ns,
		     int64_t took_ns)
{
	for (uint32_t k = 0; k < n; k++) {
		uint32_t s = tables_call(x, 2 * k, REGION_ISEND, at_ns, at_ns, 0);
		uint32_t r =
			tables_call(x, 2 * k + 1, REGION_RECV, at_ns + late_ns, at_ns + took_ns, 1);

		tables_message(x, bytes, s, s, r, r);
	}
}

/*
 * Messages of 100 and of 1000 bytes are alone, 10 us and 20 ns a byte. Three of large_bytes each
 * are always under way together, and take large_ns. All are of this class; within a node, nobody
 * waits for the large ones.
 */
static struct machine machine_of(enum locality class, uint64_t large_bytes, int64_t large_ns)
{
	struct machine m;
	struct tables x;
	struct err err;

	tables_init(&x, 6, class == LOCALITY_NODE ? 6 : 1);
	for (int k = 0; k < ROUNDS; k++) {
		int64_t at = 100 * US + k * 10000 * US;

		transfer(&x, 1, 100, at, -US, 12 * US);
		transfer(&x, 1, 1000, at + 1000 * US, -US, 30 * US);
		transfer(&x, 3, large_bytes, at + 2000 * US,
			 class == LOCALITY_NODE ? large_ns - 5 * US : -US, large_ns);
	}
	tables_finish(&x);
	CU_ASSERT_FATAL(machine_from_trace(&x.trace, &x.messages, &m, &err) == 0);
	CU_ASSERT_EQUAL_FATAL(m.classes[class].n, 3);
	tables_release(&x);
	return m;
}

static double time_s(const struct machine_class *c, uint32_t point)
{
	return machine_latency_s(c, (uint64_t)c->points[point].bytes) + c->points[point].g_s;
}

/* On the line: whoever was beside it was not in its way. */
static void test_machine_line_clears_who_is_on_it(void)
{
	struct machine m = machine_of(LOCALITY_NETWORK, 8000, 170 * US);
	const struct machine_class *c = &m.classes[LOCALITY_NETWORK];

	CU_ASSERT_DOUBLE_EQUAL(time_s(c, 2), 170e-6, 1e-8);
	CU_ASSERT_EQUAL(c->company, 0);
	CU_ASSERT_EQUAL(c->beyond, 0);
	CU_ASSERT_EQUAL(machine_more_s(c, 8000), 0);
	machine_release(&m);
}

/* Above it: what it takes more is the others' or its own, and nothing tells. */
static void test_machine_line_leaves_open_what_is_above_it(void)
{
	struct machine m = machine_of(LOCALITY_NETWORK, 8000, 510 * US);
	const struct machine_class *c = &m.classes[LOCALITY_NETWORK];

	CU_ASSERT_DOUBLE_EQUAL(time_s(c, 2), 170e-6, 1e-8);
	CU_ASSERT_DOUBLE_EQUAL(machine_more_s(c, 8000), 340e-6, 1e-8);
	CU_ASSERT(c->company > 0);
	CU_ASSERT_EQUAL(c->crowding, 0);
	CU_ASSERT_DOUBLE_EQUAL(c->beyond, 2, 1e-3); /* 3 times the 170 us */
	machine_release(&m);
}

/* Within a node, where nothing else would say that it was left open. */
static void test_machine_line_says_so_within_a_node(void)
{
	struct machine m = machine_of(LOCALITY_NODE, 4000, 135 * US);
	const struct machine_class *c = &m.classes[LOCALITY_NODE];

	CU_ASSERT_DOUBLE_EQUAL(time_s(c, 2), 90e-6, 1e-8);
	CU_ASSERT_DOUBLE_EQUAL(machine_more_s(c, 4000), 45e-6, 1e-8);
	CU_ASSERT_EQUAL(c->company, 0);
	CU_ASSERT_EQUAL(c->crowding, 0);
	CU_ASSERT_DOUBLE_EQUAL(c->beyond, 0.5, 1e-3);
	machine_release(&m);
}

/* Much larger than what is known: the line is not believed that far. */
static void test_machine_line_does_not_reach_far(void)
{
	struct machine m = machine_of(LOCALITY_NETWORK, 30000, 1800 * US);

	CU_ASSERT_DOUBLE_EQUAL(time_s(&m.classes[LOCALITY_NETWORK], 2), 1800e-6, 1e-8);
	machine_release(&m);
}

static CU_TestInfo tests[] = {
	SUITE_CASE(test_machine_line_clears_who_is_on_it),
	SUITE_CASE(test_machine_line_leaves_open_what_is_above_it),
	SUITE_CASE(test_machine_line_says_so_within_a_node),
	SUITE_CASE(test_machine_line_does_not_reach_far),
	CU_TEST_INFO_NULL,
};

int main(void)
{
	return suite_run("machine_line", tests);
}
