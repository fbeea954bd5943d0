/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/attribution/causes.h"
#include "tests/fixtures/suite.h"
#include "tests/fixtures/tables.h"

#define US 1000

static const struct clock_quality one_clock;

/* The waits of x, each instant of which has one cause: so they add up to all waiting. */
static struct lateness find(struct tables *x)
{
	struct machine m = tables_machine(5e-6, 1e-6, 1e-9, 1 << 20);
	struct attribution a;
	struct lateness l;
	struct err err = {""};
	int64_t ns = 0;

	tables_finish(x);
	CU_ASSERT_FATAL(attribution_run(&x->trace, &x->messages, &x->collectives, &m, &one_clock,
					&a, &err) == 0);
	CU_ASSERT_FATAL(lateness_find(&l, &x->trace, &x->messages, &a, &err) == 0);
	for (size_t k = 0; k < l.n; k++) {
		CU_ASSERT(l.rows[k].ns > 0 && l.rows[k].waits > 0);
		CU_ASSERT(l.rows[k].direct_ns >= 0 && l.rows[k].direct_ns <= l.rows[k].ns);
		ns += l.rows[k].ns;
	}
	CU_ASSERT_EQUAL(ns, a.budget.parts[COST_late_partner].ns);
	CU_ASSERT_EQUAL(l.ns, ns);
	attribution_release(&a);
	machine_release(&m);
	return l;
}

/* The row of a rank that did that while it was waited for in a site; zeros: there is none. */
static struct late_partner row_of(const struct lateness *l, const struct tables *x, uint32_t site,
				  uint32_t rank, enum lateness_reason reason)
{
	struct late_partner found = {.at = TRACE_NONE};

	for (size_t k = 0; k < l->n; k++)
		if (x->trace.calls[l->rows[k].call].site == site && l->rows[k].rank == rank &&
		    l->rows[k].reason == reason) {
			CU_ASSERT_EQUAL(found.ns, 0);
			found = l->rows[k];
		}
	return found;
}

/*
 * Rank 2 computes for 900 us, then sends to 1, which waits and then sends to 0, which waits from
 * 100 us on: at last for what rank 1 did when its message was there.
 */
static void test_lateness_goes_back_to_who_computed(void)
{
	struct late_partner direct, through;
	struct lateness l;
	struct tables x;
	uint32_t send[2], recv[2];

	tables_init(&x, 3, 1);
	send[0] = tables_call(&x, 2, REGION_SEND, 900 * US, 901 * US, 0);
	recv[0] = tables_call(&x, 1, REGION_RECV, 0, 907 * US, 1);
	send[1] = tables_call(&x, 1, REGION_SEND, 908 * US, 909 * US, 2);
	recv[1] = tables_call(&x, 0, REGION_RECV, 100 * US, 915 * US, 3);
	for (int k = 0; k < 2; k++)
		tables_message(&x, 1000, send[k], send[k], recv[k], recv[k]);
	l = find(&x);
	CU_ASSERT_EQUAL(l.ns, 1708 * US);
	direct = row_of(&l, &x, 1, 2, LATENESS_COMPUTATION);
	CU_ASSERT_EQUAL(direct.ns, 900 * US);
	CU_ASSERT_EQUAL(direct.direct_ns, 900 * US);
	through = row_of(&l, &x, 3, 2, LATENESS_COMPUTATION);
	CU_ASSERT_EQUAL(through.ns, 800 * US);
	CU_ASSERT_EQUAL(through.direct_ns, 0);
	CU_ASSERT_EQUAL(row_of(&l, &x, 3, 1, LATENESS_COMPUTATION).ns, US);
	CU_ASSERT_EQUAL(row_of(&l, &x, 3, 1, LATENESS_MESSAGES).ns, 7 * US);
	CU_ASSERT_EQUAL_FATAL(through.at == TRACE_NONE, 0);
	CU_ASSERT_EQUAL(x.trace.calls[through.at].rank, 2); /* its send came next */
	CU_ASSERT_EQUAL(x.trace.calls[through.at].enter_ns, 900 * US);
	lateness_release(&l);
	tables_release(&x);
}

/*
 * Rank 1 waits for messages of rank 2, or of 3, too, whose records ended, then sends to rank 0,
 * which has waited: for rank 2, or of two for nobody known, not because rank 1 was late itself.
 */
static void test_lateness_of_who_is_not_recorded(void)
{
	struct unsent lost[] = {{.call = 1, .src = 2}, {.call = 1, .src = 3}};

	for (int two = 0; two < 2; two++) {
		enum lateness_reason reason = two ? LATENESS_UNKNOWN : LATENESS_UNRECORDED;
		struct lateness l;
		struct tables x;
		uint32_t send, recv;

		tables_init(&x, 4, 1);
		recv = tables_call(&x, 0, REGION_RECV, 100 * US, 915 * US, 3);
		tables_call(&x, 1, REGION_RECV, 0, 907 * US, 1);
		send = tables_call(&x, 1, REGION_SEND, 908 * US, 909 * US, 2);
		tables_message(&x, 1000, send, send, recv, recv);
		x.messages.unsent = lost;
		x.messages.n_unsent = 1 + two;
		x.trace.ranks[1].taken_off = 1;
		l = find(&x);
		CU_ASSERT_EQUAL(row_of(&l, &x, 3, 2 - two, reason).ns, 807 * US);
		CU_ASSERT_EQUAL(row_of(&l, &x, 3, 2 - two, reason).direct_ns, two * 807 * US);
		CU_ASSERT_EQUAL(row_of(&l, &x, 3, 1, LATENESS_COMPUTATION).ns, US);
		CU_ASSERT_EQUAL(l.n, 2);
		lateness_release(&l);
		x.messages.unsent = NULL;
		tables_release(&x);
	}
}

/* Each of 60 ranks waits for the one before, and so all for the first, which computes, twice. */
static void test_lateness_of_a_long_chain(void)
{
	enum { CHAIN = 60 };
	struct late_partner first;
	struct lateness l;
	struct tables x;

	tables_init(&x, CHAIN, 1);
	for (int round = 0; round < 2; round++) {
		int64_t begin = round * 4000 * US, now = begin + 2000 * US;
		uint32_t send = 0, recv;

		for (uint32_t r = 0; r < CHAIN; r++, now += 10 * US) {
			if (r > 0) {
				recv = tables_call(&x, r, REGION_RECV, begin, now, 1);
				tables_message(&x, 1000, send, send, recv, recv);
			}
			send = r + 1 < CHAIN ? tables_call(&x, r, REGION_SEND, now + US,
							   now + 2 * US, r ? 2 : 0)
					     : 0;
		}
		for (uint32_t r = 0; r < CHAIN; r++)
			tables_call(&x, r, REGION_MPI_LOCAL, now, begin + 4000 * US, 3);
	}
	l = find(&x);
	first = row_of(&l, &x, 1, 0, LATENESS_COMPUTATION);
	CU_ASSERT_EQUAL(first.ns, 2 * (CHAIN - 1) * 2001 * US);
	CU_ASSERT_EQUAL(first.direct_ns, 2 * 2001 * US);
	CU_ASSERT_EQUAL(first.waits, 2 * (CHAIN - 1));
	CU_ASSERT_EQUAL_FATAL(first.at == TRACE_NONE, 0);
	CU_ASSERT_EQUAL(x.trace.calls[first.at].rank, 0);
	for (uint32_t r = 1; r + 1 < CHAIN; r++)
		CU_ASSERT_EQUAL(row_of(&l, &x, 1, r, LATENESS_COMPUTATION).ns,
				2 * (CHAIN - 1 - r) * US);
	lateness_release(&l);
	tables_release(&x);
}

/*
 * A token goes round 4 ranks, of which only its holder computes, rank 2 four times as long as the
 * others: the three others wait for what each did, and for no more.
 */
static void test_lateness_of_a_token(void)
{
	enum { RANKS = 4, ROUNDS = 20 };
	int64_t now = 0, way = 8 * US, had[RANKS] = {0};
	uint32_t send = TRACE_NONE;
	struct lateness l;
	struct tables x;

	tables_init(&x, RANKS, 1);
	for (uint32_t k = 0; k < RANKS * ROUNDS; k++) {
		uint32_t r = k % RANKS, recv;

		if (k > 0) {
			recv = tables_call(&x, r, REGION_RECV, had[r], now, 1);
			tables_message(&x, 1000, send, send, recv, recv);
		}
		now += (r == 2 ? 8000 : 2000) * US;
		send = tables_call(&x, r, REGION_SEND, now, now + US, 2);
		had[r] = now + US;
		now += way;
	}
	for (uint32_t r = 0; r < RANKS; r++)
		tables_call(&x, r, REGION_MPI_LOCAL, now, now + US, 3);
	l = find(&x);
	for (uint32_t r = 0; r < RANKS; r++) {
		struct late_partner row = row_of(&l, &x, 1, r, LATENESS_COMPUTATION);
		int64_t ns = (RANKS - 1) * ROUNDS * (r == 2 ? 8000 : 2000) * US;

		/* not all wait yet in the first round, and not for the last ones */
		CU_ASSERT_DOUBLE_EQUAL((double)row.ns, (double)ns, 0.1 * (double)ns);
		CU_ASSERT_EQUAL(row.direct_ns <= ns / (RANKS - 1), 1);
		CU_ASSERT_EQUAL(row_of(&l, &x, 1, r, LATENESS_UNKNOWN).ns, 0);
	}
	/* and they work one after the other, rank 2 for 8 of 14 ms */
	CU_ASSERT(l.alone.share > 0.95);
	CU_ASSERT_EQUAL(l.alone.rank, 2);
	CU_ASSERT_DOUBLE_EQUAL(l.alone.most, 8.0 / 14, 0.05);
	lateness_release(&l);
	tables_release(&x);
}

/* By turns only where it is most of the time, and not nearly always the same rank. */
static void test_lateness_of_ranks_by_turns(void)
{
	CU_ASSERT_TRUE(alone_is_by_turns(&(struct alone){.share = 0.97, .most = 0.3}));
	CU_ASSERT_FALSE(alone_is_by_turns(&(struct alone){.share = 0.97, .most = 0.9}));
	CU_ASSERT_FALSE(alone_is_by_turns(&(struct alone){.share = 0.5, .most = 0.3}));
}

/*
 * Two ranks compute as long as one waits for the longer one: half of the time that is alone. Of a
 * third one nothing is recorded.
 */
static void test_lateness_knows_who_is_alone(void)
{
	struct lateness l;
	struct tables x;
	uint32_t send, recv;

	tables_init(&x, 3, 1);
	send = tables_call(&x, 1, REGION_SEND, 1000 * US, 1001 * US, 0);
	recv = tables_call(&x, 0, REGION_RECV, 500 * US, 1010 * US, 1);
	tables_message(&x, 1000, send, send, recv, recv);
	tables_call(&x, 1, REGION_MPI_LOCAL, 1001 * US, 1010 * US, 0);
	l = find(&x);
	CU_ASSERT_DOUBLE_EQUAL(l.alone.share, 0.5, 0.02);
	CU_ASSERT_EQUAL(l.alone.rank, 1);
	CU_ASSERT_EQUAL(l.alone.most, 1);
	lateness_release(&l);
	tables_release(&x);
}

/*
 * Two threads of each of two ranks: one waits for the other rank, the other one sends meanwhile. By
 * their calls each rank waits for the other, and neither wait explains the other's.
 */
static void check_two(int without_core, enum lateness_reason reason)
{
	uint32_t recv[2], send[2];
	struct lateness l;
	struct tables x;

	tables_init(&x, 2, 1);
	for (uint32_t r = 0; r < 2; r++) {
		recv[r] = tables_call(&x, r, REGION_RECV, 0, (100 + 10 * r) * US, r);
		send[r] = tables_call(&x, r, REGION_SEND, (95 - 5 * r) * US, (96 - 5 * r) * US, 2);
	}
	for (uint32_t r = 0; r < 2; r++) {
		tables_message(&x, 1000, send[r], send[r], recv[1 - r], recv[1 - r]);
		x.trace.ranks[r].taken_off = without_core;
	}
	l = find(&x);
	CU_ASSERT_EQUAL(row_of(&l, &x, 0, 1, reason).ns, 90 * US);
	CU_ASSERT_EQUAL(row_of(&l, &x, 1, 1, reason).ns, 90 * US);
	lateness_release(&l);
	tables_release(&x);
}

static void test_lateness_of_two_that_wait_for_each_other(void)
{
	check_two(0, LATENESS_UNKNOWN);
	check_two(1, LATENESS_CORE);
}

/* Rank 1 is late as its own message took 500 us on the way: not its computation, the network. */
static void test_lateness_ends_at_the_network(void)
{
	struct lateness l;
	struct tables x;
	uint32_t send[2], recv[2];

	tables_init(&x, 3, 1);
	send[0] = tables_call(&x, 2, REGION_SEND, 0, US, 0);
	recv[0] = tables_call(&x, 1, REGION_RECV, 0, 500 * US, 1);
	send[1] = tables_call(&x, 1, REGION_SEND, 501 * US, 502 * US, 2);
	recv[1] = tables_call(&x, 0, REGION_RECV, 0, 508 * US, 3);
	for (int k = 0; k < 2; k++)
		tables_message(&x, 1000, send[k], send[k], recv[k], recv[k]);
	l = find(&x);
	CU_ASSERT_EQUAL(l.rows[0].rank, 1);
	CU_ASSERT_EQUAL(l.rows[0].direct_ns, l.rows[0].ns);
	CU_ASSERT_EQUAL(l.rows[0].reason, LATENESS_NETWORK);
	CU_ASSERT(l.rows[0].ns > 490 * US && l.ns == 501 * US);
	lateness_release(&l);
	tables_release(&x);
}

/*
 * Rank 1 computes and sends two messages, the second of which waits for rank 0: which has not come
 * as the first was long on its way. For rank 1 nobody waits any more then.
 */
static void test_lateness_is_no_longer_the_waiting_ranks(void)
{
	struct lateness l;
	struct tables x;
	uint32_t send[2], recv[2];

	tables_init(&x, 2, 1);
	send[0] = tables_call(&x, 1, REGION_SEND, 100000 * US, 100001 * US, 0);
	send[1] = tables_call(&x, 1, REGION_SEND, 100010 * US, 170000 * US, 1);
	recv[0] = tables_call(&x, 0, REGION_RECV, 0, 150000 * US, 2);
	recv[1] = tables_call(&x, 0, REGION_RECV, 160000 * US, 170000 * US, 3);
	for (int k = 0; k < 2; k++)
		tables_message(&x, k ? 4 << 20 : 1000, send[k], send[k], recv[k], recv[k]);
	l = find(&x);
	CU_ASSERT_FATAL(l.n >= 2);
	CU_ASSERT_EQUAL(l.rows[0].rank, 1);
	CU_ASSERT_EQUAL(l.rows[0].reason, LATENESS_COMPUTATION);
	CU_ASSERT_EQUAL(l.rows[0].ns, 100000 * US);
	CU_ASSERT_EQUAL(l.rows[1].rank, 0);
	CU_ASSERT_EQUAL(l.rows[1].direct_ns, l.rows[1].ns);
	CU_ASSERT_EQUAL(l.rows[1].reason, LATENESS_NETWORK);
	lateness_release(&l);
	tables_release(&x);
}

/* What the one wait of x was for, with so many steps, 0: as many as there are. */
static void find_causes(struct tables *x, uint32_t steps, int64_t messages_ns, int64_t unknown_ns)
{
	struct machine m = tables_machine(5e-6, 1e-6, 1e-9, 1 << 20);
	struct late_waits w;
	struct attribution a;
	struct causes c;
	struct err err = {""};
	int64_t ns[LATENESS_UNKNOWN + 1] = {0};

	CU_ASSERT_FATAL(attribution_run(&x->trace, &x->messages, &x->collectives, &m, &one_clock,
					&a, &err) == 0);
	CU_ASSERT_FATAL(late_waits_find(&w, &x->trace, &x->messages, &a, &err) == 0);
	CU_ASSERT_FATAL(causes_init(&c, &w, 1, &err) == 0);
	c.steps_most = steps ? steps : c.steps_most;
	for (uint32_t call = 0; call < x->trace.n_calls; call++)
		if (late_waits_is(&w, call))
			CU_ASSERT_EQUAL(causes_find(&c, call), 0);
	for (size_t k = 0; k < c.n; k++)
		ns[c.cause[k].reason] += c.cause[k].ns;
	CU_ASSERT_EQUAL(ns[LATENESS_MESSAGES], messages_ns);
	CU_ASSERT_EQUAL(ns[LATENESS_UNKNOWN], unknown_ns);
	causes_release(&c);
	late_waits_release(&w);
	attribution_release(&a);
	machine_release(&m);
}

/*
 * Rank 1 is late as it was in 10,000 calls of MPI: what of them is not looked at, the first ones,
 * was no computation.
 */
static void test_lateness_of_many_calls(void)
{
	const int64_t calls = 10000;
	struct tables x;
	uint32_t send, recv;

	tables_init(&x, 2, 1);
	for (int64_t k = 0; k < calls; k++)
		tables_call(&x, 1, REGION_MPI_LOCAL, 10 * k * US, 10 * (k + 1) * US, 0);
	send = tables_call(&x, 1, REGION_SEND, 10 * calls * US, (10 * calls + 1) * US, 1);
	recv = tables_call(&x, 0, REGION_RECV, 0, (10 * calls + 8) * US, 2);
	tables_message(&x, 1000, send, send, recv, recv);
	tables_finish(&x);
	find_causes(&x, 0, 10 * calls * US, 0);
	find_causes(&x, 4000, 10 * 4000 * US, 10 * (calls - 4000) * US);
	tables_release(&x);
}

/* Nobody is late where everybody waits in a collective. */
static void test_lateness_of_nobody(void)
{
	struct lateness l;
	struct tables x;

	tables_init(&x, 2, 1);
	tables_call(&x, 0, REGION_COLLECTIVE, 0, 10 * US, 0);
	tables_call(&x, 1, REGION_COLLECTIVE, 0, 10 * US, 0);
	l = find(&x);
	CU_ASSERT_EQUAL(l.n, 0);
	lateness_release(&l);
	tables_release(&x);
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_lateness_goes_back_to_who_computed),
		SUITE_CASE(test_lateness_of_who_is_not_recorded),
		SUITE_CASE(test_lateness_of_a_long_chain),
		SUITE_CASE(test_lateness_of_a_token),
		SUITE_CASE(test_lateness_knows_who_is_alone),
		SUITE_CASE(test_lateness_of_ranks_by_turns),
		SUITE_CASE(test_lateness_of_two_that_wait_for_each_other),
		SUITE_CASE(test_lateness_ends_at_the_network),
		SUITE_CASE(test_lateness_is_no_longer_the_waiting_ranks),
		SUITE_CASE(test_lateness_of_many_calls),
		SUITE_CASE(test_lateness_of_nobody),
		CU_TEST_INFO_NULL,
	};

	return suite_run("lateness", tests);
}
