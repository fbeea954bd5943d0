/* SPDX-License-Identifier: GPL-3.0-or-later */
/* As many servers as clients: only the order in time tells them from neighbours. */
#include "analyze/patterns/pattern.h"

#include "tests/fixtures/synthetic.h"

#include "tests/fixtures/suite.h"

#include <string.h>

static struct pattern find(const struct synthetic *s)
{
	struct traffic t;
	struct pattern p;
	struct err err;

	CU_ASSERT_EQUAL_FATAL(traffic_build(s->ranks, s->n, s->d, &t, &err), 0);
	CU_ASSERT_EQUAL_FATAL(pattern_find(&t, &p, &err), 0);
	traffic_release(&t);
	return p;
}

/* Two clients that draw one of two servers by lot: in any order of the ranks, no grid. */
static void test_pattern_of_four_ranks(void)
{
	static const struct {
		uint32_t client, server, requests;
	} pairs[] = {{2, 0, 8}, {3, 0, 4}, {2, 1, 2}, {3, 1, 6}};
	struct delivery d[80];
	struct synthetic s = {.ranks = 4, .d = d};
	struct pattern p;

	for (int k = 0; k < 4; k++)
		for (uint32_t i = 0; i < 2 * pairs[k].requests; i++) {
			uint32_t from = i % 2 ? pairs[k].server : pairs[k].client;

			d[s.n++] =
				(struct delivery){.src = from,
						  .dst = pairs[k].client + pairs[k].server - from,
						  .bytes = 8,
						  .sent_ns = i,
						  .done_ns = i + 1};
		}
	p = find(&s);
	CU_ASSERT_FALSE(p.best.regular && p.best.permuted);
}

/*
 * Two clients ask two servers in turn, or who is even in a ring begins to swap with both beside it:
 * all but the numbers is the same, and each is named with the other.
 */
static struct pattern asked_in_turn(const uint32_t *client, const uint32_t *server)
{
	struct delivery d[80];
	struct synthetic s = {.ranks = 4, .n = 80, .d = d};

	for (uint32_t i = 0; i < s.n; i++) {
		uint32_t a = client[i / 2 % 2], b = server[(i / 4 + i / 2) % 2];

		d[i] = (struct delivery){.src = i % 2 ? b : a,
					 .dst = i % 2 ? a : b,
					 .bytes = 8,
					 .sent_in = i,
					 .done_in = i,
					 .sent_ns = i,
					 .done_ns = i + 1};
	}
	return find(&s);
}

static int has_equivalent(const struct pattern *p, const char *name)
{
	for (uint32_t i = 0; i < p->n_equivalent; i++)
		if (!strcmp(p->equivalent[i], name))
			return 1;
	return 0;
}

static void test_pattern_of_as_many_servers_as_clients(void)
{
	static const uint32_t low[] = {0, 1}, high[] = {2, 3}, even[] = {0, 2}, odd[] = {1, 3};
	struct pattern p = asked_in_turn(high, low);

	CU_ASSERT_STRING_EQUAL(p.best.name, "client-server, 2 servers");
	CU_ASSERT(has_equivalent(&p, "ring, ranks permuted"));
	p = asked_in_turn(low, high);
	CU_ASSERT_STRING_EQUAL(p.best.name, "client-server, 2 servers");
	p = asked_in_turn(even, odd);
	CU_ASSERT_STRING_EQUAL(p.best.name, "ring");
	CU_ASSERT(has_equivalent(&p, "client-server, 2 servers"));
}

int main(void)
{
	static CU_TestInfo cases[] = {
		SUITE_CASE(test_pattern_of_four_ranks),
		SUITE_CASE(test_pattern_of_as_many_servers_as_clients),
		CU_TEST_INFO_NULL,
	};

	return suite_run("pattern_servers", cases);
}
