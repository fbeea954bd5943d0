/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Joined messages to several destinations pass their sender's port one after the other. */
#include "tests/fixtures/findings.h"
#include "tests/fixtures/suite.h"

#include <stdio.h>
#include <stdlib.h>

#define US     1000
#define ROUNDS 20
#define L_NS   (10 * US)
#define O_NS   (1 * US)
#define RANKS  9
#define SITE   3

/* Rank 0 sends to these one after the other, computes, and waits for an answer from the last. */
struct burst_to {
	uint32_t n;
	uint32_t dst[64];
	uint32_t answers; /* this one, when it has all */
	int64_t byte_ps;
	int64_t work_ns; /* before each of these sends */
	uint64_t bytes;
};

/* joined: one message to each of them, sent with its last one. How long that takes, s. */
static double run(struct tables *x, const struct burst_to *to, int joined)
{
	int64_t now = 0;

	tables_init(x, RANKS, 1);
	for (uint32_t round = 0; round < ROUNDS; round++) {
		int64_t at = now, port = now, asked[RANKS], there = 0;
		uint32_t left[RANKS] = {0}, send, recv;

		for (uint32_t r = 0; r < RANKS; r++)
			asked[r] = now;
		for (uint32_t k = 0; k < to->n; k++)
			left[to->dst[k]]++;
		for (uint32_t k = 0; k < to->n; k++) {
			uint32_t dst = to->dst[k], all = 0;
			uint64_t bytes = to->bytes;

			for (uint32_t i = 0; i < to->n; i++)
				all += to->dst[i] == dst;
			at += to->work_ns;
			if (--left[dst] && joined)
				continue;
			bytes *= joined ? all : 1;
			port = (at > port ? at : port) + 2 * O_NS + bytes * to->byte_ps / 1000;
			there = port + L_NS;
			send = tables_call(x, 0, REGION_SEND, at, at + O_NS, SITE);
			recv = tables_call(x, dst, REGION_RECV, asked[dst], there, 4);
			tables_message(x, bytes, send, send, recv, recv);
			asked[dst] = there;
			at += O_NS;
		}
		send = tables_call(x, to->answers, REGION_SEND, asked[to->answers],
				   asked[to->answers] + O_NS, 5);
		now = asked[to->answers] + 3 * O_NS + L_NS;
		recv = tables_call(x, 0, REGION_RECV, at, now, 6);
		tables_message(x, 0, send, send, recv, recv);
		now += 100 * US;
	}
	tables_finish(x);
	return x->trace.wall_ns * 1e-9;
}

/* What it saves lies within what is said. */
static const struct hotspot *find(struct hotspots *h, const struct burst_to *to, struct machine on,
				  double *gain_s)
{
	const struct hotspot *found;
	struct tables x, y;

	*gain_s = run(&x, to, 0) - run(&y, to, 1);
	*h = findings_of(&x, on);
	found = findings_one(h, "aggregation");
	CU_ASSERT_FATAL(found != NULL);
	if (getenv("VERBOSE"))
		printf("saves %g, said %g to %g of %g\n", *gain_s, found->saves_mid_s,
		       found->saves_high_s, x.trace.wall_ns * 1e-9);
	CU_ASSERT(found->saves_low_s <= *gain_s && *gain_s <= 1.01 * found->saves_high_s);
	tables_release(&x);
	tables_release(&y);
	return found;
}

/* Rank 1 gets a message, rank 2 all of its, then rank 1 the others: rank 2's is sent first. */
static void test_joining_port_by_the_last_message(void)
{
	struct burst_to to = {.n = 40, .dst = {1}, .answers = 2, .byte_ps = 1000, .bytes = 100};
	const struct hotspot *found;
	struct hotspots h;
	double gain_s;

	for (uint32_t k = 1; k < to.n; k++)
		to.dst[k] = k <= 20 ? 2 : 1;
	found = find(&h, &to, tables_machine(L_NS * 1e-9, O_NS * 1e-9, 1e-9, 65536), &gain_s);
	CU_ASSERT_DOUBLE_EQUAL(found->saves_mid_s, gain_s, 0.1 * gain_s);
	hotspots_release(&h);
}

/*
 * Sent faster than they pass the port: what is joined to one is there sooner by what goes by of all
 * others as well.
 */
static void test_joining_port_with_a_backlog(void)
{
	struct burst_to to = {.n = 56, .answers = RANKS - 2, .byte_ps = 1000, .bytes = 100};
	const struct hotspot *found;
	struct hotspots h;
	double gain_s;

	for (uint32_t k = 0; k < to.n; k++)
		to.dst[k] = 1 + k % (RANKS - 2);
	found = find(&h, &to, tables_machine(L_NS * 1e-9, O_NS * 1e-9, 1e-9, 65536), &gain_s);
	CU_ASSERT_DOUBLE_EQUAL(found->saves_mid_s, gain_s, 0.2 * gain_s);
	hotspots_release(&h);
}

/* Of an estimate that has the port slower than it is by as much as it may be. */
static void test_joining_port_of_an_estimate(void)
{
	struct burst_to to = {
		.n = 56, .answers = RANKS - 2, .byte_ps = 10000, .work_ns = US, .bytes = 200};
	struct machine on = tables_machine(L_NS * 1e-9, O_NS * 1e-9, 1.3 * 10e-9, 65536);
	struct hotspots h;
	double gain_s;

	on.source = MACHINE_SELF_CALIBRATED;
	on.classes[LOCALITY_NETWORK].uncertainty = 0.3;
	for (int k = 0; k < 2; k++)
		on.classes[LOCALITY_NETWORK].points[k].g_s *= k ? 1 : 1.3;
	for (uint32_t k = 0; k < to.n; k++)
		to.dst[k] = 1 + k % (RANKS - 2);
	find(&h, &to, on, &gain_s);
	hotspots_release(&h);
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_joining_port_by_the_last_message),
		SUITE_CASE(test_joining_port_with_a_backlog),
		SUITE_CASE(test_joining_port_of_an_estimate),
		CU_TEST_INFO_NULL,
	};

	return suite_run("joining_port", tests);
}
