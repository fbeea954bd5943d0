/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/flow/attention.h"

#include <stdlib.h>

#include "analyze/flow/gathering.h"
#include "analyze/gains/retime.h"
#include "common/table.h"
#include "tests/fixtures/matched.h"

#define RANKS 4

static void start(struct mktrace *m, uint32_t rank, int64_t ns, const char *function)
{
	struct mkop op = {.kind = OP_NBC_POST, .request = 1};

	mktrace_call(m, rank, (struct mkspan){ns, ns + 10}, function, NULL, 1, &op);
}

static void finish(struct mktrace *m, uint32_t rank, int64_t ns, int64_t end_ns)
{
	struct mkop op = {.kind = OP_NBC_DONE, .peer = -1, .bytes = 8, .request = 1};

	mktrace_call(m, rank, (struct mkspan){ns, end_ns}, "MPI_Wait", NULL, 1, &op);
}

/* When each rank starts one, calls MPI for another thing (0: it does not), waits, and returns. */
struct span {
	int64_t start, other, wait, end;
};

static struct matched all(const char *function, const struct span x[RANKS])
{
	char *dir;
	struct mktrace *m = traced_begin(&dir, RANKS);

	for (uint32_t r = 0; r < RANKS; r++) {
		start(m, r, x[r].start, function);
		if (x[r].other)
			mktrace_call(m, r, (struct mkspan){x[r].other, x[r].other + 1},
				     "MPI_Comm_rank", NULL, 0, NULL);
		finish(m, r, x[r].wait, x[r].end);
	}
	return match(m, dir);
}

static int64_t attended_ns(const struct matched *x, const struct machine *machine, uint32_t rank)
{
	struct presence presence;
	struct gathering g;
	uint32_t *back, call = x->t.ranks[rank].first_call + x->t.ranks[rank].calls - 1;
	int64_t ns;

	CU_ASSERT_EQUAL_FATAL(presence_init(&presence, &x->t, &err), 0);
	CU_ASSERT_EQUAL_FATAL(attention_find(&x->t, &x->c, &presence, machine, &back, &err), 0);
	CU_ASSERT_EQUAL_FATAL(gathering_init(&g, &x->t, &x->c, back, machine, &err), 0);
	ns = gathering_attended_ns(&g, call, gathering_ready_ns(&g, call));
	gathering_release(&g);
	table_free(back);
	presence_release(&presence);
	return ns;
}

/*
 * Rank 2 is the last to start, at 500, and computes until 800: till then ranks 0 and 1 wait, rank 3
 * not so, as it is done before, but for rank 0, which called MPI at 600. A scan's ranks need others
 * that nobody knows.
 */
static void test_attention_is_that_of_ranks_outside(void)
{
	static const struct span x[RANKS] = {
		{100, 600, 700, 900}, {110, 0, 200, 850}, {500, 0, 800, 860}, {120, 0, 300, 750}};
	static const int64_t until[] = {800, 800, 800, 600};
	struct machine none = {.source = MACHINE_SELF_CALIBRATED};

	for (int k = 0; k < 2; k++) {
		struct matched r = all(k ? "MPI_Iscan" : "MPI_Iallreduce", x);
		int64_t begin = r.t.calls[r.t.ranks[0].first_call].enter_ns - 100;

		for (uint32_t rank = 0; rank < RANKS; rank++) {
			int64_t ready = rank == 2 ? 800 : rank == 0 ? 700 : 500;

			CU_ASSERT_EQUAL(attended_ns(&r, &none, rank) - begin,
					k ? ready : until[rank]);
		}
		release(&r);
	}
}

/*
 * Of rooted ones who waits for the root, or for nobody, may be done before the others come; and of
 * some ranks more is not known.
 */
static void test_attention_is_asked_of_who_waits_for_all(void)
{
	static const struct span x[RANKS] = {
		{100, 0, 200, 900}, {110, 0, 210, 900}, {500, 0, 800, 900}, {120, 0, 220, 900}};
	struct machine none = {.source = MACHINE_SELF_CALIBRATED};

	for (int root = -1; root < 2; root += 2) {
		struct matched r = all("MPI_Ireduce", x);
		int64_t begin = r.t.calls[r.t.ranks[0].first_call].enter_ns - 100;

		r.c.c[0].root = root;
		CU_ASSERT_EQUAL(attended_ns(&r, &none, 1) - begin, 800);
		CU_ASSERT_EQUAL(attended_ns(&r, &none, 3) - begin, root < 0 ? 800 : 220);
		release(&r);
	}
}

/* Where messages move whatever their ends do, nobody waits for that. */
static void test_attention_is_not_needed_where_messages_move(void)
{
	static const struct span x[RANKS] = {
		{100, 0, 200, 900}, {110, 0, 210, 900}, {500, 0, 800, 900}, {120, 0, 220, 900}};

	for (int moves = 0; moves < 2; moves++) {
		struct machine machine = {.source = MACHINE_FILE};
		struct matched r = all("MPI_Iallreduce", x);
		int64_t begin = r.t.calls[r.t.ranks[0].first_call].enter_ns - 100;

		machine.classes[LOCALITY_NETWORK].n = 1;
		machine.classes[LOCALITY_NETWORK].progress.receiver = moves;
		CU_ASSERT_EQUAL(attended_ns(&r, &machine, 0) - begin, moves ? 500 : 800);
		release(&r);
	}
}

/* Rank 2 computes 250 ns less before it waits: rank 0, which ends last, was outside till 700. */
static void test_attention_comes_sooner_in_a_replay(void)
{
	static const struct span x[RANKS] = {
		{100, 0, 700, 900}, {110, 0, 200, 850}, {500, 0, 800, 860}, {120, 0, 300, 850}};
	static const struct clock_quality one_clock;
	struct messages none = {.by_dst = calloc(RANKS + 1, sizeof(uint32_t))};
	struct machine machine = {.source = MACHINE_SELF_CALIBRATED};
	struct matched r = all("MPI_Iallreduce", x);
	int64_t *own = calloc(r.t.n_calls + 1, sizeof(*own)), *less = calloc(1, sizeof(*less));
	struct attribution a;
	struct evidence_base b = {.t = &r.t, .m = &none, .c = &r.c, .machine = &machine, .a = &a};
	double s = 0;

	CU_ASSERT_EQUAL_FATAL(attribution_run(&r.t, &none, &r.c, &machine, &one_clock, &a, &err),
			      0);
	CU_ASSERT_EQUAL_FATAL(evidence_find(&b, &err), 0);
	own[r.t.ranks[2].first_call + 1] = 250;
	CU_ASSERT_EQUAL(retime_run(&b, &(struct retime){.less_ns = less, .own_ns = own}, &s, &err),
			0);
	CU_ASSERT_DOUBLE_EQUAL(s, 100e-9, 1e-12);
	evidence_release(&b);
	attribution_release(&a);
	free(less);
	free(own);
	free(none.by_dst);
	release(&r);
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_attention_is_that_of_ranks_outside),
		SUITE_CASE(test_attention_is_asked_of_who_waits_for_all),
		SUITE_CASE(test_attention_is_not_needed_where_messages_move),
		SUITE_CASE(test_attention_comes_sooner_in_a_replay),
		CU_TEST_INFO_NULL,
	};

	return suite_run("attention", tests);
}
