/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a machine file's K(m) says of sends that are held back. */
#include "analyze/flow/vacancy.h"

#include "tests/fixtures/suite.h"
#include "tests/fixtures/sums.h"

#include <stdlib.h>

#define US 1000

/*
 * Rank 0 sends four messages to rank 1, which computes until 500 us: the last is held back until
 * then. Others: so many from rank 2 are under way as well. K(1 kB) is from least to most; most 0:
 * the file says nothing.
 */
static struct attribution held_back(uint32_t others, uint32_t least, uint32_t most)
{
	struct machine m = tables_machine(5e-6, 1e-6, 1e-9, 1 << 20);
	uint32_t send[8], n = 0;
	struct attribution a;
	struct tables x;

	for (int k = 0; k < LOCALITY_COUNT && most; k++) {
		m.classes[k].n_credits = 1;
		m.classes[k].credits = malloc(sizeof(*m.classes[k].credits));
		*m.classes[k].credits = (struct machine_credit){1000, least, most};
	}
	tables_init(&x, 3, 1);
	for (uint32_t k = 0; k < others; k++)
		send[n++] = tables_call(&x, 2, REGION_SEND, 10 * k * US, (10 * k + 2) * US, 0);
	for (uint32_t k = 0; k < 4; k++)
		send[n++] = tables_call(&x, 0, REGION_SEND, (50 + 10 * k) * US,
					(k == 3 ? 503 : 52 + 10 * k) * US, 1);
	for (uint32_t k = 0; k < n; k++) {
		uint32_t recv = tables_call(&x, 1, REGION_RECV, (500 + 20 * k) * US,
					    (505 + 20 * k) * US, 2);

		tables_message(&x, 1000, send[k], send[k], recv, recv);
	}
	tables_finish(&x);
	a = sums_attribute(&x, &m);
	CU_ASSERT(sums_add_up(&x, &a));
	tables_release(&x);
	machine_release(&m);
	return a;
}

static void test_vacancy_that_is_full_proves_the_receiver_inattentive(void)
{
	struct attribution sure = held_back(0, 3, 3), unsure = held_back(0, 0, 0);
	struct part *x = &sure.budget.parts[COST_inattention];

	CU_ASSERT(x->ns > 400 * US && x->low_ns > 400 * US);
	x = &unsure.budget.parts[COST_inattention];
	CU_ASSERT(x->ns > 400 * US && x->low_ns < 10 * US);
	attribution_release(&sure);
	attribution_release(&unsure);
}

static void test_vacancy_that_is_free_holds_nobody_back(void)
{
	struct attribution a = held_back(0, 9, 9);

	CU_ASSERT(a.budget.parts[COST_inattention].ns < 10 * US);
	CU_ASSERT(a.budget.parts[COST_back_pressure].ns < 10 * US);
	CU_ASSERT(a.budget.parts[COST_not_identifiable].ns > 400 * US);
	attribution_release(&a);
}

/*
 * Five fit for sure: four and nobody else's, but not with two of others, which may have their own.
 */
static void test_vacancy_may_be_for_all_senders_together(void)
{
	struct attribution alone = held_back(0, 5, 9), many = held_back(2, 5, 9);

	CU_ASSERT(alone.budget.parts[COST_not_identifiable].ns > 400 * US);
	CU_ASSERT(many.budget.parts[COST_not_identifiable].ns < 10 * US);
	CU_ASSERT(many.budget.parts[COST_inattention].ns > 400 * US &&
		  many.budget.parts[COST_inattention].low_ns < 10 * US);
	attribution_release(&alone);
	attribution_release(&many);
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_vacancy_that_is_full_proves_the_receiver_inattentive),
		SUITE_CASE(test_vacancy_that_is_free_holds_nobody_back),
		SUITE_CASE(test_vacancy_may_be_for_all_senders_together),
		CU_TEST_INFO_NULL,
	};

	return suite_run("vacancy", tests);
}
