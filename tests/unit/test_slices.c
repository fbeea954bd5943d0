/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/tools/slices.h"
#include "tests/fixtures/suite.h"

#define PARTS 5
#define ALL   ((1u << PARTS) - 1)
#define ITEMS 100000 /* several blocks */

/* Parts that grow with the item's number, each third of them 0, and every other item's short. */
static void expected(uint32_t item, int64_t ns[PARTS])
{
	for (unsigned part = 0; part < PARTS; part++)
		ns[part] = (item + part) % 3 ? (int64_t)item * (item % 2 ? 1000000007 : 307) - part
					     : 0;
}

/* However many parts there are, whichever way items come, and when one is put twice. */
static void test_slices_give_back_what_was_put(void)
{
	struct slices s;
	struct slices_pen pen = {0};
	struct err err;
	int64_t ns[PARTS], sums[PARTS] = {0}, all[PARTS] = {0};
	unsigned wrong = 0;

	CU_ASSERT_FATAL(slices_init(&s, ITEMS, PARTS, &err) == 0);
	for (uint32_t i = ITEMS; i-- > 1;) {
		expected(i + 1, ns);
		wrong += slices_put(&s, &pen, i, ALL, ns, &err) != 0;
		expected(i, ns);
		wrong += slices_put(&s, &pen, i, ALL, ns, &err) != 0;
	}
	for (uint32_t i = 1; i < ITEMS; i++) {
		expected(i, ns);
		slices_add(&s, i, sums);
		for (unsigned part = 0; part < PARTS; part++) {
			wrong += slices_part(&s, i, part) != ns[part];
			all[part] += ns[part];
		}
	}
	for (unsigned part = 0; part < PARTS; part++) {
		wrong += sums[part] != all[part];
		wrong += slices_part(&s, 0, part) != 0; /* never put */
	}
	CU_ASSERT_EQUAL(wrong, 0);
	slices_release(&s);
}

static void test_slices_hold_years_and_what_is_below_zero(void)
{
	struct slices s;
	struct slices_pen pen = {0};
	struct err err;
	int64_t ns[PARTS] = {400LL * 86400 * 1000000000, -1, (1 << 25) - 1, 1 << 25, 7};
	int64_t none[PARTS] = {0};

	CU_ASSERT_FATAL(slices_init(&s, 1, PARTS, &err) == 0);
	CU_ASSERT_EQUAL(slices_put(&s, &pen, 0, ALL, ns, &err), 0);
	for (unsigned part = 0; part < PARTS; part++)
		CU_ASSERT_EQUAL(slices_part(&s, 0, part), ns[part]);
	CU_ASSERT_EQUAL(slices_put(&s, &pen, 0, ALL, none, &err), 0);
	for (unsigned part = 0; part < PARTS; part++)
		CU_ASSERT_EQUAL(slices_part(&s, 0, part), 0);
	slices_release(&s);
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_slices_give_back_what_was_put),
		SUITE_CASE(test_slices_hold_years_and_what_is_below_zero),
		CU_TEST_INFO_NULL,
	};

	return suite_run("slices", tests);
}
