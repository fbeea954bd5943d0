/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Skew of collectives: counts of each rank. */
#include "tests/fixtures/concentrated.h"

/*
 * How a collective's counts are uneven: rank HOT gets more; each rank in turn does; HOT gives more,
 * and who gets it was not recorded; HOT gets more, and all but it and rank 0 was not recorded;
 * HOT gives more and leaves after a quarter of the time; or each rank in turn gets more, and the
 * others leave after an eighth.
 */
enum { GETS, GETS_IN_TURN, GIVES, GETS_OF_TWO, GIVES_AND_LEAVES, GETS_IN_TURN_ALONE };

/*
 * All ranks compute 100 us and enter, each gives every other rank some bytes and one rank hot of
 * them; each_us later all leave.
 */
static struct made exchanged(const char *function, uint64_t some, uint64_t hot, int64_t each_us,
			     int how)
{
	struct made x = begin();
	uint64_t given = (RANKS - 2) * some + hot;

	for (int64_t k = 0; k < CALLS; k++)
		for (uint32_t r = 0; r < RANKS; r++) {
			int64_t enter_us = 100 + k * (100 + each_us), leave_us = enter_us + each_us;
			struct mkop op = {.kind = OP_COLL, .peer = -1, .bytes = given};
			int in_turn = how == GETS_IN_TURN || how == GETS_IN_TURN_ALONE;
			uint32_t heavy = in_turn ? (uint32_t)k % RANKS : HOT;

			if (how == GETS_OF_TWO && r != 0 && r != HOT)
				continue;
			op.bytes_in = (RANKS - 1) * (r == heavy ? hot : some);
			if (how == GIVES || how == GIVES_AND_LEAVES) {
				op.bytes = op.bytes_in;
				op.bytes_in = 0;
			}
			if (how == GIVES_AND_LEAVES && r == HOT)
				leave_us -= each_us * 3 / 4;
			if (how == GETS_IN_TURN_ALONE && r != heavy)
				leave_us -= each_us * 7 / 8;
			mktrace_call(x.m, r, (struct mkspan){enter_us * US, leave_us * US},
				     function, "a2av.c:9", 1, &op);
		}
	return x;
}

static struct hotspots exchange_so(const char *function, uint64_t some, uint64_t hot,
				   int64_t each_us, int is_known, int how)
{
	struct made x = exchanged(function, some, hot, each_us, how);

	return find(&x, is_known);
}

static struct hotspots exchange(const char *function, uint64_t some, uint64_t hot, int64_t each_us,
				int is_known)
{
	return exchange_so(function, some, hot, each_us, is_known, GETS);
}

static int is_found(const char *function, uint64_t some, uint64_t hot, int64_t each_us,
		    int is_known)
{
	struct hotspots h = exchange(function, some, hot, each_us, is_known);
	uint32_t found = findings_count(&h, "skew");

	hotspots_release(&h);
	CU_ASSERT(found <= 1);
	return found > 0;
}

/* Its 700 kB take 700 us and seven overheads, which stay, as does an even share. */
static void test_uneven_counts_are_found(void)
{
	struct hotspots h = exchange("MPI_Alltoallv", 2000, 100000, 900, 1);
	const struct hotspot *x = findings_one(&h, "skew");
	double share = 100.0 / 114, left = 1 - 1 / (RANKS * share);

	CU_ASSERT_FATAL(x != NULL);
	CU_ASSERT_EQUAL(x->rank, HOT);
	CU_ASSERT_DOUBLE_EQUAL(findings_evidence(x, "bytes_share"), share, 1e-9);
	CU_ASSERT_DOUBLE_EQUAL(x->saves_high_s, CALLS * 900e-6 * left, 1e-6);
	CU_ASSERT_DOUBLE_EQUAL(x->saves_mid_s, CALLS * 700e-6 * left, 1e-6);
	CU_ASSERT_EQUAL(x->saves_low_s, 0);
	hotspots_release(&h);
	CU_ASSERT(is_found("MPI_Alltoallw", 2000, 100000, 900, 0));
}

static void test_who_gives_most_is_found(void)
{
	struct hotspots h = exchange_so("MPI_Alltoallv", 2000, 100000, 900, 1, GIVES);
	const struct hotspot *x = findings_one(&h, "skew");

	CU_ASSERT_FATAL(x != NULL);
	CU_ASSERT_EQUAL(x->rank, HOT);
	CU_ASSERT_PTR_NOT_NULL(strstr(x->title, "gives 88 %"));
	hotspots_release(&h);
}

/* Then the others may be ahead of it: likely what ranks were in them on average. */
static void test_who_gets_most_in_turn_holds_up_nobody(void)
{
	double left = 1 - 1 / (RANKS * 100.0 / 114);
	struct hotspots h = exchange_so("MPI_Alltoallv", 2000, 100000, 800, 1, GETS_IN_TURN_ALONE);
	const struct hotspot *x = findings_one(&h, "skew");

	CU_ASSERT_FATAL(x != NULL);
	CU_ASSERT_DOUBLE_EQUAL(x->saves_high_s, CALLS * 800e-6 * left, 1e-6);
	CU_ASSERT_DOUBLE_EQUAL(x->saves_mid_s, CALLS * (800e-6 + 7 * 100e-6) / 8 * left, 1e-6);
	hotspots_release(&h);
}

/* Its sends are buffered, and who gets them is longer at it: not only its own time is at stake. */
static void test_who_gives_most_may_leave_first(void)
{
	double share = 100.0 / 114, left = 1 - 1 / (RANKS * share);

	for (int known = 0; known < 2; known++) {
		struct hotspots h =
			exchange_so("MPI_Alltoallv", 2000, 100000, 1200, known, GIVES_AND_LEAVES);
		const struct hotspot *x = findings_one(&h, "skew");

		CU_ASSERT_FATAL(x != NULL);
		CU_ASSERT_DOUBLE_EQUAL(x->saves_high_s, CALLS * 1200e-6 * left, 1e-6);
		CU_ASSERT_DOUBLE_EQUAL(x->saves_mid_s, CALLS * (known ? 700e-6 : 300e-6) * left,
				       1e-6);
		hotspots_release(&h);
	}
}

/* Each is as uneven as if it were always the same rank, though the sums are nearly even. */
static void test_who_gets_most_in_turn_is_found(void)
{
	struct hotspots h = exchange_so("MPI_Alltoallv", 2000, 100000, 900, 1, GETS_IN_TURN);
	const struct hotspot *x = findings_one(&h, "skew");
	double share = 100.0 / 114, left = 1 - 1 / (RANKS * share);

	CU_ASSERT_FATAL(x != NULL);
	CU_ASSERT_EQUAL(x->rank, TRACE_NONE);
	CU_ASSERT_PTR_NOT_NULL(strstr(x->title, "88 % of the bytes of each MPI_Alltoallv"));
	CU_ASSERT_PTR_NOT_NULL(strstr(x->title, "a different one each time"));
	CU_ASSERT_DOUBLE_EQUAL(findings_evidence(x, "bytes_share"), share, 1e-9);
	CU_ASSERT_EQUAL(findings_evidence(x, "heaviest_ranks"), RANKS);
	CU_ASSERT_DOUBLE_EQUAL(x->saves_high_s, CALLS * 900e-6 * left, 1e-6);
	CU_ASSERT_DOUBLE_EQUAL(x->saves_mid_s, CALLS * 700e-6 * left, 1e-6);
	hotspots_release(&h);
	h = exchange_so("MPI_Neighbor_alltoallv", 2000, 100000, 900, 0, GETS_IN_TURN);
	CU_ASSERT(findings_one(&h, "skew") != NULL);
	hotspots_release(&h);
	h = exchange_so("MPI_Alltoallv", 16000, 16000, 900, 1, GETS_IN_TURN);
	CU_ASSERT_EQUAL(findings_count(&h, "skew"), 0);
	hotspots_release(&h);
}

/*
 * All start one, the next one, and complete both in one call that takes each_us after the last
 * start; HOT gets more, or each rank in turn.
 */
static void test_what_was_started_is_found_once(void)
{
	struct made x = begin();
	struct hotspots h;
	const struct hotspot *found;
	uint64_t request = 1;

	for (int64_t k = 0; k < CALLS; k++, request += 2)
		for (uint32_t r = 0; r < RANKS; r++) {
			int64_t us = 100 + 1000 * k;
			struct mkop op[2] = {{.kind = OP_NBC_POST, .request = request}};
			struct mkop done[2];

			op[1] = op[0];
			op[1].request++;
			for (int i = 0; i < 2; i++) {
				mktrace_call(x.m, r,
					     (struct mkspan){(us + i) * US, (us + i + 1) * US},
					     "MPI_Ialltoallv", "a2av.c:9", 1, &op[i]);
				done[i] = (struct mkop){.kind = OP_NBC_DONE,
							.peer = -1,
							.request = op[i].request,
							.bytes = 112000,
							.bytes_in = r == HOT ? 700000 : 14000};
			}
			mktrace_call(x.m, r, (struct mkspan){(us + 50) * US, (us + 950) * US},
				     "MPI_Waitall", "a2av.c:11", 2, done);
		}
	h = find(&x, 0);
	found = findings_one(&h, "skew");
	CU_ASSERT_FATAL(found != NULL);
	CU_ASSERT_EQUAL(found->rank, HOT);
	CU_ASSERT_EQUAL(findings_evidence(found, "calls"), 2 * CALLS);
	CU_ASSERT_DOUBLE_EQUAL(findings_evidence(found, "moving_s"), CALLS * 900e-6, 1e-6);
	hotspots_release(&h);
}

/*
 * All start one of a function and two of MPI_Ialltoallv, in which HOT gets more. One call completes
 * the second in 5 us, another one the others in 900.
 */
static struct hotspots start_three(const char *first)
{
	struct made x = begin();
	uint64_t request = 1;

	for (int64_t k = 0; k < CALLS; k++, request += 3)
		for (uint32_t r = 0; r < RANKS; r++) {
			int64_t us = 100 + 1000 * k;
			struct mkop done[3];

			for (int i = 0; i < 3; i++) {
				int is_first = !i && strcmp(first, "MPI_Ialltoallv") != 0;
				struct mkop op = {.kind = OP_NBC_POST,
						  .request = request + (uint64_t)i};

				mktrace_call(x.m, r,
					     (struct mkspan){(us + i) * US, (us + i + 1) * US},
					     i ? "MPI_Ialltoallv" : first, "a2av.c:9", 1, &op);
				done[i] = (struct mkop){.kind = OP_NBC_DONE,
							.peer = is_first ? 0 : -1,
							.request = op.request,
							.bytes = 112000,
							.bytes_in = r == HOT ? 700000 : 14000};
			}
			mktrace_call(x.m, r, (struct mkspan){(us + 40) * US, (us + 45) * US},
				     "MPI_Wait", "a2av.c:11", 1, &done[1]);
			done[1] = done[2];
			mktrace_call(x.m, r, (struct mkspan){(us + 50) * US, (us + 950) * US},
				     "MPI_Waitall", "a2av.c:12", 2, done);
		}
	return find(&x, 0);
}

/* What a call takes that completes several counts once, also where another one comes between. */
static void test_what_a_call_completes_counts_once(void)
{
	struct hotspots h = start_three("MPI_Ialltoallv");
	const struct hotspot *x = findings_one(&h, "skew");

	CU_ASSERT_FATAL(x != NULL);
	CU_ASSERT_EQUAL(findings_evidence(x, "calls"), 3 * CALLS);
	CU_ASSERT_DOUBLE_EQUAL(findings_evidence(x, "moving_s"), CALLS * 905e-6, 1e-6);
	hotspots_release(&h);
	/* as in the table of collectives it is the broadcast's, which was started first */
	h = start_three("MPI_Ibcast");
	CU_ASSERT_EQUAL(findings_count(&h, "skew"), 0);
	hotspots_release(&h);
}

/*
 * All get what HOT gives, 100 kB, and 2 kB of each other: 103 us with overheads for the large block
 * and 16 us for an even one, 7 of each.
 */
static void test_what_all_get_of_one_is_found(void)
{
	/* it took the steps of an algorithm that passes blocks on */
	struct hotspots h = exchange_so("MPI_Allgatherv", 2000 / 7, 100000 / 7, 800, 1, GIVES);
	const struct hotspot *x = findings_one(&h, "skew");

	CU_ASSERT_FATAL(x != NULL);
	CU_ASSERT_EQUAL(x->rank, HOT);
	CU_ASSERT_PTR_NOT_NULL(strstr(x->advice, "MPI_Bcast"));
	CU_ASSERT_DOUBLE_EQUAL(x->saves_high_s, CALLS * (800e-6 - 7 * 16.2e-6), 1e-4);
	CU_ASSERT_EQUAL(x->saves_mid_s, 0);
	hotspots_release(&h);
	/* it took what even blocks would, too */
	h = exchange_so("MPI_Allgatherv", 2000 / 7, 100000 / 7, 114, 1, GIVES);
	CU_ASSERT_EQUAL(findings_count(&h, "skew"), 0);
	hotspots_release(&h);
	/* nobody knows what even blocks would */
	h = exchange_so("MPI_Allgatherv", 2000 / 7, 100000 / 7, 800, 0, GIVES);
	CU_ASSERT_EQUAL(findings_count(&h, "skew"), 0);
	CU_ASSERT(findings_unjudged(&h, "skew"));
	hotspots_release(&h);
}

/* A collective in which HOT gives most, so long after each round began. */
struct place {
	const char *function, *site;
	int64_t after_us, takes_us;
};

/* Rounds of 1 ms with collectives at two places, on a machine that is not known. */
static struct hotspots both(const struct place place[2])
{
	struct made x = begin();

	for (int64_t k = 0; k < CALLS; k++)
		for (uint32_t r = 0; r < RANKS; r++)
			for (int i = 0; i < 2; i++) {
				const struct place *p = &place[i];
				int64_t enter_us = 1000 * k + p->after_us;
				struct mkop op = {.kind = OP_COLL, .peer = -1};

				op.bytes = r == HOT ? 700000 : 14000;
				mktrace_call(x.m, r,
					     (struct mkspan){enter_us * US,
							     (enter_us + p->takes_us) * US},
					     p->function, p->site, 1, &op);
			}
	return find(&x, 0);
}

/* Another hotspot of the kind is no answer, and what is open at two places is so at both. */
static void test_what_is_left_open_is_of_its_places(void)
{
	struct hotspots h = both((struct place[]){{"MPI_Alltoallv", "a2av.c:9", 100, 300},
						  {"MPI_Allgatherv", "a2av.c:20", 600, 300}});

	CU_ASSERT_EQUAL(findings_count(&h, "skew"), 1);
	CU_ASSERT_EQUAL(findings_unjudged(&h, "skew"), 1);
	hotspots_release(&h);
	/* 0.94 % of the run is at stake at each */
	h = both((struct place[]){{"MPI_Allgatherv", "a2av.c:9", 500, 11},
				  {"MPI_Allgatherv", "a2av.c:20", 989, 11}});
	CU_ASSERT_EQUAL(findings_count(&h, "skew"), 0);
	CU_ASSERT_EQUAL(findings_unjudged(&h, "skew"), 1);
	hotspots_release(&h);
}

static void test_counts_that_are_no_skew(void)
{
	/* even */
	CU_ASSERT(!is_found("MPI_Alltoallv", 16000, 16000, 900, 1));
	CU_ASSERT(!is_found("MPI_Alltoallv", 16000, 16000, 900, 0));
	/* a root is one on purpose */
	CU_ASSERT(!is_found("MPI_Gatherv", 0, 100000, 900, 1));
	/* the bytes are not what takes the time, or so few that it may be anything */
	CU_ASSERT(!is_found("MPI_Alltoallv", 20, 1000, 900, 1));
	CU_ASSERT(!is_found("MPI_Alltoallv", 20, 1000, 900, 0));
	/* nothing is moved, as far as is known */
	CU_ASSERT(!is_found("MPI_Alltoallv", 0, 0, 40, 1));
	CU_ASSERT(!is_found("MPI_Alltoallv", 0, 0, 900, 0));
	/* no time worth a line */
	CU_ASSERT(!is_found("MPI_Alltoallv", 2000, 100000, 0, 0));
}

/* 35 kB of perhaps one neighbour take 37 us, of all the others 49; and 7 kB 9 us, of all 21. */
static void test_neighbours_are_not_all_ranks(void)
{
	struct hotspots h = exchange("MPI_Neighbor_alltoallv", 100, 5000, 100, 1);
	const struct hotspot *x = findings_one(&h, "skew");
	double left = 1 - 57.0 / (RANKS * 50);

	CU_ASSERT_FATAL(x != NULL);
	CU_ASSERT_DOUBLE_EQUAL(x->saves_mid_s, CALLS * 35e-6 * left, 1e-6);
	CU_ASSERT_PTR_NOT_NULL(strstr(x->why, "the machine needs at least 370 us for"));
	hotspots_release(&h);
	CU_ASSERT(is_found("MPI_Alltoallv", 20, 1000, 100, 1));
	CU_ASSERT(!is_found("MPI_Neighbor_alltoallv", 20, 1000, 100, 1));
	CU_ASSERT(!is_found("MPI_Neighbor_allgatherv", 20, 1000, 100, 1));
}

/* The places of which counts are compared. */
static uint32_t places_judged(int how)
{
	static const struct clock_quality one_clock;
	struct made x = exchanged("MPI_Alltoallv", 16000, 21000, 900, how);
	struct matched r = match(x.m, x.dir);
	struct machine machine = tables_machine(5e-6, 1e-6, 1e-9, 1 << 20);
	struct messages none = {.by_dst = calloc(RANKS + 1, sizeof(*none.by_dst))};
	struct attribution a;
	uint32_t n;

	CU_ASSERT_EQUAL_FATAL(attribution_run(&r.t, &none, &r.c, &machine, &one_clock, &a, &err),
			      0);
	n = a.counts.n;
	attribution_release(&a);
	machine_release(&machine);
	free(none.by_dst);
	release(&r);
	return n;
}

/* Two of eight have half of the recorded bytes each, and nobody knows what the others have. */
static void test_counts_of_some_ranks_are_not_judged(void)
{
	CU_ASSERT_EQUAL(places_judged(GETS), 1);
	CU_ASSERT_EQUAL(places_judged(GETS_OF_TWO), 0);
}

int main(void)
{
	CU_TestInfo cases[] = {
		SUITE_CASE(test_uneven_counts_are_found),
		SUITE_CASE(test_who_gives_most_is_found),
		SUITE_CASE(test_who_gives_most_may_leave_first),
		SUITE_CASE(test_who_gets_most_in_turn_is_found),
		SUITE_CASE(test_who_gets_most_in_turn_holds_up_nobody),
		SUITE_CASE(test_what_was_started_is_found_once),
		SUITE_CASE(test_what_a_call_completes_counts_once),
		SUITE_CASE(test_what_all_get_of_one_is_found),
		SUITE_CASE(test_what_is_left_open_is_of_its_places),
		SUITE_CASE(test_counts_that_are_no_skew),
		SUITE_CASE(test_counts_of_some_ranks_are_not_judged),
		SUITE_CASE(test_neighbours_are_not_all_ranks),
		CU_TEST_INFO_NULL,
	};

	return suite_run("rule_uneven_counts", cases);
}
