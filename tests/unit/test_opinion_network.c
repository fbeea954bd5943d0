/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What LoGPC and the signature say of rounds of messages, by hand. */
#include "tests/fixtures/opinions.h"

#include <stdint.h>
#include <stdlib.h>

#define RANKS 8
#define BYTES 10000

/* 8 nodes in a row. */
static struct machine in_a_row(void)
{
	struct machine m = tables_machine(10e-6, 1e-6, 2e-9, 1 << 20);

	m.topology.shape =
		(struct topology){.kind = TOPOLOGY_MESH, .dimensions = 1, .size = {RANKS}};
	m.topology.channel_s_per_byte = 1e-9;
	return m;
}

/*
 * Rounds of 100 us: everybody, on a host of his own, sends to the next, or by turns to so many next
 * ones, and has what he is sent way_ns after. Rank 0 gets so many times the bytes.
 */
struct shifts {
	uint32_t others;
	int64_t way_ns;
	uint64_t to_first;
};

/* What the model says of it. */
static struct opinion ask(const char *model, struct shifts s, struct machine machine)
{
	enum { ROUNDS = 210, ROUND = 100000 };
	struct tables x;

	tables_init(&x, RANKS, 1);
	for (uint32_t i = 0; i < ROUNDS; i++) {
		int64_t now = (int64_t)i * ROUND;
		uint32_t send[RANKS];

		for (uint32_t r = 0; r < RANKS; r++)
			send[r] = tables_call(&x, r, REGION_SEND, now, now + 1000, 0);
		for (uint32_t r = 0; r < RANKS; r++) {
			uint32_t from = (r + 1 + i % s.others) % RANKS;
			uint32_t take =
				tables_call(&x, r, REGION_RECV, now + 1000, now + s.way_ns, 1);

			tables_message(&x, BYTES * (r ? 1 : s.to_first), send[from], send[from],
				       take, take);
		}
	}
	tables_finish(&x);
	return opinion_of(model, x, machine);
}

/*
 * The index of interference by hand, all in us: what a message takes over what LoGPC says, which
 * has messages meet by chance. On an idle machine L + g = 10 + 2 + 20 = 32; a message holds a
 * channel for c B = 10, a host sends one in 100, k_d = 3 and n = 1, so by LoGPC's equation
 *   C_n = (n + 1) (k_d - 1) (c B)^2 m / 2 / (1 - m c B k_d / 2)
 *       = 2 * 2 * 100 * 0.01 / 2 / (1 - 0.01 * 10 * 1.5) = 2.353,
 * 34.353 in all. Of those that never meet it is 32 / 34.353 = 0.932, the least there is; of those
 * that meet as by chance 1; of those that take thrice as long as on an idle machine 96 / 34.353.
 */
static void test_opinion_logpc_interference_by_hand(void)
{
	static const struct {
		int64_t way_ns;
		double interference;
	} rows[] = {{32000, 0.932}, {34353, 1.000}, {96000, 2.795}};

	for (size_t k = 0; k < sizeof(rows) / sizeof(rows[0]); k++) {
		struct opinion o = ask("LoGPC", (struct shifts){7, rows[k].way_ns, 1}, in_a_row());

		CU_ASSERT_EQUAL_FATAL(o.valid, 1);
		CU_ASSERT_DOUBLE_EQUAL(opinion_value(&o.predicted, "C_n_s"), 2.353e-6, 2e-8);
		CU_ASSERT_DOUBLE_EQUAL(opinion_value(&o.predicted, "message_s"), 34.353e-6, 2e-8);
		CU_ASSERT_DOUBLE_EQUAL(opinion_value(&o.measured, "message_s"),
				       1e-9 * (double)rows[k].way_ns, 1e-12);
		CU_ASSERT_DOUBLE_EQUAL(opinion_value(&o.measured, "interference"),
				       rows[k].interference, 1e-3);
	}
}

/* One host may get twice the mean: with twice the others' bytes 16 / 9 of it, with thrice 2.4. */
static void test_opinion_logpc_asks_for_even_hosts(void)
{
	struct opinion o = ask("LoGPC", (struct shifts){7, 40000, 2}, in_a_row());

	CU_ASSERT_EQUAL(o.valid, 1);
	CU_ASSERT_DOUBLE_EQUAL(opinion_value(&o.inputs, "hot"), 16 / 9.0, 1e-9);
	o = ask("LoGPC", (struct shifts){7, 40000, 3}, in_a_row());
	CU_ASSERT_EQUAL(o.valid, 0);
	CU_ASSERT_DOUBLE_EQUAL(opinion_value(&o.inputs, "hot"), 2.4, 1e-9);
	CU_ASSERT_STRING_EQUAL(o.why_not, "it asks that messages go to all hosts evenly; one gets "
					  "more than twice the mean");
	CU_ASSERT_EQUAL(o.predicted.n, 0);
}

/* alpha 10 us, beta 2 ns, gamma 1.5, and a start-up of 5 us: for messages from to to bytes. */
static struct machine signed_for(double from, double to, double n_low, double n_high)
{
	struct machine m = tables_machine(10e-6, 1e-6, 2e-9, 1 << 20);

	m.signatures = calloc(1, sizeof(*m.signatures));
	CU_ASSERT_PTR_NOT_NULL_FATAL(m.signatures);
	m.n_signatures = 1;
	m.signatures[0] = (struct machine_signature){
		from, to, n_low, n_high, {{10e-6, 2e-9}, 1.5, 5e-6, 1000}};
	return m;
}

/* (n - 1) ((alpha + m beta) gamma + delta) = 7 (30 * 1.5 + 5) us. */
static void test_opinion_signature_of_an_exchange(void)
{
	struct opinion o =
		ask("signature", (struct shifts){7, 40000, 1}, signed_for(1, 1e6, 4, 16));

	CU_ASSERT_EQUAL_FATAL(o.valid, 1);
	CU_ASSERT_DOUBLE_EQUAL(opinion_value(&o.predicted, "exchange_s"), 350e-6, 1e-9);
	CU_ASSERT(opinion_value(&o.measured, "exchange_s") > 0);
}

static void test_opinion_signature_says_why_not(void)
{
	struct opinion o = ask("signature", (struct shifts){7, 40000, 1},
			       signed_for(1, 1000, 4, 16)); /* shorter ones */

	CU_ASSERT_EQUAL(o.valid, 0);
	CU_ASSERT_STRING_EQUAL(o.why_not, "the machine's contention signature is not known: "
					  "contend calibrate measures it");
	o = ask("signature", (struct shifts){7, 40000, 1}, signed_for(1, 1e6, 9, 16));
	CU_ASSERT_EQUAL(o.valid, 0);
	CU_ASSERT_STRING_EQUAL(o.why_not,
			       "the machine's signature was seen to hold among 9 to 16 ranks");
	o = ask("signature", (struct shifts){1, 40000, 1}, signed_for(1, 1e6, 4, 16));
	CU_ASSERT_EQUAL(o.valid, 0);
	CU_ASSERT_STRING_EQUAL(o.why_not, "the pattern is not a total exchange");
}

int main(void)
{
	CU_TestInfo cases[] = {
		SUITE_CASE(test_opinion_logpc_interference_by_hand),
		SUITE_CASE(test_opinion_logpc_asks_for_even_hosts),
		SUITE_CASE(test_opinion_signature_of_an_exchange),
		SUITE_CASE(test_opinion_signature_says_why_not),
		CU_TEST_INFO_NULL,
	};

	return suite_run("opinion_network", cases);
}
