/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/gains/polls.h"
#include "tests/fixtures/suite.h"
#include "tests/fixtures/tables.h"

#define US 1000

/* A collective moves while it is polled for; how long it has to is not known. */
static void test_polls_move_collectives(void)
{
	struct collective_start start = {0};
	struct evidence_base b = {0};
	uint32_t calls[5];
	struct err err = {""};
	struct polls p;
	struct tables x;

	tables_init(&x, 1, 1);
	calls[0] = tables_call(&x, 0, REGION_TEST, 0, US, 0); /* before it is begun, */
	calls[1] = tables_call(&x, 0, REGION_MPI_LOCAL, 5 * US, 6 * US, 1); /* there */
	calls[2] = tables_call(&x, 0, REGION_TEST, 10 * US, 110 * US, 0);
	calls[3] = tables_call(&x, 0, REGION_TEST, 120 * US, 121 * US, 0);
	calls[4] = tables_call(&x, 0, REGION_TEST, 130 * US, 150 * US, 0); /* it is complete */
	tables_finish(&x);
	start = (struct collective_start){.start = calls[1], .done = calls[4]};
	x.collectives.starts = &start;
	x.collectives.n_starts = 1;
	b.t = &x.trace;
	b.m = &x.messages;
	b.c = &x.collectives;
	CU_ASSERT_FATAL(polls_find(&p, &b, &err) == 0);
	CU_ASSERT(p.found[calls[4]]);
	CU_ASSERT_DOUBLE_EQUAL(p.moved_s[calls[0]], 0, 1e-9);
	CU_ASSERT_DOUBLE_EQUAL(p.moved_s[calls[2]], 99e-6, 1e-9);
	CU_ASSERT_DOUBLE_EQUAL(p.moved_s[calls[3]], 0, 1e-9);
	polls_release(&p);
	x.collectives.starts = NULL;
	x.collectives.n_starts = 0;
	tables_release(&x);
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_polls_move_collectives),
		CU_TEST_INFO_NULL,
	};

	return suite_run("polls", tests);
}
