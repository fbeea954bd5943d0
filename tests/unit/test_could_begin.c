/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/fixtures/findings.h"
#include "tests/fixtures/suite.h"

#include <math.h>
#include <string.h>

#define US     1000
#define ROUNDS 20
#define BYTES  200000
#define L_NS   (10 * US)
#define G_NS   (202 * US)
#define SITE   4

/*
 * Long messages are sent while their receiver computes, which then receives them. Whether they move
 * meanwhile is like share.
 */
static struct hotspots find_computing(double share)
{
	struct machine machine = tables_machine(L_NS * 1e-9, 1e-6, 1e-9, 65536);
	struct hotspots h;
	struct tables x;
	int64_t now = 0;

	tables_init(&x, 2, 1);
	for (int round = 0; round < ROUNDS; round++) {
		int64_t post_ns = now + 1000 * US, got_ns = post_ns + 2 * L_NS + G_NS;
		uint32_t one = tables_call(&x, 0, REGION_SEND, now, got_ns, 1);
		uint32_t got = tables_call(&x, 1, REGION_RECV, post_ns, got_ns, SITE);

		tables_message(&x, BYTES, one, one, got, got);
		now = got_ns + US;
	}
	tables_finish(&x);
	for (int k = 0; k < LOCALITY_COUNT; k++)
		machine.classes[k].progress = (struct machine_progress){share, share};
	h = findings_of(&x, machine);
	tables_release(&x);
	return h;
}

/* If they do not, or that is not known, calls in the computation save as much. */
static void test_could_begin_in_computation(void)
{
	static const double shares[] = {1, NAN, 0};
	static const char *const tests[] = {NULL, "should they not move", "in its calls only"};
	double first_s = 0;

	for (size_t k = 0; k < sizeof(shares) / sizeof(*shares); k++) {
		struct hotspots h = find_computing(shares[k]);
		const struct hotspot *x = findings_one(&h, "late_posting");

		CU_ASSERT_FATAL(x != NULL);
		first_s = k ? first_s : x->saves_mid_s;
		CU_ASSERT(first_s > 0.1 * ROUNDS * (L_NS + G_NS) * 1e-9);
		CU_ASSERT_DOUBLE_EQUAL(x->saves_mid_s, first_s, 0.01 * first_s);
		CU_ASSERT_EQUAL(strstr(x->advice, "MPI_Test") != NULL, tests[k] != NULL);
		if (tests[k])
			CU_ASSERT_PTR_NOT_NULL(strstr(x->advice, tests[k]));
		CU_ASSERT_EQUAL(strstr(x->why, "held back until the receive, of these 20 while "
					       "their receiver computed;") != NULL,
				tests[k] != NULL);
		CU_ASSERT_PTR_NULL(strstr(x->why, "waiting 0 s"));
		CU_ASSERT_PTR_NULL(strstr(x->why, "while their receiver was in MPI"));
		hotspots_release(&h);
	}
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_could_begin_in_computation),
		CU_TEST_INFO_NULL,
	};

	return suite_run("could_begin", tests);
}
