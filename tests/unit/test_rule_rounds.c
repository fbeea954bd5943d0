/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "tests/fixtures/findings.h"
#include "tests/fixtures/suite.h"

#define US     1000
#define ROUNDS 24
#define RANKS  5
#define SITE   5
#define WAY    (12 * US)

/* Rank 0 gives the others a piece of work each, and the next when all, or each, are done. */
struct scene {
	int64_t work_ns[RANKS][ROUNDS];
	int by_demand;
	int64_t own_ns; /* of rank 0, before each round */
};

static struct scene scene(int64_t work_us, int64_t uneven_us)
{
	struct scene x = {.by_demand = 0};
	uint32_t random = 12345;

	for (int k = 0; k < ROUNDS; k++)
		for (int r = 1; r < RANKS; r++) {
			random = random * 1664525u + 1013904223u;
			x.work_ns[r][k] =
				(work_us + (uneven_us ? (random >> 8) % uneven_us : 0)) * US;
		}
	return x;
}

/* Who has the piece of round[] at hand is done first. */
static uint32_t first_done(const int64_t done_ns[RANKS])
{
	uint32_t first = 1;

	for (uint32_t r = 2; r < RANKS; r++)
		first = done_ns[r] < done_ns[first] ? r : first;
	return first;
}

struct play {
	struct tables out;
	const struct scene *x;
	int64_t now_ns;          /* of rank 0, */
	int64_t free_ns[RANKS];  /* and others */
	int64_t done_ns[RANKS];  /* when they will have sent what they were given; INT64_MAX */
	int64_t waits_ns[RANKS]; /* for the next piece, in all */
	int round[RANKS];
};

static void give(struct play *p, uint32_t to)
{
	uint32_t send, got;
	int64_t there_ns;

	p->now_ns += to == 1 ? p->x->own_ns : 0;
	there_ns = p->now_ns + WAY;
	send = tables_call(&p->out, 0, REGION_SEND, p->now_ns, p->now_ns + US, 1);
	got = tables_call(&p->out, to, REGION_RECV, p->free_ns[to], there_ns, 2);
	tables_message(&p->out, 8, send, send, got, got);
	p->waits_ns[to] += there_ns - p->free_ns[to];
	p->now_ns += US;
	p->done_ns[to] = there_ns + p->x->work_ns[to][p->round[to]++];
}

/* Takes the next answer; returns whose. */
static uint32_t take(struct play *p)
{
	uint32_t from = first_done(p->done_ns), send, got;
	int64_t sent_ns = p->done_ns[from], ns = sent_ns + WAY;

	ns = ns > p->now_ns + US ? ns : p->now_ns + US;
	send = tables_call(&p->out, from, REGION_SEND, sent_ns, sent_ns + US, SITE);
	got = tables_call(&p->out, 0, REGION_RECV, p->now_ns, ns, 4);
	tables_message(&p->out, 8, send, send, got, got);
	p->now_ns = ns;
	p->free_ns[from] = sent_ns + US;
	p->done_ns[from] = INT64_MAX;
	return from;
}

/* *waits_s: each for the next piece, on average. */
static struct hotspots find(const struct scene *x, double *waits_s)
{
	struct play p = {.x = x};
	struct hotspots h;

	tables_init(&p.out, RANKS, 1);
	for (uint32_t r = 1; r < RANKS; r++)
		give(&p, r);
	for (uint32_t n = (RANKS - 1) * ROUNDS; n > 0; n--) {
		uint32_t from = take(&p);

		if (x->by_demand && p.round[from] < ROUNDS)
			give(&p, from);
		for (uint32_t r = 1; r < RANKS && !x->by_demand && n > RANKS - 1; r++)
			if (n % (RANKS - 1) == 1)
				give(&p, r);
	}
	*waits_s = 0;
	for (uint32_t r = 1; r < RANKS; r++)
		*waits_s += (double)p.waits_ns[r] * 1e-9 / (RANKS - 1);
	tables_finish(&p.out);
	h = findings_of(&p.out, tables_machine(10e-6, 1e-6, 1e-9, 65536));
	tables_release(&p.out);
	return h;
}

/* All wait in every round for the one that has most to do in it. */
static void test_rule_rounds_of_uneven_work(void)
{
	struct scene x = scene(200, 3000);
	double waits_s;
	struct hotspots h = find(&x, &waits_s);
	const struct hotspot *found = findings_one(&h, "imbalance");

	CU_ASSERT_FATAL(found != NULL);
	CU_ASSERT_EQUAL(found->site, SITE);
	CU_ASSERT_EQUAL(found->rank, TRACE_NONE);
	CU_ASSERT_EQUAL(found->saves_low_s, 0);
	CU_ASSERT_DOUBLE_EQUAL(found->saves_mid_s, waits_s, 0.1 * waits_s); /* less the ways */
	CU_ASSERT(found->saves_high_s >= found->saves_mid_s);
	hotspots_release(&h);
}

static void is_silent(struct scene x)
{
	double waits_s;
	struct hotspots h = find(&x, &waits_s);

	for (uint32_t k = 0; k < h.n; k++)
		CU_ASSERT_PTR_NULL(strstr(h.h[k].title, "from round to round"));
	hotspots_release(&h);
}

static void test_rule_rounds_is_silent(void)
{
	struct scene x = scene(200, 3000);

	x.by_demand = 1;
	is_silent(x);
	is_silent(scene(2000, 0));
	x.by_demand = 0;
	x.own_ns = 1500 * US; /* it has work of its own, between that of the others */
	is_silent(x);
}

/* Always the same: its share is too large, also if who gives it is taken for a server. */
static void test_rule_rounds_of_one_rank(void)
{
	struct scene x = scene(1000, 0);
	const struct hotspot *found;
	struct hotspots h;
	double waits_s;

	for (int k = 0; k < ROUNDS; k++)
		x.work_ns[3][k] *= 3;
	h = find(&x, &waits_s);
	found = findings_one(&h, "imbalance");
	CU_ASSERT_FATAL(found != NULL);
	CU_ASSERT_EQUAL(found->rank, 3);
	CU_ASSERT_DOUBLE_EQUAL(found->saves_mid_s, waits_s, 0.1 * waits_s);
	hotspots_release(&h);
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_rule_rounds_of_uneven_work),
		SUITE_CASE(test_rule_rounds_of_one_rank),
		SUITE_CASE(test_rule_rounds_is_silent),
		CU_TEST_INFO_NULL,
	};

	return suite_run("rule_rounds", tests);
}
