/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ranks that are late because they waited in a collective: for whom? */
#include "tests/fixtures/late.h"
#include "tests/fixtures/suite.h"
#include "tests/fixtures/sums.h"

#include <stdlib.h>

#define US 1000

enum { SITE_MET = 1, SITE_SEND, SITE_RECV };

/* A collective of ranks 1 and 2, of so many members; rank 2 comes last. */
static void meet(struct tables *x, uint32_t members, int32_t root)
{
	struct collectives *c = &x->collectives;
	uint32_t call[] = {tables_call(x, 1, REGION_COLLECTIVE, 100 * US, 710 * US, SITE_MET),
			   tables_call(x, 2, REGION_COLLECTIVE, 700 * US, 710 * US, SITE_MET)};

	for (int k = 0; k < 2; k++)
		x->trace.calls[call[k]].part = 0;
	c->c = calloc(1, sizeof(*c->c));
	CU_ASSERT_PTR_NOT_NULL_FATAL(c->c);
	c->n = 1;
	c->c[0] = (struct collective){.region = REGION_COLLECTIVE,
				      .root = root,
				      .first_enter_ns = 100 * US,
				      .last_enter_ns = 700 * US,
				      .last_leave_ns = 710 * US,
				      .last_rank = 2,
				      .members = members};
}

/* Rank 0 waits for rank 1's message, which comes after the collective. */
static struct lateness find(struct tables *x, uint32_t members, int32_t root)
{
	struct machine m = tables_machine(5e-6, 1e-6, 1e-9, 1 << 20);
	struct attribution a;
	struct lateness l;
	struct err err = {""};
	uint32_t send, recv;

	tables_init(x, 3, 1);
	meet(x, members, root);
	send = tables_call(x, 1, REGION_SEND, 908 * US, 909 * US, SITE_SEND);
	recv = tables_call(x, 0, REGION_RECV, 0, 915 * US, SITE_RECV);
	tables_message(x, 1000, send, send, recv, recv);
	tables_finish(x);
	a = sums_attribute(x, &m);
	CU_ASSERT_FATAL(!lateness_find(&l, &x->trace, &x->messages, &a, &err));
	CU_ASSERT_EQUAL(l.ns, a.budget.parts[COST_late_partner].ns);
	attribution_release(&a);
	machine_release(&m);
	return l;
}

/* While rank 1 waited there rank 2 computed; before and afterwards rank 1 did. */
static void test_late_collectives_go_back_to_who_came_last(void)
{
	for (int32_t root = -1; root <= 2; root += 3) { /* none, or rank 2 */
		struct tables x;
		struct lateness l = find(&x, 3, root);

		CU_ASSERT_EQUAL(l.ns, 908 * US);
		CU_ASSERT_EQUAL(late_ns(&l, 2, LATENESS_COMPUTATION), 600 * US);
		CU_ASSERT_EQUAL(late_ns(&l, 1, LATENESS_COMPUTATION), 298 * US);
		CU_ASSERT_EQUAL(late_ns(&l, 1, LATENESS_COLLECTIVE), 10 * US);
		for (size_t k = 0; k < l.n; k++)
			if (l.rows[k].rank == 2) {
				CU_ASSERT_EQUAL(l.rows[k].direct_ns, 0);
				CU_ASSERT_EQUAL(x.trace.calls[l.rows[k].at].site, SITE_MET);
			}
		lateness_release(&l);
		tables_release(&x);
	}
}

/* Others, which the trace lacks, may have come later: for whom rank 1 waited is not known. */
static void test_late_collectives_of_who_is_not_recorded(void)
{
	struct tables x;
	struct lateness l = find(&x, 2, -1);

	CU_ASSERT_EQUAL(late_ns(&l, 2, LATENESS_COMPUTATION), 0);
	CU_ASSERT_EQUAL(late_ns(&l, 1, LATENESS_COMPUTATION), 298 * US);
	lateness_release(&l);
	tables_release(&x);
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_late_collectives_go_back_to_who_came_last),
		SUITE_CASE(test_late_collectives_of_who_is_not_recorded),
		CU_TEST_INFO_NULL,
	};

	return suite_run("late_collectives", tests);
}
