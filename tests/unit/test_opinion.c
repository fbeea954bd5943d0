/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/opinion.h"

#include "tests/unit/exchange.h"
#include "tests/unit/suite.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RANKS 8
#define BYTES 10000 /* between hosts */

#define NEAR_BYTES (BYTES / 10)

static struct err err;

/* What the model says of x, which is released, and the machine, too. */
static struct opinion opinion_of(const char *model, struct tables x, struct machine machine)
{
	static const struct clock_quality one_clock;
	struct opinion found = {.name = NULL};
	struct patterns patterns;
	struct attribution a;
	struct opinions all;
	struct phases phases;
	struct evidence_base base = {
		.t = &x.trace, .m = &x.messages, .c = &x.collectives, .machine = &machine, .a = &a};

	CU_ASSERT_EQUAL_FATAL(attribution_run(&x.trace, &x.messages, &x.collectives, &machine,
					      &one_clock, &a, &err),
			      0);
	CU_ASSERT_EQUAL_FATAL(phases_find(&x.trace, &x.messages, &x.collectives, &phases, &err), 0);
	CU_ASSERT_EQUAL_FATAL(patterns_find(&x.trace, &x.messages, &phases, &patterns, &err), 0);
	CU_ASSERT_EQUAL_FATAL(evidence_find(&base, &err), 0);
	CU_ASSERT_EQUAL_FATAL(opinions_find(&base, &phases, &patterns, &all, &err), 0);
	evidence_release(&base);
	for (uint32_t k = 0; k < all.n && !found.name; k++)
		if (!strcmp(all.o[k].name, model))
			found = all.o[k];
	CU_ASSERT_PTR_NOT_NULL_FATAL(found.name);
	opinions_release(&all);
	patterns_release(&patterns);
	phases_release(&phases);
	attribution_release(&a);
	tables_release(&x);
	machine_release(&machine);
	return found;
}

/* A total exchange on hosts of so many ranks; what the model says of it. */
static struct opinion ask(const char *model, uint32_t per_host, struct machine machine)
{
	const struct exchange e = {RANKS,        10,     1,     EXCHANGE_STAGGERED,
				   REGION_ISEND, BYTES,  10000, 1000,
				   20000,        100000, 1};
	struct tables x;

	exchange_make(&x, &e);
	x.trace.nodes = (RANKS + per_host - 1) / per_host;
	for (uint32_t r = 0; r < RANKS; r++) {
		x.trace.ranks[r].node = r / per_host;
		snprintf(x.trace.ranks[r].host, 6, "host%u", r / per_host);
	}
	CU_ASSERT_EQUAL_FATAL(trace_number_homes(&x.trace), 0);
	for (uint32_t i = 0; i < x.messages.n; i++) {
		struct message *m = &x.messages.m[i];

		if (m->src / per_host == m->dst / per_host)
			m->bytes = NEAR_BYTES;
	}
	return opinion_of(model, x, machine);
}

/*
 * Each rank asks another one in each round, by turns, and answers one in 10 us; in a round out of
 * so many in 2 ms; and works 20 us. No message waits. Rank 0 may tell them all to begin. What LoPC
 * says of it.
 */
static struct opinion ask_of_questions(uint32_t slow_one_in, int is_told)
{
	enum { ROUNDS = 20 * (RANKS - 1), WAY = 7008 }; /* L + g of 8 bytes */
	int64_t now = 0;
	struct tables x;

	tables_init(&x, RANKS, RANKS);
	for (uint32_t r = 1; is_told && r < RANKS; r++, now += 1000) {
		uint32_t send = tables_call(&x, 0, REGION_SEND, now, now + 1000, 1);
		uint32_t take = tables_call(&x, r, REGION_RECV, 0, now + WAY, 2);

		tables_message(&x, 8, send, send, take, take);
	}
	now += 2 * WAY;
	for (uint32_t i = 1; i <= ROUNDS; i++) {
		int64_t asked = now + 1000,
			answer = now + WAY + (i % slow_one_in ? 10000 : 2000000);
		uint32_t ask[RANKS], take[RANKS], reply[RANKS], got[RANKS], r;

		for (r = 0; r < RANKS; r++) {
			ask[r] = tables_call(&x, r, REGION_SEND, now, asked, 1);
			take[r] = tables_call(&x, r, REGION_RECV, asked, now + WAY, 2);
			reply[r] = tables_call(&x, r, REGION_SEND, answer, answer + 1000, 3);
			got[r] = tables_call(&x, r, REGION_RECV, answer + 1000, answer + WAY, 4);
		}
		for (r = 0; r < RANKS; r++) {
			uint32_t to = (r + 1 + i % (RANKS - 1)) % RANKS;

			tables_message(&x, 8, ask[r], ask[r], take[to], take[to]);
			tables_message(&x, 8, reply[to], reply[to], got[r], got[r]);
		}
		now = answer + WAY + 20000;
	}
	tables_finish(&x);
	return opinion_of("LoPC", x, tables_machine(5e-6, 1e-6, 1e-9, 65536));
}

static double value(const struct opinion_values *of, const char *key)
{
	for (uint32_t i = 0; i < of->n; i++)
		if (!strcmp(of->v[i].key, key))
			return of->v[i].value;
	return NAN;
}

static struct machine rated(int has_rate)
{
	struct machine m = tables_machine(10e-6, 1e-6, 2e-9, 1 << 20);

	m.has_rate = has_rate;
	m.rate = (struct max_rate){30e-6, 1e9, 4e8, 4e8};
	return m;
}

/* Four ranks of a node get 1 GB/s together, less than 4 times 0.4. Messages within it are not asked. */
static void test_opinion_max_rate_of_full_nodes(void)
{
	struct opinion o = ask("max-rate", 4, rated(1));

	CU_ASSERT_EQUAL(o.valid, 1);
	CU_ASSERT_STRING_EQUAL(o.predicted.v[0].key, "message_s");
	CU_ASSERT_DOUBLE_EQUAL(o.predicted.v[0].value, 30e-6 + 4 * BYTES / 1e9, 1e-9);
	CU_ASSERT_DOUBLE_EQUAL(value(&o.inputs, "bytes"), BYTES, 1e-9);
	CU_ASSERT_EQUAL(o.measured.n, 1);
	CU_ASSERT(o.measured.v[0].value > 0);
}

static void test_opinion_max_rate_says_why_not(void)
{
	static const struct {
		uint32_t per_host;
		int has_rate;
		const char *why;
	} rows[] = {
		{RANKS, 1, "all ranks are on one node"},
		{1, 1, "a node of its own"},
		{4, 0, "is not known"},
		{4, -1, "with more ranks than cores"},
		{RANKS - 1, 1, "stay on a node"},
	};

	for (size_t k = 0; k < sizeof(rows) / sizeof(rows[0]); k++) {
		struct opinion o = ask("max-rate", rows[k].per_host, rated(rows[k].has_rate));

		CU_ASSERT_EQUAL(o.valid, 0);
		CU_ASSERT_PTR_NOT_NULL(strstr(o.why_not, rows[k].why));
		CU_ASSERT_EQUAL(o.predicted.n, 0);
	}
}

/* 8 nodes in a row; hosts: the names at them, or NULL. */
static struct machine shaped(enum topology_kind kind, char *const *hosts)
{
	struct machine m = tables_machine(10e-6, 1e-6, 2e-9, 1 << 20);

	m.topology.shape = (struct topology){.kind = kind, .dimensions = 1, .size = {RANKS}};
	m.topology.channel_s_per_byte = 1e-9;
	for (size_t i = 0; hosts && i < RANKS; i++) {
		if (!i)
			m.topology.hosts = calloc(RANKS, sizeof(char *));
		m.topology.hosts[m.topology.n_hosts++] = strdup(hosts[i]);
	}
	return m;
}

/*
 * Everybody to everybody else of 8 in a row: by hand 3 hops, and 16/7 where the ends are joined;
 * LoGPC's equation (6) for n = 1 with the rate of the trace.
 */
static void test_opinion_logpc_by_the_topology(void)
{
	static const struct {
		enum topology_kind kind;
		double k_d;
	} rows[] = {{TOPOLOGY_MESH, 3}, {TOPOLOGY_TORUS, 16 / 7.0}};

	for (size_t k = 0; k < 2; k++) {
		struct opinion o = ask("LoGPC", 1, shaped(rows[k].kind, NULL));
		double hold_s = BYTES * 1e-9, m = value(&o.inputs, "messages_per_s");
		double k_d = rows[k].k_d, C_n;

		C_n = (k_d - 1) * hold_s * hold_s * m / (1 - m * hold_s * k_d / 2);
		CU_ASSERT_EQUAL(o.valid, 1);
		CU_ASSERT_DOUBLE_EQUAL(value(&o.inputs, "k_d"), k_d, 1e-9);
		CU_ASSERT_DOUBLE_EQUAL(value(&o.inputs, "hot"), 1, 1e-9);
		CU_ASSERT(m > 1000);
		CU_ASSERT_DOUBLE_EQUAL(value(&o.predicted, "C_n_s"), C_n, 1e-12);
		CU_ASSERT(C_n > 1e-7);
		CU_ASSERT_DOUBLE_EQUAL(
			value(&o.measured, "interference"),
			value(&o.measured, "message_s") / value(&o.predicted, "message_s"), 1e-9);
	}
}

static void test_opinion_logpc_says_why_not(void)
{
	static char *const hosts[RANKS] = {"host7", "host6", "host5", "host4",
					   "host3", "host2", "host1", "host0"};
	static char *const others[RANKS] = {"host7", "host6", "host5", "host4",
					    "host3", "host2", "host1", "x"};
	struct machine m = tables_machine(10e-6, 1e-6, 2e-9, 1 << 20);
	struct opinion o = ask("LoGPC", 1, m);

	CU_ASSERT_EQUAL(o.valid, 0);
	CU_ASSERT_PTR_NOT_NULL(strstr(o.why_not, "the machine file says no topology"));
	o = ask("LoGPC", 1, shaped(TOPOLOGY_MESH, others));
	CU_ASSERT_PTR_NOT_NULL(strstr(o.why_not, "host host0 is not in the machine file"));
	m = shaped(TOPOLOGY_MESH, NULL);
	m.topology.shape.size[0] = 3;
	o = ask("LoGPC", 1, m);
	CU_ASSERT_PTR_NOT_NULL(strstr(o.why_not, "has 3 nodes, the run 8 hosts"));
	m = shaped(TOPOLOGY_MESH, NULL);
	m.topology.channel_s_per_byte = 1e-6; /* more than the links carry */
	o = ask("LoGPC", 1, m);
	CU_ASSERT_EQUAL(o.valid, 0);
	o = ask("LoGPC", 1, shaped(TOPOLOGY_MESH, hosts));
	CU_ASSERT_EQUAL(o.valid, 1);
	CU_ASSERT_DOUBLE_EQUAL(value(&o.inputs, "k_d"), 3, 1e-9);
}

/* A receiver in MPI for something else collects them 5 ms later: no message was slow for that. */
static void test_opinion_load_counts_no_wait_for_the_receiver(void)
{
	static const struct clock_quality one_clock;
	struct machine machine = tables_machine(10e-6, 1e-6, 2e-9, 1 << 20);
	uint32_t of_message[8] = {0}, of_call[32] = {0};
	struct phase phase = {0};
	struct phases phases = {.p = &phase, .n = 1, .of_call = of_call, .of_message = of_message};
	struct found found = {.phase = 1};
	struct phase_load load;
	struct attribution a;
	struct tables x;
	struct evidence_base base = {
		.t = &x.trace, .m = &x.messages, .c = &x.collectives, .machine = &machine, .a = &a};

	tables_init(&x, 2, 1);
	tables_call(&x, 1, REGION_MPI_LOCAL, 0, 5000000, 2);
	for (int k = 0; k < 8; k++) {
		int64_t sent_ns = k * 100000, asked_ns = 5000000 + k * 2000;
		uint32_t s = tables_call(&x, 0, REGION_ISEND, sent_ns, sent_ns + 1000, 0);
		uint32_t r = tables_call(&x, 1, REGION_RECV, asked_ns, asked_ns + 2000, 1);

		tables_message(&x, 1000, s, s, r, r);
	}
	tables_finish(&x);
	CU_ASSERT_EQUAL_FATAL(attribution_run(&x.trace, &x.messages, &x.collectives, &machine,
					      &one_clock, &a, &err),
			      0);
	CU_ASSERT_EQUAL_FATAL(evidence_find(&base, &err), 0);
	CU_ASSERT_EQUAL_FATAL(phase_load_find(&base, &phases, &found, &load, &err), 0);
	evidence_release(&base);
	CU_ASSERT_EQUAL(load.messages, 8);
	CU_ASSERT_DOUBLE_EQUAL(load.idle_s, 10e-6 + 2e-6 + 1000 * 2e-9, 1e-12); /* L + g */
	CU_ASSERT(load.message_s >= 0.5 * load.idle_s);
	CU_ASSERT(load.message_s <= 2 * load.idle_s);
	attribution_release(&a);
	tables_release(&x);
	machine_release(&machine);
}

/* Handlers of unlike times are not LoPC's. */
static void test_opinion_lopc_asks_for_steady_handlers(void)
{
	struct opinion o = ask_of_questions(UINT32_MAX, 0);

	CU_ASSERT_TRUE(o.valid);
	CU_ASSERT_STRING_EQUAL(o.why_not, "");
	o = ask_of_questions(40, 0);
	CU_ASSERT_FALSE(o.valid);
	CU_ASSERT(strstr(o.why_not, "its handlers' times vary too much: C2 is 54.6, ") != NULL);
}

/*
 * Without contention LoPC's cycle is the one that there was, as nothing waited: work, two ways and two
 * handlers, in which the overheads are, each once. Those are 12 us for a request and 1 for a reply.
 */
static void test_opinion_lopc_has_each_overhead_once(void)
{
	struct opinion o = ask_of_questions(UINT32_MAX, 0);
	double mean_s = 6.5e-6, squares = (12e-6 * 12e-6 + 1e-6 * 1e-6) / 2;

	CU_ASSERT_TRUE_FATAL(o.valid);
	CU_ASSERT_DOUBLE_EQUAL(value(&o.inputs, "S_o_s"), mean_s, 1e-12);
	CU_ASSERT_DOUBLE_EQUAL(value(&o.inputs, "C2"), squares / (mean_s * mean_s) - 1, 1e-9);
	CU_ASSERT_DOUBLE_EQUAL(value(&o.inputs, "S_l_s"), 5.008e-6, 1e-12);
	CU_ASSERT_DOUBLE_EQUAL(value(&o.inputs, "W_s"), 21e-6, 0.2e-6);
	CU_ASSERT_DOUBLE_EQUAL(value(&o.measured, "R_s"), 44.016e-6, 0.2e-6);
	CU_ASSERT_DOUBLE_EQUAL(value(&o.predicted, "lower_s"), value(&o.measured, "R_s"), 0.2e-6);
}

/* Who asks is who sends what answers nothing, also if it was sent something first. */
static void test_opinion_lopc_counts_who_asks(void)
{
	struct opinion o = ask_of_questions(UINT32_MAX, 1);

	CU_ASSERT_TRUE(o.valid);
	CU_ASSERT_DOUBLE_EQUAL(value(&o.inputs, "n"), 20 * (RANKS - 1), 2);
}

/*
 * By turns each rank asks one of its two, or both at once, while nobody else does anything; an answer
 * takes 10 us. After so many turns they may all meet. What LoPC says of it.
 */
static struct opinion ask_by_turns(uint32_t at_once, uint32_t meet_after)
{
	static const uint32_t known[RANKS][2] = {{1, 2}, {3, 0}, {5, 0}, {6, 0},
						 {2, 0}, {1, 4}, {0, 3}, {5, 0}};
	enum { ROUNDS = 60, WAY = 7008, TURN = 60000 };
	struct tables x;

	tables_init(&x, RANKS, RANKS);
	for (uint32_t i = 0; i < ROUNDS * RANKS; i++) {
		int64_t now = (int64_t)i * TURN;
		uint32_t r = i % RANKS, ask[2], to[2];

		for (uint32_t k = 0; k < at_once; k++, now += 1000) {
			to[k] = known[r][(i / RANKS + k) % 2];
			ask[k] = tables_call(&x, r, REGION_SEND, now, now + 1000, 1);
		}
		for (uint32_t k = 0; k < at_once; k++) {
			int64_t answer = now - 1000 + WAY + 10000;
			uint32_t take =
				tables_call(&x, to[k], REGION_RECV, now, now - 1000 + WAY, 2);
			uint32_t reply =
				tables_call(&x, to[k], REGION_SEND, answer, answer + 1000, 3);
			uint32_t got = tables_call(&x, r, REGION_RECV, now, answer + WAY, 4);

			tables_message(&x, 8, ask[k], ask[k], take, take);
			tables_message(&x, 8, reply, reply, got, got);
			now = answer + WAY;
		}
		for (r = 0; meet_after && (i + 1) % meet_after == 0 && r < RANKS; r++)
			tables_call(&x, r, REGION_COLLECTIVE, now + 1000, now + 3000, 5);
	}
	tables_finish(&x);
	return opinion_of("LoPC", x, tables_machine(5e-6, 1e-6, 1e-9, 65536));
}

/*
 * Not all are asked equally often: rank 0 answers three a round, and its work takes so much longer. By
 * who asks whom a cycle lasts eight turns, for all, as nobody is in another one's way.
 */
static void test_opinion_lopc_by_who_asks_whom(void)
{
	struct opinion o = ask_by_turns(1, 0);
	double mean_s = 6.5e-6, squares = (12e-6 * 12e-6 + 1e-6 * 1e-6) / 2;

	CU_ASSERT_TRUE_FATAL(o.valid);
	CU_ASSERT_DOUBLE_EQUAL(value(&o.inputs, "S_o_s"), mean_s, 1e-12);
	CU_ASSERT(value(&o.inputs, "C2") > 0.3 &&
		  value(&o.inputs, "C2") < squares / (mean_s * mean_s) - 1);
	CU_ASSERT_DOUBLE_EQUAL(value(&o.inputs, "S_l_s"), 5.008e-6, 1e-12);
	CU_ASSERT_DOUBLE_EQUAL(value(&o.measured, "R_s"), 8 * 60e-6, 10e-6);
	CU_ASSERT_DOUBLE_EQUAL(value(&o.predicted, "R_s"), value(&o.measured, "R_s"), 15e-6);
	CU_ASSERT_DOUBLE_EQUAL(value(&o.predicted, "most_s"), 8 * 60e-6, 15e-6);
	CU_ASSERT(value(&o.predicted, "lower_s") < value(&o.predicted, "R_s"));
}

static void test_opinion_lopc_is_not_asked_of_two_at_once(void)
{
	struct opinion o = ask_by_turns(2, 0);

	CU_ASSERT_FALSE(o.valid);
	CU_ASSERT_STRING_EQUAL(o.why_not,
			       "it asks that ranks await an answer before they ask again");
}

/* A cycle that a barrier ends lasts as long as the slowest's. */
static void test_opinion_lopc_is_not_asked_where_ranks_meet(void)
{
	struct opinion o = ask_by_turns(1, 2 * RANKS);

	CU_ASSERT_FALSE(o.valid);
	CU_ASSERT_STRING_EQUAL(o.why_not, "its ranks meet in collectives, which set the pace");
}

/*
 * In a ring each swaps with both neighbours: first with one and then with the other by Sendrecv, or
 * with both before a Waitall. What LoPC says of it.
 */
static struct opinion ask_of_swaps(enum region_kind send)
{
	enum { ROUNDS = 100, WAY = 10000 };
	struct tables x;

	tables_init(&x, RANKS, RANKS);
	for (uint32_t i = 0; i < 2 * ROUNDS; i++) {
		int64_t now = send == REGION_SENDRECV ? i * 2 * WAY : i / 2 * 4 * WAY;
		uint32_t out[RANKS], in[RANKS];

		for (uint32_t r = 0; r < RANKS; r++) {
			int64_t at = now + (send == REGION_SENDRECV ? 0 : i % 2 * 2000);

			out[r] = tables_call(&x, r, send, at,
					     at + (send == REGION_SENDRECV ? WAY : 1000), i % 2);
			in[r] = send == REGION_SENDRECV ? out[r]
							: tables_call(&x, r, REGION_RECV, at + WAY,
								      at + WAY + 1000, 2);
		}
		for (uint32_t r = 0; r < RANKS; r++) {
			uint32_t to = (r + (i % 2 ? RANKS - 1 : 1)) % RANKS;

			tables_message(&x, 8, out[r], out[r], in[to], in[to]);
		}
	}
	tables_finish(&x);
	return opinion_of("LoPC", x, tables_machine(5e-6, 1e-6, 1e-9, 65536));
}

/* Neighbours that swap do not ask each other anything. */
static void test_opinion_lopc_is_not_asked_of_swaps(void)
{
	static const enum region_kind sends[] = {REGION_SENDRECV, REGION_ISEND};

	for (size_t k = 0; k < 2; k++) {
		struct opinion o = ask_of_swaps(sends[k]);

		CU_ASSERT_FALSE(o.valid);
		CU_ASSERT_STRING_EQUAL(o.why_not,
				       "its messages are not requests that are answered");
	}
}

int main(void)
{
	CU_TestInfo cases[] = {
		SUITE_CASE(test_opinion_lopc_asks_for_steady_handlers),
		SUITE_CASE(test_opinion_lopc_has_each_overhead_once),
		SUITE_CASE(test_opinion_lopc_counts_who_asks),
		SUITE_CASE(test_opinion_lopc_is_not_asked_of_swaps),
		SUITE_CASE(test_opinion_lopc_by_who_asks_whom),
		SUITE_CASE(test_opinion_lopc_is_not_asked_of_two_at_once),
		SUITE_CASE(test_opinion_lopc_is_not_asked_where_ranks_meet),
		SUITE_CASE(test_opinion_max_rate_of_full_nodes),
		SUITE_CASE(test_opinion_max_rate_says_why_not),
		SUITE_CASE(test_opinion_logpc_by_the_topology),
		SUITE_CASE(test_opinion_logpc_says_why_not),
		SUITE_CASE(test_opinion_load_counts_no_wait_for_the_receiver),
		CU_TEST_INFO_NULL,
	};

	return suite_run("opinion", cases);
}
