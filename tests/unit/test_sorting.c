/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/tools/sorting.h"

#include "tests/fixtures/suite.h"

#include <stdint.h>

#define MOST 3000

struct row {
	uint32_t key;
	uint32_t place; /* where it was: equal keys stay in this order */
	char more[40];
};

static int by_key(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	return (x->key > y->key) - (x->key < y->key);
}

static int by_key_down(const void *a, const void *b, void *arg)
{
	++*(int *)arg;
	return by_key(b, a);
}

static struct row row[MOST];

enum shape { RANDOM, SORTED, REVERSED, NEARLY, INTERLEAVED, EQUAL, SHAPES };

static void fill(size_t n, enum shape shape)
{
	uint32_t x = 1;

	for (uint32_t i = 0; i < n; i++) {
		x = x * 1664525 + 1013904223;
		row[i] = (struct row){.place = i};
		row[i].key = shape == RANDOM        ? x >> 20
			     : shape == SORTED      ? i
			     : shape == REVERSED    ? (uint32_t)n - i
			     : shape == NEARLY      ? i + (x >> 27)
			     : shape == INTERLEAVED ? i % 4 * 1000 + i / 4
						    : 7;
	}
}

static int is_sorted(size_t n, int down)
{
	for (size_t i = 1; i < n; i++) {
		int order = by_key(&row[i - 1], &row[i]);

		if ((down ? -order : order) > 0 || (!order && row[i - 1].place > row[i].place))
			return 0;
	}
	return 1;
}

static uint64_t places(size_t n)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += (row[i].place + 1) * (uint64_t)(row[i].place + 1);
	return sum;
}

static void test_sorts_anything_stably(void)
{
	static const size_t sizes[] = {0, 1, 2, 15, 16, 17, 31, 32, 33, 48, 100, 1000, MOST};

	for (size_t k = 0; k < sizeof(sizes) / sizeof(*sizes); k++)
		for (enum shape shape = 0; shape < SHAPES; shape++) {
			uint64_t all;

			fill(sizes[k], shape);
			all = places(sizes[k]);
			sort(row, sizes[k], sizeof(*row), by_key);
			CU_ASSERT(is_sorted(sizes[k], 0));
			CU_ASSERT_EQUAL(places(sizes[k]), all);
		}
}

static void test_sorts_with_an_argument(void)
{
	int calls = 0;

	fill(MOST, RANDOM);
	sort_with(row, MOST, sizeof(*row), by_key_down, &calls);
	CU_ASSERT(is_sorted(MOST, 1));
	CU_ASSERT(calls >= MOST - 1);
}

/* What is in order costs hardly more than a look at it. */
static void test_looks_once_at_what_is_sorted(void)
{
	int calls = 0;

	fill(MOST, EQUAL);
	sort_with(row, MOST, sizeof(*row), by_key_down, &calls);
	CU_ASSERT(is_sorted(MOST, 1));
	CU_ASSERT(calls < 2 * MOST);
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_sorts_anything_stably),
		SUITE_CASE(test_sorts_with_an_argument),
		SUITE_CASE(test_looks_once_at_what_is_sorted),
		CU_TEST_INFO_NULL,
	};

	return suite_run("sorting", tests);
}
