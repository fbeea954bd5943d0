/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who competes for which processors, by hand; and of sets by lot, beside all subsets of ranks. */
#include "analyze/run/rivals.h"

#include <stdlib.h>
#include <string.h>

#include "common/number_list.h"
#include "tests/fixtures/suite.h"

#define MOST 8

static struct rivals r;
static uint32_t n;

static struct processor_set set_of(const char *list)
{
	struct processor_set set = {{0}};
	long low, high;

	while (number_list_next(&list, &low, &high) > 0)
		for (; low <= high; low++)
			processor_set_add(&set, (unsigned)low);
	return set;
}

/* Of ranks that may use these processors. */
static void find(const char *const may_use[])
{
	struct processor_set set[MOST];
	struct err err;

	rivals_release(&r);
	for (n = 0; may_use[n]; n++)
		set[n] = set_of(may_use[n]);
	CU_ASSERT_FATAL(!rivals_find(n, set, &r, &err));
}

/* A rank is one of so many that have so many cores, these. */
static void check(uint32_t rank, uint32_t ranks, const char *which)
{
	const struct rivals_group *g = &r.groups[r.group[rank]];
	struct processor_set set = set_of(which);

	CU_ASSERT_EQUAL(g->ranks, ranks);
	CU_ASSERT_EQUAL(g->cores, processor_set_count(&set));
	CU_ASSERT(!memcmp(&g->which, &set, sizeof(set)));
}

static void test_rivals_of_disjoint_sets_are_none(void)
{
	find((const char *[]){"0", "1", "2-3", NULL});
	CU_ASSERT_EQUAL(r.n_groups, 3);
	check(0, 1, "0");
	check(1, 1, "1");
	check(2, 1, "2-3");
}

static void test_rivals_of_equal_sets(void)
{
	find((const char *[]){"0-1", "0-1", "0-1", "0-1", NULL});
	CU_ASSERT_EQUAL(r.n_groups, 1);
	check(3, 4, "0-1");
	/* the accident: two on one core, while others have theirs */
	find((const char *[]){"0", "1", "2", "3", "0", NULL});
	CU_ASSERT_EQUAL(r.n_groups, 4);
	CU_ASSERT_EQUAL(r.group[0], r.group[4]);
	check(0, 2, "0");
	check(3, 1, "3");
	/* twice */
	find((const char *[]){"0", "1", "1", "0", NULL});
	CU_ASSERT_EQUAL(r.n_groups, 2);
	check(0, 2, "0");
	check(1, 2, "1");
}

/* Who may go elsewhere leaves the core to those that may not. */
static void test_rivals_of_nested_sets(void)
{
	find((const char *[]){"0", "0-1", NULL});
	check(0, 2, "0-1"); /* one each */
	find((const char *[]){"0", "0", "0-3", NULL});
	check(0, 2, "0");
	check(2, 1, "1-3");
	/* and gets what is left of it where elsewhere there is less */
	find((const char *[]){"0", "0-1", "1", NULL});
	check(1, 3, "0-1");
	find((const char *[]){"64-65", "64-65", "64-65", "64-127", "64-127", NULL});
	check(0, 3, "64-65");
	check(3, 2, "66-127");
}

static void test_rivals_of_overlapping_sets(void)
{
	find((const char *[]){"0-1", "1-2", "2-3", NULL});
	CU_ASSERT_EQUAL(r.n_groups, 1);
	check(0, 3, "0-3");
	find((const char *[]){"0-1", "1-2", "0,2", "0-2", NULL});
	check(3, 4, "0-2");
	/* three of two processors, and one that has a third for itself, beside them */
	find((const char *[]){"0-1", "0-1", "0-1", "1-2", NULL});
	check(0, 3, "0-1");
	check(3, 1, "2");
	/* in a chain each crowd pushes those that can to the next one */
	find((const char *[]){"0", "0", "0", "0-1", "1", "1-2", "2-9", NULL});
	check(0, 3, "0");
	check(3, 2, "1");
	check(5, 1, "2");
	check(6, 1, "3-9");
}

/* The most ranks to a processor of all sets of ranks, out of these, and all their processors. */
static double densest(const struct processor_set set[], unsigned out_of)
{
	double most = 0;

	for (unsigned some = 1; some < 1u << n; some++) {
		struct processor_set all = {{0}};

		if (some & ~out_of)
			continue;
		for (uint32_t k = 0; k < n; k++)
			if (some >> k & 1)
				processor_set_join(&all, &set[k]);
		if (__builtin_popcount(some) > most * processor_set_count(&all))
			most = (double)__builtin_popcount(some) / processor_set_count(&all);
	}
	return most;
}

static void test_rivals_by_lot(void)
{
	unsigned seed = 7;

	for (int round = 0; round < 300; round++) {
		struct processor_set set[MOST] = {{{0}}};
		unsigned cores = 1 + (unsigned)rand_r(&seed) % 6, left;
		struct err err;

		n = 1 + (uint32_t)rand_r(&seed) % MOST;
		left = (1u << n) - 1;
		for (uint32_t k = 0; k < n; k++)
			while (!set[k].word[0])
				set[k].word[0] = (unsigned)rand_r(&seed) & ((1u << cores) - 1);
		rivals_release(&r);
		CU_ASSERT_FATAL(!rivals_find(n, set, &r, &err));
		while (left) {
			double most = densest(set, left);
			struct processor_set gone = {{0}};
			unsigned dense = 0;

			for (uint32_t k = 0; k < n; k++) {
				const struct rivals_group *g = &r.groups[r.group[k]];
				double crowd = (double)g->ranks / g->cores;

				CU_ASSERT(!(left >> k & 1) || crowd < most + 1e-9);
				if (left >> k & 1 && crowd > most - 1e-9) {
					dense |= 1u << k;
					processor_set_join(&gone, &g->which);
				}
			}
			CU_ASSERT_FATAL(dense);
			left &= ~dense;
			for (uint32_t k = 0; k < n; k++)
				set[k].word[0] &= ~gone.word[0];
		}
	}
}

/* As many as a large node has, each with a set of its own that two others share. */
static void test_rivals_of_many(void)
{
	static struct processor_set set[512];
	struct err err;

	for (unsigned k = 0; k < 512; k++)
		for (unsigned i = 0; i < 3; i++)
			processor_set_add(&set[k], (k + i) % 512);
	rivals_release(&r);
	CU_ASSERT_FATAL(!rivals_find(512, set, &r, &err));
	CU_ASSERT_EQUAL(r.n_groups, 1);
	CU_ASSERT_EQUAL(r.groups[0].cores, 512);
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_rivals_of_disjoint_sets_are_none),
		SUITE_CASE(test_rivals_of_equal_sets),
		SUITE_CASE(test_rivals_of_nested_sets),
		SUITE_CASE(test_rivals_of_overlapping_sets),
		SUITE_CASE(test_rivals_by_lot),
		SUITE_CASE(test_rivals_of_many),
		CU_TEST_INFO_NULL,
	};
	int ret = suite_run("rivals", tests);

	rivals_release(&r);
	return ret;
}
