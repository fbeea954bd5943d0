/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/attribution/lateness.h"
#include "tests/fixtures/suite.h"
#include "tests/fixtures/sums.h"

#define US 1000

/* So long rank 0 did that while it was waited for itself in a site. */
static int64_t ns_of(const struct lateness *l, const struct tables *x, uint32_t site,
		     enum lateness_reason reason)
{
	int64_t ns = 0;

	for (size_t k = 0; k < l->n; k++) {
		const struct late_partner *row = &l->rows[k];

		CU_ASSERT_EQUAL(row->rank, 0);
		CU_ASSERT_EQUAL(row->direct_ns, row->ns);
		if (x->trace.calls[row->call].site == site && row->reason == reason)
			ns += row->ns;
	}
	return ns;
}

/*
 * A flood of polls, half of which is between them, and one more: rank 0 computes for 200 us, is in
 * a call for as long, then sends. Each is half of what the polls waited for.
 */
static void find_polled(enum region_kind kind)
{
	struct machine m = tables_machine(5e-6, 1e-6, 1e-9, 1 << 20);
	struct flood flood = {.polls = 100, .inside_ns = 200 * US};
	int is_test = kind == REGION_TEST;
	uint32_t send, polls, post, done;
	struct err err = {""};
	struct attribution a;
	struct lateness l;
	struct tables x;

	tables_init(&x, 2, 1);
	tables_call(&x, 0, REGION_MPI_LOCAL, 200 * US, 400 * US, 4);
	send = tables_call(&x, 0, REGION_SEND, 405 * US, 406 * US, 0);
	post = is_test ? tables_call(&x, 1, REGION_IRECV, 0, 0, 1) : TRACE_NONE;
	polls = tables_call(&x, 1, kind, 0, 400 * US, 2);
	x.trace.calls[polls].part = 0;
	x.trace.calls[polls].is_flood = 1;
	tables_call(&x, 1, kind, 401 * US, 404 * US, 3);
	done = tables_call(&x, 1, is_test ? REGION_WAIT : REGION_RECV, 412 * US, 413 * US, 5);
	tables_message(&x, 1000, send, send, is_test ? post : done, done);
	x.messages.m[0].not_here_ns = 404 * US;
	x.trace.floods = &flood;
	x.trace.n_floods = 1;
	tables_finish(&x);
	a = sums_attribute(&x, &m);
	CU_ASSERT_FATAL(lateness_find(&l, &x.trace, &x.messages, &a, &err) == 0);
	CU_ASSERT_EQUAL(ns_of(&l, &x, 2, LATENESS_COMPUTATION), 100 * US);
	CU_ASSERT_EQUAL(ns_of(&l, &x, 2, LATENESS_MESSAGES), 100 * US);
	CU_ASSERT_EQUAL(ns_of(&l, &x, 3, LATENESS_COMPUTATION), 3 * US);
	CU_ASSERT_EQUAL(l.ns, 203 * US);
	CU_ASSERT_EQUAL(l.ns, a.budget.parts[COST_late_partner].ns);
	lateness_release(&l);
	attribution_release(&a);
	machine_release(&m);
	x.trace.floods = NULL;
	tables_release(&x);
}

static void test_late_polls_have_causes(void)
{
	find_polled(REGION_TEST);
	find_polled(REGION_IPROBE);
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_late_polls_have_causes),
		CU_TEST_INFO_NULL,
	};

	return suite_run("late_polls", tests);
}
