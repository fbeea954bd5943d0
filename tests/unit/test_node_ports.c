/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/gains/node_ports.h"
#include "tests/fixtures/suite.h"
#include "tests/fixtures/tables.h"

#define US    1000
#define RANKS 4 /* on two nodes */
#define SENDS 3

/* Rank 0 sends to 2 and 1 to 3 at once, and 0 to 1 on its node. */
static void fill(struct tables *x)
{
	static const uint32_t src[SENDS] = {0, 1, 0}, dst[SENDS] = {2, 3, 1};

	tables_init(x, RANKS, RANKS / 2);
	for (uint32_t k = 0; k < SENDS; k++) {
		int64_t now = (k / 2) * 50 * US;
		uint32_t send = tables_call(x, src[k], REGION_SEND, now, now + US, 1);
		uint32_t recv = tables_call(x, dst[k], REGION_RECV, now, now + 40 * US, 2);

		tables_message(x, 100, send, send, recv, recv);
	}
	tables_finish(x);
}

/* Of the message from src to dst. */
static int64_t wait_of(const struct tables *x, const int64_t *wait_ns, uint32_t src, uint32_t dst)
{
	for (uint32_t i = 0; i < x->messages.n; i++)
		if (x->messages.m[i].src == src && x->messages.m[i].dst == dst)
			return wait_ns[i];
	return -1;
}

static void test_node_ports_pass_one_by_one(void)
{
	static const uint32_t node[RANKS] = {0, 0, 1, 1};
	static const uint32_t own[RANKS] = {0, 1, 2, 3}, place[RANKS] = {0, 2, 1, 3};
	static const double port_s = 30e-6;
	static const uint32_t size_of[SENDS] = {0};
	int64_t wait_ns[SENDS], sooner_ns[RANKS * SENDS] = {0};
	struct idle_price price = {.known = 1};
	struct attribution a = {.sizes = {.of = (uint32_t *)size_of}};
	struct node_ports p = {.nodes = 2, .node = node, .place = own, .port_s = &port_s};
	struct tables x;
	struct evidence_base b;
	struct err err;

	fill(&x);
	b = (struct evidence_base){
		.t = &x.trace, .m = &x.messages, .a = &a, .prices = &price, .n_prices = 1};
	CU_ASSERT_EQUAL_FATAL(node_ports_wait(&b, &p, sooner_ns, wait_ns, &err), 0);
	CU_ASSERT_EQUAL(wait_of(&x, wait_ns, 0, 2) + wait_of(&x, wait_ns, 1, 3), 30 * US);
	CU_ASSERT_EQUAL(wait_of(&x, wait_ns, 0, 1), 0);
	/* ranks 1 and 2 swap: what they get and send stays, and 0 to 1 leaves its node alone */
	p.place = place;
	CU_ASSERT_EQUAL_FATAL(node_ports_wait(&b, &p, sooner_ns, wait_ns, &err), 0);
	for (uint32_t k = 0; k < SENDS; k++)
		CU_ASSERT_EQUAL(wait_ns[k], 0);
	/* a rank that is so much later meets nobody */
	p.place = own;
	sooner_ns[x.trace.ranks[1].first_call] = -30 * US;
	CU_ASSERT_EQUAL_FATAL(node_ports_wait(&b, &p, sooner_ns, wait_ns, &err), 0);
	CU_ASSERT_EQUAL(wait_of(&x, wait_ns, 1, 3), 0);
	tables_release(&x);
}

/*
 * Who waits for its way out is not at the other node's port yet, and in nobody's way there: rank 0
 * sends to 1, then to 2, and rank 3 to 2 right after that, each of a node of its own.
 */
static void test_node_ports_serve_who_comes_first(void)
{
	static const uint32_t node[] = {0, 1, 2, 3}, src[] = {0, 0, 3}, dst[] = {1, 2, 2};
	static const int64_t sent_ns[] = {0, US, 2 * US}, waits_ns[] = {0, 101 * US, 0};
	static const double port_s = 100e-6;
	static const uint32_t size_of[SENDS] = {0};
	int64_t wait_ns[SENDS], sooner_ns[2 * SENDS] = {0};
	struct idle_price price = {.known = 1};
	struct attribution a = {.sizes = {.of = (uint32_t *)size_of}};
	struct node_ports p = {.nodes = 4, .node = node, .place = node, .port_s = &port_s};
	struct tables x;
	struct evidence_base b;
	struct err err;

	tables_init(&x, 4, 1);
	for (uint32_t k = 0; k < SENDS; k++) {
		uint32_t send =
			tables_call(&x, src[k], REGION_SEND, sent_ns[k], sent_ns[k] + US / 2, 1);
		uint32_t recv = tables_call(&x, dst[k], REGION_RECV, (200 + 200 * k) * US,
					    (300 + 200 * k) * US, 2);

		tables_message(&x, 100, send, send, recv, recv);
	}
	tables_finish(&x);
	b = (struct evidence_base){
		.t = &x.trace, .m = &x.messages, .a = &a, .prices = &price, .n_prices = 1};
	CU_ASSERT_EQUAL_FATAL(node_ports_wait(&b, &p, sooner_ns, wait_ns, &err), 0);
	CU_ASSERT_EQUAL(wait_of(&x, wait_ns, 0, 1), waits_ns[0]);
	CU_ASSERT_EQUAL(wait_of(&x, wait_ns, 0, 2), waits_ns[1]);
	CU_ASSERT_EQUAL(wait_of(&x, wait_ns, 3, 2), waits_ns[2]);
	tables_release(&x);
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_node_ports_pass_one_by_one),
		SUITE_CASE(test_node_ports_serve_who_comes_first),
		CU_TEST_INFO_NULL,
	};

	return suite_run("node_ports", tests);
}
