/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Messages that could be one, if their receiver did not hand on each. */
#include "tests/fixtures/findings.h"
#include "tests/fixtures/suite.h"

#define US     1000
#define ROUNDS 20
#define L_NS   (10 * US)
#define O_NS   (1 * US)

/* Rank 0 has all pieces at once, and rank 1 hands on each, or all of them when it has the last. */
static struct hotspots hand_on(int each)
{
	struct hotspots h;
	struct tables x;

	tables_init(&x, 3, 1);
	for (uint32_t round = 0; round < ROUNDS; round++) {
		int64_t begun_ns = round * 400 * US, free_ns = begun_ns, next_ns = begun_ns;

		for (uint32_t k = 0; k < 50; k++) {
			int64_t at_ns = begun_ns + k * 2 * US, there_ns = at_ns + O_NS + L_NS;
			int64_t last_ns = begun_ns + 99 * US + L_NS;
			uint32_t send, recv;

			send = tables_call(&x, 0, REGION_SEND, at_ns, at_ns + O_NS, 3);
			recv = tables_call(&x, 1, REGION_RECV, free_ns, there_ns, 4);
			tables_message(&x, 8, send, send, recv, recv);
			at_ns = each ? there_ns : last_ns + k * 2 * US;
			free_ns = each ? there_ns + O_NS : there_ns;
			send = tables_call(&x, 1, REGION_SEND, at_ns, at_ns + O_NS, 5);
			recv = tables_call(&x, 2, REGION_RECV, next_ns, at_ns + O_NS + L_NS, 6);
			tables_message(&x, 8, send, send, recv, recv);
			next_ns = at_ns + O_NS + L_NS;
		}
	}
	tables_finish(&x);
	h = findings_of(&x, tables_machine(L_NS * 1e-9, O_NS * 1e-9, 1e-9, 65536));
	tables_release(&x);
	return h;
}

static void test_rule_aggregation_leaves_what_is_handed_on(void)
{
	struct hotspots h = hand_on(0);

	CU_ASSERT_EQUAL(findings_count(&h, "aggregation"), 2);
	hotspots_release(&h);
	h = hand_on(1);
	CU_ASSERT_EQUAL(findings_count(&h, "aggregation"), 0);
	hotspots_release(&h);
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_rule_aggregation_leaves_what_is_handed_on),
		CU_TEST_INFO_NULL,
	};

	return suite_run("handed_on", tests);
}
