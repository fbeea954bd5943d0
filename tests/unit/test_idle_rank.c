/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Imbalance where one rank has nothing to do, as who hands out the work of the others. */
#include <string.h>

#include "tests/fixtures/exchange.h"
#include "tests/fixtures/findings.h"
#include "tests/fixtures/suite.h"

#define MS    1000000
#define RANKS 8
#define STEPS 20
#define IDLE  5

/* In each step the others compute 10 ms and up to vary_ns more, and all meet. */
static struct hotspots find(int64_t vary_ns)
{
	struct tables x;
	struct hotspots h;
	uint64_t seed = 1;
	int64_t now = 0;

	tables_init(&x, RANKS, 1);
	for (uint32_t step = 0; step < STEPS; step++) {
		int64_t enter[RANKS], last = 0;

		for (uint32_t r = 0; r < RANKS; r++) {
			int64_t ns = r == IDLE ? MS / 10 : 10 * MS + exchange_draw(&seed, vary_ns);

			enter[r] = now + ns;
			last = enter[r] > last ? enter[r] : last;
		}
		now = last + 10000;
		tables_collective(&x, enter, now, 4);
	}
	tables_finish(&x);
	h = findings_of(&x, tables_machine(10e-6, 1e-6, 1e-9, 65536));
	tables_release(&x);
	return h;
}

static const char *title(const struct hotspots *h)
{
	const struct hotspot *x = findings_one(h, "imbalance");

	return x ? x->title : "";
}

/* What any computation varies by is not work of which another rank has most in each step. */
static void test_idle_rank_is_named(void)
{
	struct hotspots h = find(7 * MS);

	CU_ASSERT_PTR_NOT_NULL(strstr(title(&h), "rank 5 computes 1 % of the mean"));
	hotspots_release(&h);
	h = find(40 * MS);
	CU_ASSERT_PTR_NOT_NULL(strstr(title(&h), "another rank computes longest"));
	hotspots_release(&h);
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_idle_rank_is_named),
		CU_TEST_INFO_NULL,
	};

	return suite_run("idle_rank", tests);
}
