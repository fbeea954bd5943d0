/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/tools/idhash.h"
#include "tests/fixtures/suite.h"

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

/* Put, put again, asked for and taken in any order: as an array of all ids has it. */
static void test_idhash_finds_what_was_put_last(void)
{
	struct idhash h = {0};
	static uint32_t truth[IDS];
	uint32_t wrong = 0, seed = 1;

	for (uint32_t k = 0; k < IDS; k++)
		truth[k] = IDHASH_NONE;
	for (uint32_t step = 0; step < STEPS; step++) {
		uint32_t k = (seed = seed * 1664525 + 1013904223) >> 8, what = k % 3;

		k = k / 3 % (step % 20000 < 10000 ? 20 : IDS);
		if (what == 0) {
			wrong += idhash_put(&h, id_of(k), step) != 0;
			truth[k] = step;
		} else if (what == 1) {
			wrong += idhash_find(&h, id_of(k)) != truth[k];
		} else {
			wrong += idhash_take(&h, id_of(k)) != truth[k];
			truth[k] = IDHASH_NONE;
		}
	}
	for (uint32_t k = 0; k < IDS; k++)
		wrong += idhash_find(&h, id_of(k)) != truth[k];
	CU_ASSERT_EQUAL(wrong, 0);
	idhash_release(&h);
}

static void test_idhash_is_empty_at_first_and_when_all_are_forgotten(void)
{
	struct idhash h = {0};

	idhash_clear(&h);
	CU_ASSERT_EQUAL(idhash_find(&h, 0), IDHASH_NONE);
	CU_ASSERT_EQUAL(idhash_take(&h, 7), IDHASH_NONE);
	for (uint32_t k = 0; k < IDS; k++)
		CU_ASSERT_EQUAL_FATAL(idhash_put(&h, id_of(k), k), 0);
	idhash_clear(&h);
	for (uint32_t k = 0; k < IDS; k++)
		CU_ASSERT_EQUAL(idhash_take(&h, id_of(k)), IDHASH_NONE);
	CU_ASSERT_EQUAL(idhash_put(&h, 5, 3), 0);
	CU_ASSERT_EQUAL(idhash_take(&h, 5), 3);
	idhash_release(&h);
	CU_ASSERT_EQUAL(idhash_find(&h, 5), IDHASH_NONE);
}

/* However many there have been, the table is as large as for those known at one time. */
static void test_idhash_has_room_for_those_known_at_one_time(void)
{
	struct idhash h = {0};

	for (uint32_t k = 0; k < STEPS; k++) {
		CU_ASSERT_EQUAL_FATAL(idhash_put(&h, k, k), 0);
		if (k >= 8)
			CU_ASSERT_EQUAL_FATAL(idhash_take(&h, k - 8), k - 8);
	}
	CU_ASSERT_EQUAL(h.n, 8);
	CU_ASSERT(h.slots <= 64);
	idhash_release(&h);
}

static CU_TestInfo tests[] = {
	SUITE_CASE(test_idhash_finds_what_was_put_last),
	SUITE_CASE(test_idhash_is_empty_at_first_and_when_all_are_forgotten),
	SUITE_CASE(test_idhash_has_room_for_those_known_at_one_time),
	CU_TEST_INFO_NULL,
};

int main(void)
{
	return suite_run("idhash", tests);
}
