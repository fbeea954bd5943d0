/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/attribution/alone.h"
#include "tests/fixtures/exchange.h"
#include "tests/fixtures/suite.h"
#include "tests/fixtures/tables.h"

#define MS     1000000
#define RANKS  4
#define ROUNDS 100

/* So many ranks share a core, each waited so long for it. */
static struct alone find(struct tables *x, double crowd, int64_t away_ns)
{
	struct err err = {""};
	struct alone out;

	for (uint32_t r = 0; r < RANKS; r++) {
		x->trace.ranks[r].crowd = crowd;
		x->trace.ranks[r].core_awaited_ns = away_ns;
	}
	CU_ASSERT_FATAL(alone_find(&x->trace, &out, &err) == 0);
	return out;
}

/* Who has the token computes for 4 ms; the next one notices 6 ms later that it has come. */
static void hand_round(struct tables *x)
{
	int64_t left[RANKS] = {0}, now = 0;

	tables_init(x, RANKS, RANKS);
	for (uint32_t k = 0; k < RANKS * ROUNDS; k++) {
		uint32_t r = k % RANKS;

		tables_call(x, r, REGION_RECV, left[r], now, 1);
		left[r] = now + 4 * MS;
		now = left[r] + 6 * MS;
	}
	for (uint32_t r = 0; r < RANKS; r++)
		tables_call(x, r, REGION_RECV, left[r], now, 2);
	tables_finish(x);
}

/* While nobody computes the next one may lack a core: as far as ranks did. */
static void test_alone_but_for_lack_of_cores(void)
{
	static const struct {
		double crowd;
		int64_t away_ns; /* of each rank, of 4 s in all */
		double idle;
		int is_by_turns;
	} rows[] = {
		{1, 0, 0, 0},
		{2, 0, 0.6, 1},
		{2, 3000ll * MS, 0.6, 1},
		{2, 500ll * MS, 0.5, 1},
		{2, 420ll * MS, 0.42, 1},
		{2, 100ll * MS, 0.1, 0},
	};

	for (size_t k = 0; k < sizeof(rows) / sizeof(rows[0]); k++) {
		struct tables x;
		struct alone found;

		hand_round(&x);
		found = find(&x, rows[k].crowd, rows[k].away_ns);
		CU_ASSERT_DOUBLE_EQUAL(found.idle, rows[k].idle, 0.02);
		CU_ASSERT_DOUBLE_EQUAL(found.share, 0.4 / (1 - rows[k].idle), 0.03);
		CU_ASSERT_EQUAL(alone_is_by_turns(&found), rows[k].is_by_turns);
		tables_release(&x);
	}
}

/* Each computes for 2 ms now and then, whatever others do: rarely two at once, by chance. */
static void test_alone_by_chance_is_not_by_turns(void)
{
	uint64_t seed = 1;
	struct tables x;
	struct alone found;

	tables_init(&x, RANKS, RANKS);
	for (uint32_t r = 0; r < RANKS; r++) {
		int64_t now = 0;

		while (now < 4000ll * MS) {
			int64_t left = now + exchange_draw(&seed, 32 * MS);

			tables_call(&x, r, REGION_RECV, now, left, 1);
			now = left + 2 * MS;
		}
	}
	tables_finish(&x);
	found = find(&x, 2, 4000ll * MS);
	CU_ASSERT_EQUAL(found.idle, 0);
	CU_ASSERT(found.share > 0.2 && found.share < 0.4);
	tables_release(&x);
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_alone_but_for_lack_of_cores),
		SUITE_CASE(test_alone_by_chance_is_not_by_turns),
		CU_TEST_INFO_NULL,
	};

	return suite_run("alone", tests);
}
