/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/flow/coll_costs.h"

#include "analyze/attribution/attribution.h"
#include "analyze/reader/reader.h"
#include "tests/fixtures/scratch.h"
#include "tests/fixtures/suite.h"
#include "tests/fixtures/tables.h"
#include "tests/traces/mktrace.h"

#include <stdlib.h>
#include <string.h>

#define RANKS 4
#define US    1000

static struct err err;

/* A network of L = 10 us, g = 2 us + 1 ns a byte, with or without a signature for n ranks. */
static struct machine machine_of(double n)
{
	struct machine m = tables_machine(10e-6, 1e-6, 1e-9, 4096);

	if (n > 0) {
		m.signatures = calloc(1, sizeof(*m.signatures));
		m.n_signatures = 1;
		m.signatures[0] =
			(struct machine_signature){0, 1e9, n, n, {{20e-6, 1e-9}, 3, 5e-6, 10000}};
	}
	return m;
}

struct made {
	struct trace t;
	struct collectives c;
};

/* All ranks call function once: they enter 10 us apart and leave together at leave_us. */
static struct made make(const char *function, uint64_t sent, uint64_t received, int64_t leave_us)
{
	struct mkop op = {.kind = OP_COLL, .peer = -1, .bytes = sent, .bytes_in = received};
	char *dir = scratch_new();
	struct mktrace *m = mktrace_new(dir, RANKS, &err);
	struct made x = {0};

	for (uint32_t r = 0; r < RANKS; r++)
		mktrace_call(m, r, (struct mkspan){10 * US * r, leave_us * US}, function, NULL, 1,
			     &op);
	CU_ASSERT_EQUAL_FATAL(mktrace_close(m, &err), 0);
	CU_ASSERT_EQUAL_FATAL(trace_read(dir, &x.t, &err), 0);
	CU_ASSERT_EQUAL_FATAL(collectives_match(&x.t, &x.c, &err), 0);
	CU_ASSERT_EQUAL_FATAL(x.c.n, 1);
	scratch_free(dir);
	return x;
}

static void end(struct made *x)
{
	collectives_release(&x->c);
	trace_release(&x->t);
}

static struct coll_cost cost_of(const struct made *x, struct machine machine)
{
	struct coll_costs costs;
	struct coll_cost cost;

	CU_ASSERT_EQUAL_FATAL(coll_costs_init(&costs, &x->t, &x->c, &machine, &err), 0);
	cost = coll_costs_at(&costs, 0);
	coll_costs_release(&costs);
	machine_release(&machine);
	return cost;
}

/* What each counts as its bytes: 4 ranks hand in and get out 4 blocks of 1000. */
static void test_coll_costs_of_an_exchange(void)
{
	struct made x = make("MPI_Alltoall", 4000, 4000, 500);
	struct coll_cost c = cost_of(&x, machine_of(RANKS));

	CU_ASSERT_EQUAL(c.refused, COLL_PREDICTED);
	CU_ASSERT_DOUBLE_EQUAL(c.bytes, 1000, 1e-9);
	CU_ASSERT_DOUBLE_EQUAL(c.idle_s, 10e-6 + 3 * 3e-6, 1e-12);
	CU_ASSERT_STRING_EQUAL(c.algorithm, "linear");
	CU_ASSERT_EQUAL(c.no_signature, COLL_PREDICTED);
	CU_ASSERT_DOUBLE_EQUAL(c.alone_s, 3 * 21e-6, 1e-12);
	CU_ASSERT_DOUBLE_EQUAL(c.signature_s, 3 * 21e-6 * 3, 1e-12);
	end(&x);
}

static void test_coll_costs_say_why_not(void)
{
	struct made x = make("MPI_Alltoall", 4000, 4000, 500);
	struct machine none = {0};
	struct coll_cost c = cost_of(&x, none);

	CU_ASSERT_EQUAL(c.refused, COLL_NO_MACHINE);
	CU_ASSERT_EQUAL(c.no_signature, COLL_NO_SIGNATURE);
	c = cost_of(&x, machine_of(RANKS + 1));
	CU_ASSERT_EQUAL(c.refused, COLL_PREDICTED);
	CU_ASSERT_EQUAL(c.no_signature, COLL_OUTSIDE);
	end(&x);
	x = make("MPI_Comm_dup", 0, 0, 500);
	CU_ASSERT_EQUAL(cost_of(&x, machine_of(RANKS)).refused, COLL_NO_FORMULA);
	end(&x);
	x = make("MPI_Bcast", 0, 8000, 500);
	c = cost_of(&x, machine_of(RANKS));
	CU_ASSERT_DOUBLE_EQUAL(c.idle_s, 2 * 20e-6, 1e-12);
	CU_ASSERT_EQUAL(c.no_signature, COLL_NOT_EXCHANGE);
	for (int k = COLL_PREDICTED; k < COLL_REFUSALS; k++)
		CU_ASSERT_EQUAL(*coll_refusal_text(k) == 0, k == COLL_PREDICTED);
	end(&x);
}

/*
 * An exchange of 1000 bytes each takes 63 us alone and 189 us in contention, by the signature: of
 * what took 470 us after the last entry 126 us are contention, of what took 100 us, 37 us.
 */
static void test_coll_costs_contention_in_the_budget(void)
{
	static const struct clock_quality one_clock;
	static const int64_t leave_us[] = {500, 130, 80};
	static const int64_t contention_us[] = {126, 37, 0};
	struct messages none = {.by_dst = calloc(RANKS + 1, sizeof(uint32_t))};

	for (int k = 0; k < 3; k++) {
		struct made x = make("MPI_Alltoallv", 4000, 4000, leave_us[k]);
		struct machine machine = machine_of(RANKS);
		struct attribution a;
		struct part p;

		CU_ASSERT_EQUAL_FATAL(
			attribution_run(&x.t, &none, &x.c, &machine, &one_clock, &a, &err), 0);
		p = a.budget.parts[COST_network_contention];
		CU_ASSERT_EQUAL(p.ns, RANKS * contention_us[k] * US);
		CU_ASSERT_EQUAL(p.low_ns, 0);
		CU_ASSERT_EQUAL(a.budget.parts[COST_collective_transfer].high_ns,
				RANKS * (leave_us[k] - 30) * US);
		attribution_release(&a);
		machine_release(&machine);
		end(&x);
	}
	free(none.by_dst);
}

/*
 * Who enters an exchange early waits for the last of all, 60 us of four ranks; in one of
 * neighbours, and in a scan, that is the most: some may have waited for nobody, and the transfer
 * took longer.
 */
static void test_coll_costs_of_who_needs_some(void)
{
	static const struct clock_quality one_clock;
	static const char *const functions[] = {"MPI_Alltoall", "MPI_Allreduce",
						"MPI_Neighbor_alltoall", "MPI_Scan", "MPI_Exscan"};
	struct messages none = {.by_dst = calloc(RANKS + 1, sizeof(uint32_t))};

	for (int k = 0; k < 5; k++) {
		struct made x = make(functions[k], 4000, 4000, 100);
		struct machine machine = machine_of(0);
		struct attribution a;

		CU_ASSERT_EQUAL_FATAL(
			attribution_run(&x.t, &none, &x.c, &machine, &one_clock, &a, &err), 0);
		CU_ASSERT_EQUAL(a.budget.parts[COST_collective_wait].ns, 60 * US);
		CU_ASSERT_EQUAL(a.budget.parts[COST_collective_wait].low_ns, k < 2 ? 60 * US : 0);
		CU_ASSERT_EQUAL(a.budget.parts[COST_collective_wait].high_ns, 60 * US);
		CU_ASSERT_EQUAL(a.budget.parts[COST_collective_transfer].ns, 280 * US);
		CU_ASSERT_EQUAL(a.budget.parts[COST_collective_transfer].high_ns,
				(k < 2 ? 280 : 340) * US);
		attribution_release(&a);
		machine_release(&machine);
		end(&x);
	}
	free(none.by_dst);
}

/*
 * Started 10 us apart and waited for at once: predicted as the blocking one, and until the last
 * start the others' fault.
 */
static void test_coll_costs_of_nonblocking_ones(void)
{
	static const struct clock_quality one_clock;
	struct mkop post = {.kind = OP_NBC_POST, .request = 1};
	struct mkop done = {.kind = OP_NBC_DONE, .peer = -1, .bytes = 8000, .request = 1};
	struct messages none = {.by_dst = calloc(RANKS + 1, sizeof(uint32_t))};
	struct machine machine = machine_of(0);
	char *dir = scratch_new();
	struct mktrace *m = mktrace_new(dir, RANKS, &err);
	struct made x = {0}, blocking = make("MPI_Allreduce", 8000, 8000, 500);
	struct attribution a;

	for (uint32_t r = 0; r < RANKS; r++) {
		mktrace_call(m, r, (struct mkspan){10 * US * r, 10 * US * r + US}, "MPI_Iallreduce",
			     NULL, 1, &post);
		mktrace_call(m, r, (struct mkspan){10 * US * r + US, 200 * US}, "MPI_Wait", NULL, 1,
			     &done);
	}
	CU_ASSERT_EQUAL_FATAL(mktrace_close(m, &err), 0);
	CU_ASSERT_EQUAL_FATAL(trace_read(dir, &x.t, &err), 0);
	CU_ASSERT_EQUAL_FATAL(collectives_match(&x.t, &x.c, &err), 0);
	CU_ASSERT_EQUAL_FATAL(x.c.n, 1);
	CU_ASSERT_EQUAL_FATAL(attribution_run(&x.t, &none, &x.c, &machine, &one_clock, &a, &err),
			      0);
	CU_ASSERT_EQUAL(a.budget.parts[COST_collective_wait].ns, (29 + 19 + 9) * US);
	CU_ASSERT_EQUAL(a.budget.parts[COST_collective_transfer].ns, (3 * 170 + 169) * US);
	attribution_release(&a);
	machine_release(&machine);
	CU_ASSERT_EQUAL(cost_of(&x, machine_of(0)).refused, COLL_PREDICTED);
	CU_ASSERT_DOUBLE_EQUAL(cost_of(&x, machine_of(0)).idle_s,
			       cost_of(&blocking, machine_of(0)).idle_s, 1e-12);
	end(&blocking);
	end(&x);
	free(none.by_dst);
	scratch_free(dir);
}

/* A damaged archive's numbers of bytes have no bounds, and two of them are no small sum. */
static void test_coll_costs_of_any_number_of_bytes(void)
{
	struct made x = make("MPI_Alltoall", UINT64_MAX - 3, 8, 500);

	CU_ASSERT_EQUAL(x.c.c[0].bytes, UINT64_MAX);
	end(&x);
}

int main(void)
{
	CU_TestInfo cases[] = {
		SUITE_CASE(test_coll_costs_of_an_exchange),
		SUITE_CASE(test_coll_costs_say_why_not),
		SUITE_CASE(test_coll_costs_contention_in_the_budget),
		SUITE_CASE(test_coll_costs_of_who_needs_some),
		SUITE_CASE(test_coll_costs_of_nonblocking_ones),
		SUITE_CASE(test_coll_costs_of_any_number_of_bytes),
		CU_TEST_INFO_NULL,
	};

	return suite_run("coll_costs", cases);
}
