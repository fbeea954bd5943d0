/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/fixtures/exchange.h"
#include "tests/fixtures/opinions.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RANKS 8
#define BYTES 10000 /* between hosts */

#define NEAR_BYTES (BYTES / 10)

/* A total exchange on hosts of so many ranks; what the model says of it. */
static struct opinion ask(const char *model, uint32_t per_host, struct machine machine)
{
	const struct exchange e = {RANKS,        10,     1,     EXCHANGE_STAGGERED,
				   REGION_ISEND, BYTES,  10000, 1000,
				   20000,        100000, 1,     0};
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

static struct machine rated(int has_rate)
{
	struct machine m = tables_machine(10e-6, 1e-6, 2e-9, 1 << 20);

	m.has_rate = has_rate;
	m.rate = (struct max_rate){30e-6, 1e9, 4e8, 4e8};
	return m;
}

/*
 * Four ranks of a node get 1 GB/s together, less than 4 times 0.4. Messages within it are not
 * asked.
 */
static void test_opinion_max_rate_of_full_nodes(void)
{
	struct opinion o = ask("max-rate", 4, rated(1));

	CU_ASSERT_EQUAL(o.valid, 1);
	CU_ASSERT_STRING_EQUAL(o.predicted.v[0].key, "message_s");
	CU_ASSERT_DOUBLE_EQUAL(o.predicted.v[0].value, 30e-6 + 4 * BYTES / 1e9, 1e-9);
	CU_ASSERT_DOUBLE_EQUAL(opinion_value(&o.inputs, "bytes"), BYTES, 1e-9);
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
		double hold_s = BYTES * 1e-9, m = opinion_value(&o.inputs, "messages_per_s");
		double k_d = rows[k].k_d, C_n;

		C_n = (k_d - 1) * hold_s * hold_s * m / (1 - m * hold_s * k_d / 2);
		CU_ASSERT_EQUAL(o.valid, 1);
		CU_ASSERT_DOUBLE_EQUAL(opinion_value(&o.inputs, "k_d"), k_d, 1e-9);
		CU_ASSERT_DOUBLE_EQUAL(opinion_value(&o.inputs, "hot"), 1, 1e-9);
		CU_ASSERT(m > 1000);
		CU_ASSERT_DOUBLE_EQUAL(opinion_value(&o.predicted, "C_n_s"), C_n, 1e-12);
		CU_ASSERT(C_n > 1e-7);
		CU_ASSERT_DOUBLE_EQUAL(opinion_value(&o.measured, "interference"),
				       opinion_value(&o.measured, "message_s") /
					       opinion_value(&o.predicted, "message_s"),
				       1e-9);
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
	CU_ASSERT_DOUBLE_EQUAL(opinion_value(&o.inputs, "k_d"), 3, 1e-9);
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
	CU_ASSERT_EQUAL(load.messages, 8);
	CU_ASSERT_DOUBLE_EQUAL(load.idle_s, 10e-6 + 2e-6 + 1000 * 2e-9, 1e-12); /* L + g */
	CU_ASSERT(load.message_s >= 0.5 * load.idle_s);
	CU_ASSERT(load.message_s <= 2 * load.idle_s);
	CU_ASSERT(load.unclear_s < 0.1 * load.message_s);
	/*
	 * What may be nothing or all is not what they took; what they waited for is left out once.
	 */
	a.blame.parts[COST_wire].low_ns = a.blame.parts[COST_uncollected].low_ns = 0;
	a.blame.parts[COST_wire].high_ns = a.blame.total_ns;
	a.blame.parts[COST_uncollected].high_ns = a.blame.total_ns;
	CU_ASSERT_EQUAL_FATAL(phase_load_find(&base, &phases, &found, &load, &err), 0);
	CU_ASSERT(load.unclear_s > 0.5 * load.message_s);
	CU_ASSERT(load.unclear_s <= load.message_s);
	evidence_release(&base);
	attribution_release(&a);
	tables_release(&x);
	machine_release(&machine);
}

/* What LogGP says of messages that are collected ms after they were sent, with this latency. */
static struct opinion ask_of_late_waits(int64_t ms, double L_s)
{
	struct tables x;

	tables_init(&x, 2, 1);
	for (int k = 0; k < 40; k++) {
		int64_t at = k * 20000000;
		uint32_t r = tables_call(&x, 1, REGION_IRECV, at, at + 1000, 0);
		uint32_t s = tables_call(&x, 0, REGION_ISEND, at + 2000, at + 3000, 0);
		uint32_t w = tables_call(&x, 1, REGION_WAIT, at + ms * 1000000,
					 at + ms * 1000000 + 2000, 1);

		tables_message(&x, 1000, s, s, r, w);
	}
	tables_finish(&x);
	return opinion_of("LogGP", x, tables_machine(L_s, 1e-6, 2e-9, 1 << 20));
}

/* What LogGP says of so many messages. */
static struct opinion ask_of_rounds(int rounds)
{
	struct tables x;
	int64_t at = 0;
	uint32_t s, r;

	tables_init(&x, 2, 1);
	for (int k = 0; k < rounds; k++, at += 20000) {
		s = tables_call(&x, 0, REGION_SEND, at, at + 1000, 0);
		r = tables_call(&x, 1, REGION_RECV, at, at + 10000, 1);
		tables_message(&x, 1000, s, s, r, r);
	}
	tables_call(&x, 1, REGION_RECV, at, at + 5000, 1); /* of nothing that is seen sent */
	tables_finish(&x);
	return opinion_of("LogGP", x, tables_machine(10e-6, 1e-6, 2e-9, 1 << 20));
}

/* The receiver computes for 5 ms: that, no machine shortens. */
static void test_opinion_loggp_leaves_out_inattention(void)
{
	struct opinion o = ask_of_late_waits(5, 10e-6);

	CU_ASSERT(opinion_value(&o.measured, "message_s") > 4e-3);
	CU_ASSERT(opinion_value(&o.measured, "left_out_s") > 4e-3);
	CU_ASSERT(o.not_compared[0] || opinion_value(&o.measured, "slowdown") < 2);
	CU_ASSERT(isnan(opinion_value(&o.measured, "idle_too_slow")));
}

/* What is predicted is said, also where nothing that was measured is fit to stand beside it. */
static void test_opinion_loggp_is_always_asked(void)
{
	struct opinion o = ask_of_late_waits(0, 100e-6);

	CU_ASSERT_EQUAL(o.valid, 1);
	CU_ASSERT_PTR_NOT_NULL(strstr(o.not_compared, "as received before they are sent"));
	CU_ASSERT_DOUBLE_EQUAL(opinion_value(&o.predicted, "message_s"), 104e-6, 1e-9); /* L + g */
	CU_ASSERT(isnan(opinion_value(&o.measured, "slowdown")));
	CU_ASSERT_EQUAL(opinion_value(&o.inputs, "P"), 2);
	CU_ASSERT_EQUAL(opinion_value(&o.inputs, "n"), 20);
	CU_ASSERT_DOUBLE_EQUAL(opinion_value(&o.inputs, "W_s"), 0.04,
			       0.004); /* two ranks, 20 ms a round */
	CU_ASSERT_DOUBLE_EQUAL(opinion_value(&o.inputs, "messages_per_s"), 25, 2.5); /* of a rank */
	CU_ASSERT(isnan(opinion_value(&o.inputs, "S_o_s")));
}

/* An idle machine that is slower than the run is no measure, and the whole is what says so. */
static void test_opinion_loggp_of_too_slow_an_estimate(void)
{
	struct opinion o = ask_of_late_waits(1, 10e-3);

	CU_ASSERT_EQUAL(o.valid, 1);
	CU_ASSERT_DOUBLE_EQUAL(opinion_value(&o.measured, "slowdown"), 0.1, 0.01);
	CU_ASSERT_EQUAL(opinion_value(&o.measured, "idle_too_slow"), 1);
}

/* A phase that models have nothing to say about is refused, and says why. */
static void test_opinion_of_phases_that_are_not_asked(void)
{
	struct opinion o = ask_of_rounds(8);

	CU_ASSERT_EQUAL(o.valid, 0);
	CU_ASSERT_EQUAL(o.phase, 1);
	CU_ASSERT_STRING_EQUAL(o.why_not, "8 messages are sent here; models need 10");
	o = ask_of_rounds(0);
	CU_ASSERT_EQUAL(o.valid, 0);
	CU_ASSERT_STRING_EQUAL(o.why_not, "no messages are sent from rank to rank here");
}

/* What LogGP says of a phase of 31 with 12 messages each, told apart by the sites that send. */
static struct opinion ask_of_many(uint32_t phase, uint64_t bytes)
{
	int64_t at = 0, enter_ns[2];
	struct tables x;

	tables_init(&x, 2, 1);
	for (uint32_t sites = 1; sites < 32; sites++) {
		for (uint32_t k = 0, site = 0; k < 12; k++, at += 20000) {
			uint32_t s, r;

			while (!(sites >> site % 5 & 1))
				site++;
			s = tables_call(&x, 0, REGION_SEND, at, at + 1000, site % 5);
			r = tables_call(&x, 1, REGION_RECV, at, at + 10000, site++ % 5);
			tables_message(&x, bytes, s, s, r, r);
		}
		enter_ns[0] = enter_ns[1] = at;
		tables_collective(&x, enter_ns, at += 10000, 7);
	}
	tables_finish(&x);
	return opinion_of_phase("LogGP", phase, x, tables_machine(10e-6, 1e-6, 2e-9, 1 << 20));
}

/* Where there are many phases, some are not looked at: nothing else is said of them. */
static void test_opinion_of_more_phases_than_are_looked_at(void)
{
	static const struct {
		uint32_t phase;
		uint64_t bytes;
		const char *why;
	} rows[] = {
		{1, 1000, "less than 10 % of all messages' bytes are sent here"},
		{24, 1000, "less than 10 % of all messages' bytes are sent here"},
		{25, 1000, "not looked at: other phases send as many bytes or more"},
		{31, 1000, "not looked at: other phases send as many bytes or more"},
		{10, 0, ""},
		{11, 0, "not looked at: other phases send as many bytes or more"},
		{31, 0, "not looked at: other phases send as many bytes or more"},
	};

	for (size_t k = 0; k < sizeof(rows) / sizeof(rows[0]); k++) {
		struct opinion o = ask_of_many(rows[k].phase, rows[k].bytes);

		CU_ASSERT_EQUAL(o.valid, !*rows[k].why);
		CU_ASSERT_STRING_EQUAL(o.why_not, rows[k].why);
	}
}

int main(void)
{
	CU_TestInfo cases[] = {
		SUITE_CASE(test_opinion_max_rate_of_full_nodes),
		SUITE_CASE(test_opinion_max_rate_says_why_not),
		SUITE_CASE(test_opinion_logpc_by_the_topology),
		SUITE_CASE(test_opinion_logpc_says_why_not),
		SUITE_CASE(test_opinion_load_counts_no_wait_for_the_receiver),
		SUITE_CASE(test_opinion_loggp_leaves_out_inattention),
		SUITE_CASE(test_opinion_loggp_is_always_asked),
		SUITE_CASE(test_opinion_loggp_of_too_slow_an_estimate),
		SUITE_CASE(test_opinion_of_phases_that_are_not_asked),
		SUITE_CASE(test_opinion_of_more_phases_than_are_looked_at),
		CU_TEST_INFO_NULL,
	};

	return suite_run("opinion", cases);
}
