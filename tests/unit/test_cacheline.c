/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two sides of a cache line, as threads. */
#include "calibrate/cacheline.h"

#include "tests/fixtures/suite.h"

#include <pthread.h>

enum { ROUNDS = 20, TRIPS = 100 };

static struct cacheline here, there;
static pthread_barrier_t ready;

static void *answer(void *unused)
{
	uint64_t asked;

	for (asked = 0; asked < (uint64_t)ROUNDS * TRIPS; asked += TRIPS) {
		pthread_barrier_wait(&ready);
		cacheline_answer(&there, asked, TRIPS);
	}
	return unused;
}

/* Whoever is kept off his core for a round has fewer samples, never others. */
static void test_cacheline_there_and_back(void)
{
	struct samples s = {0};
	pthread_t thread;
	int i;

	CU_ASSERT_EQUAL_FATAL(cacheline_create(&here), 0);
	CU_ASSERT_EQUAL_FATAL(cacheline_find(&there, here.key), 0);
	CU_ASSERT(here.at != there.at);
	pthread_barrier_init(&ready, NULL, 2);
	CU_ASSERT_EQUAL_FATAL(pthread_create(&thread, NULL, answer, NULL), 0);
	for (i = 0; i < ROUNDS; i++) {
		pthread_barrier_wait(&ready);
		cacheline_ask(&here, TRIPS, &s);
	}
	pthread_join(thread, NULL);
	pthread_barrier_destroy(&ready);
	CU_ASSERT_EQUAL(here.asked, (uint64_t)ROUNDS * TRIPS);
	CU_ASSERT(s.n <= (size_t)ROUNDS * TRIPS / 10);
	for (i = 0; i < (int)s.n; i++) {
		CU_ASSERT(s.s[i] > 1e-9);
		CU_ASSERT(s.s[i] <= CACHELINE_MOST_S);
	}
	samples_release(&s);
	cacheline_close(&there);
	cacheline_hide(&here);
	cacheline_close(&here);
}

/* Nobody answers: it ends, and what it asked does not count as answered later. */
static void test_cacheline_alone(void)
{
	struct samples s = {0};

	CU_ASSERT_EQUAL_FATAL(cacheline_create(&here), 0);
	cacheline_ask(&here, TRIPS, &s);
	CU_ASSERT_EQUAL(s.n, 0);
	CU_ASSERT_EQUAL(here.asked, TRIPS);
	cacheline_answer(&here, 0, TRIPS); /* too late */
	cacheline_ask(&here, TRIPS, &s);
	CU_ASSERT_EQUAL(s.n, 0);
	samples_release(&s);
	cacheline_hide(&here);
	cacheline_close(&here);
}

/* Hidden, nobody finds it; what never was neither. */
static void test_cacheline_hidden(void)
{
	CU_ASSERT_EQUAL_FATAL(cacheline_create(&here), 0);
	cacheline_hide(&here);
	CU_ASSERT_EQUAL(cacheline_find(&there, here.key), -1);
	CU_ASSERT(!there.at);
	cacheline_close(&there);
	cacheline_close(&here);
}

static CU_TestInfo tests[] = {
	SUITE_CASE(test_cacheline_there_and_back),
	SUITE_CASE(test_cacheline_alone),
	SUITE_CASE(test_cacheline_hidden),
	CU_TEST_INFO_NULL,
};

int main(void)
{
	return suite_run("cacheline", tests);
}
