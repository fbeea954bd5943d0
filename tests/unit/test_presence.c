/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/fixtures/suite.h"
#include "tests/fixtures/tables.h"

#include <string.h>

#define END   2000 /* ns */
#define ASKED 3000

struct rank_time {
	struct tables x;
	struct presence presence;
	char inside[END]; /* per ns */
};

static uint32_t random_below(uint32_t *seed, uint32_t n)
{
	*seed = *seed * 1664525 + 1013904223;
	return (*seed >> 8) % n;
}

/* Calls of one thread after the other, then those of a second one among them. */
static void make(struct rank_time *r, int threads, uint32_t *seed)
{
	struct err err;

	memset(r, 0, sizeof(*r));
	tables_init(&r->x, 2, 1);
	for (int k = 0; k < threads; k++) {
		int64_t at = random_below(seed, 20), until;

		for (; at < END - 40; at = until + random_below(seed, 20)) {
			until = at + 1 + random_below(seed, 20);
			tables_call(&r->x, 1, REGION_RECV, at, until, 0);
			memset(r->inside + at, 1, (size_t)(until - at));
		}
	}
	tables_finish(&r->x);
	r->x.trace.ranks[1].begin_ns = 0;
	CU_ASSERT_FATAL(!presence_init(&r->presence, &r->x.trace, &err));
}

static void release(struct rank_time *r)
{
	presence_release(&r->presence);
	tables_release(&r->x);
}

static int64_t counted_ns(const struct rank_time *r, int64_t from, int64_t to)
{
	int64_t ns = 0;

	for (; from < to; from++)
		ns += !r->inside[from];
	return ns;
}

/* Whatever was asked before, and whatever call is said to be near. */
static void test_presence_outside_wherever_near(void)
{
	uint32_t seed = 7;

	for (int threads = 1; threads <= 2; threads++) {
		struct rank_time r;
		struct presence_near near = {0};

		make(&r, threads, &seed);
		for (int k = 0; k < ASKED; k++) {
			uint32_t call = random_below(&seed, r.x.trace.n_calls);
			int64_t from = random_below(&seed, END), to = random_below(&seed, END);
			int64_t ns = counted_ns(&r, from, to);

			CU_ASSERT_EQUAL(presence_outside_ns(&r.presence, 1, call, from, to), ns);
			CU_ASSERT_EQUAL(presence_outside_again_ns(&r.presence, 1, &near, from, to),
					ns);
		}
		release(&r);
	}
}

/* What is found near the begin and the end is where the next search begins. */
static void test_presence_outside_remembers_where(void)
{
	struct presence_near near = {TRACE_NONE, TRACE_NONE};
	struct rank_time r;
	uint32_t seed = 3;

	make(&r, 1, &seed);
	presence_outside_again_ns(&r.presence, 1, &near, 100, END);
	CU_ASSERT_EQUAL(near.from, presence_call_before(&r.presence, 1, 0, 100));
	CU_ASSERT_EQUAL(near.to, presence_call_before(&r.presence, 1, 0, END));
	CU_ASSERT(near.from < near.to);
	release(&r);
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_presence_outside_wherever_near),
		SUITE_CASE(test_presence_outside_remembers_where),
		CU_TEST_INFO_NULL,
	};

	return suite_run("presence", tests);
}
