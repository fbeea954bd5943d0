/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How many instants of a row are past. */
#include "analyze/tools/instants.h"

#include "tests/fixtures/suite.h"

enum { ROW = 37 };

struct item {
	int32_t other;
	int64_t ns;
};

/* Wherever the search starts, it finds what counting finds; with equal instants, too. */
static void test_instants_until_counts_from_anywhere(void)
{
	struct item item[ROW];

	for (uint32_t k = 0; k < ROW; k++)
		item[k] = (struct item){-1, 10 * (k / 3)};
	for (uint32_t n = 0; n <= ROW; n++)
		for (uint32_t near = 0; near <= n + 2; near++)
			for (int64_t when_ns = -1; when_ns <= 10 * (ROW / 3) + 1; when_ns++) {
				struct instants x = {&item->ns, sizeof(*item), n};
				uint32_t count = 0;

				for (uint32_t k = 0; k < n; k++)
					count += item[k].ns <= when_ns;
				CU_ASSERT_EQUAL(instants_until(x, near, when_ns), count);
			}
}

static CU_TestInfo tests[] = {
	SUITE_CASE(test_instants_until_counts_from_anywhere),
	CU_TEST_INFO_NULL,
};

int main(void)
{
	return suite_run("instants", tests);
}
