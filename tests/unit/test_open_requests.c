/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/tools/open_requests.h"
#include "tests/unit/suite.h"

#include <stdint.h>

enum { IDS = 1000, STEPS = 200000 };

/* An id of each kind that MPIs have: counters, addresses, and both ends of what there is. */
static uint64_t id_of(uint32_t k)
{
	switch (k % 4) {
	case 0:
		return k;
	case 1:
		return UINT64_C(0x7f0000000000) + k * UINT64_C(4096);
	case 2:
		return UINT64_MAX - k;
	default:
		return (uint64_t)k << 32;
	}
}

/* Opened, opened again, asked for and closed in any order: as an array has it that is as long as that. */
static void test_requests_are_what_they_were_last(void)
{
	struct open_requests r = {0};
	static uint32_t truth[IDS];
	uint32_t wrong = 0, seed = 1;

	for (uint32_t k = 0; k < IDS; k++)
		truth[k] = OPEN_REQUESTS_NONE;
	for (uint32_t step = 0; step < STEPS; step++) {
		uint32_t k = (seed = seed * 1664525 + 1013904223) >> 8, what = k % 3;

		k = k / 3 % (step % 20000 < 10000 ? 20 : IDS);
		if (what == 0) {
			wrong += open_requests_put(&r, id_of(k), step) != 0;
			truth[k] = step;
		} else if (what == 1) {
			wrong += open_requests_find(&r, id_of(k)) != truth[k];
		} else {
			wrong += open_requests_take(&r, id_of(k)) != truth[k];
			truth[k] = OPEN_REQUESTS_NONE;
		}
	}
	for (uint32_t k = 0; k < IDS; k++)
		wrong += open_requests_find(&r, id_of(k)) != truth[k];
	CU_ASSERT_EQUAL(wrong, 0);
	open_requests_release(&r);
}

static void test_none_are_open_at_first_and_when_all_are_closed(void)
{
	struct open_requests r = {0};

	open_requests_clear(&r);
	CU_ASSERT_EQUAL(open_requests_find(&r, 0), OPEN_REQUESTS_NONE);
	CU_ASSERT_EQUAL(open_requests_take(&r, 7), OPEN_REQUESTS_NONE);
	for (uint32_t k = 0; k < IDS; k++)
		CU_ASSERT_EQUAL_FATAL(open_requests_put(&r, id_of(k), k), 0);
	open_requests_clear(&r);
	for (uint32_t k = 0; k < IDS; k++)
		CU_ASSERT_EQUAL(open_requests_take(&r, id_of(k)), OPEN_REQUESTS_NONE);
	CU_ASSERT_EQUAL(open_requests_put(&r, 5, 3), 0);
	CU_ASSERT_EQUAL(open_requests_take(&r, 5), 3);
	open_requests_release(&r);
	CU_ASSERT_EQUAL(open_requests_find(&r, 5), OPEN_REQUESTS_NONE);
}

/* However many there have been, the table is as large as those that were open at one time. */
static void test_room_is_of_those_that_are_open(void)
{
	struct open_requests r = {0};

	for (uint32_t k = 0; k < STEPS; k++) {
		CU_ASSERT_EQUAL_FATAL(open_requests_put(&r, k, k), 0);
		if (k >= 8)
			CU_ASSERT_EQUAL_FATAL(open_requests_take(&r, k - 8), k - 8);
	}
	CU_ASSERT_EQUAL(r.n, 8);
	CU_ASSERT(r.slots <= 64);
	open_requests_release(&r);
}

static CU_TestInfo tests[] = {
	SUITE_CASE(test_requests_are_what_they_were_last),
	SUITE_CASE(test_none_are_open_at_first_and_when_all_are_closed),
	SUITE_CASE(test_room_is_of_those_that_are_open),
	CU_TEST_INFO_NULL,
};

int main(void)
{
	return suite_run("open_requests", tests);
}
