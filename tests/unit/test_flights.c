/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Messages in flight: Little's law, and against a count at each instant. */
#include "analyze/gains/flights.h"

#include "tests/fixtures/exchange.h"
#include "tests/fixtures/suite.h"

#define FLIGHTS 200
#define RANKS   5
#define END     3000

struct flight {
	int64_t begin, end;
};

struct crowd {
	struct flight flight[FLIGHTS];
	struct flight_edge edge[2 * FLIGHTS];
	uint32_t dst[FLIGHTS], counts[RANKS], levels[FLIGHTS + 1];
};

/* Flights at any times, some back to back and some at the same time, to so many ranks. */
static struct flights_focus fly(struct crowd *x, uint32_t ranks, uint64_t seed)
{
	*x = (struct crowd){0};
	for (uint32_t k = 0; k < FLIGHTS; k++) {
		int64_t begin = exchange_draw(&seed, END - 100);
		int64_t end = begin + 1 + exchange_draw(&seed, 40);

		x->flight[k] = (struct flight){begin, end};
		x->dst[k] = exchange_draw(&seed, ranks);
		x->edge[2 * k] = (struct flight_edge){begin, k, 1};
		x->edge[2 * k + 1] = (struct flight_edge){end, k, -1};
	}
	flights_sort(x->edge, 2 * FLIGHTS);
	return flights_concentration(x->edge, 2 * FLIGHTS, x->dst, x->counts, x->levels);
}

/*
 * To one destination: how many fly on average is how many come in a time, times how long each
 * flies.
 */
static void test_flights_obey_littles_law(void)
{
	for (uint64_t seed = 1; seed <= 20; seed++) {
		struct crowd x;
		struct flights_focus f = fly(&x, 1, seed);
		int64_t flown = 0, busy = 0;

		for (int k = 0; k < FLIGHTS; k++)
			flown += x.flight[k].end - x.flight[k].begin;
		for (int64_t t = 0; t < END; t++) {
			int any = 0;

			for (int k = 0; k < FLIGHTS; k++)
				any |= x.flight[k].begin <= t && t < x.flight[k].end;
			busy += any;
		}
		CU_ASSERT_DOUBLE_EQUAL(f.depth * (double)busy, (double)flown, 1e-6);
		CU_ASSERT_DOUBLE_EQUAL(f.concentration, 1, 1e-12);
	}
}

/*
 * To several: those to the most popular one at each instant; and the room is left as it was found.
 */
static void test_flights_go_to_the_most_popular(void)
{
	for (uint64_t seed = 1; seed <= 20; seed++) {
		struct crowd x;
		struct flights_focus f = fly(&x, RANKS, seed);
		int64_t popular = 0, flown = 0, busy = 0;
		uint32_t left = 0;

		for (int64_t t = 0; t < END; t++) {
			int64_t to[RANKS] = {0}, most = 0, all = 0;

			for (int k = 0; k < FLIGHTS; k++)
				to[x.dst[k]] += x.flight[k].begin <= t && t < x.flight[k].end;
			for (int r = 0; r < RANKS; r++) {
				most = to[r] > most ? to[r] : most;
				all += to[r];
			}
			popular += most;
			flown += all;
			busy += all > 0;
		}
		CU_ASSERT_DOUBLE_EQUAL(f.concentration, (double)popular / (double)flown, 1e-9);
		CU_ASSERT_DOUBLE_EQUAL(f.depth, (double)popular / (double)busy, 1e-9);
		for (int r = 0; r < RANKS; r++)
			left += x.counts[r];
		for (int k = 1; k <= FLIGHTS; k++)
			left += x.levels[k];
		CU_ASSERT_EQUAL(left, 0);
	}
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_flights_obey_littles_law),
		SUITE_CASE(test_flights_go_to_the_most_popular),
		CU_TEST_INFO_NULL,
	};

	return suite_run("flights", tests);
}
