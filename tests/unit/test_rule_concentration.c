/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Skew of one-sided operations: targets of locks and between fences. */
#include "tests/fixtures/concentrated.h"

/* Each rank but HOT locks that one's window, or its right neighbour's, k times, 100 us each. */
static struct hotspots lock(int is_hot, int32_t shared)
{
	struct made x = begin();
	uint32_t window = mktrace_window(x.m, MKTRACE_WORLD);

	for (int64_t k = 0; k < CALLS; k++)
		for (uint32_t r = 0; r < RANKS; r++) {
			int32_t target = is_hot ? HOT : (int32_t)((r + 1) % RANKS);
			struct mkop op = {.kind = OP_LOCK, .comm = window, .peer = target};
			int64_t us = 100 + k * 100 * (RANKS + 1), mine = us + 100 * (int64_t)r;

			if (r == HOT)
				continue;
			op.tag = shared;
			mktrace_call(x.m, r, (struct mkspan){us * US, (mine + 2) * US},
				     "MPI_Win_lock", "rma.c:14", 1, &op);
			op = (struct mkop){
				.kind = OP_ATOMIC, .comm = window, .peer = target, .bytes = 8000};
			mktrace_call(x.m, r, (struct mkspan){(mine + 3) * US, (mine + 4) * US},
				     "MPI_Accumulate", "rma.c:15", 1, &op);
			op = (struct mkop){.kind = OP_UNLOCK, .comm = window, .peer = target};
			mktrace_call(x.m, r, (struct mkspan){(mine + 99) * US, (mine + 101) * US},
				     "MPI_Win_unlock", "rma.c:16", 1, &op);
		}
	return find(&x, 1);
}

static void test_hot_target_is_found(void)
{
	struct hotspots h = lock(1, 0);
	const struct hotspot *x = findings_one(&h, "skew");

	CU_ASSERT_FATAL(x != NULL);
	CU_ASSERT_EQUAL(x->rank, HOT);
	CU_ASSERT_EQUAL(findings_evidence(x, "operations_share"), 1);
	CU_ASSERT_EQUAL(x->saves_low_s, 0);
	/* the last one waits 699 us for the lock to be given back and 3 us for its coming */
	CU_ASSERT_DOUBLE_EQUAL(x->saves_high_s, CALLS * 702e-6, 1e-6);
	CU_ASSERT(x->saves_mid_s > 0.4 * x->saves_high_s && x->saves_mid_s < x->saves_high_s);
	hotspots_release(&h);
}

static void test_targets_that_are_not_hot(void)
{
	struct hotspots h = lock(0, 0);

	CU_ASSERT_EQUAL(findings_count(&h, "skew"), 0);
	hotspots_release(&h);
	h = lock(1, 1); /* nobody waits */
	CU_ASSERT_EQUAL(findings_count(&h, "skew"), 0);
	hotspots_release(&h);
}

/* Whose memory is written between fences. */
enum { TO_HOT, IN_TURN, TO_NEIGHBOURS };

/*
 * Between fences: all ranks are on one host; a fence that completes nothing opens each epoch;
 * before the fence come one of another window or a lock of it, or of this one.
 */
enum { ON_ONE_HOST = 1, OPENED = 2, FENCE_OTHER = 4, LOCK_OTHER = 8, LOCK_SAME = 16 };

static void fence_once(struct mktrace *m, uint32_t rank, uint32_t window, struct mkspan us)
{
	struct mkop op = {.kind = OP_COLL, .comm = window, .peer = -1, .of_window = 1};

	mktrace_call(m, rank, (struct mkspan){us.enter_ns * US, us.leave_ns * US}, "MPI_Win_fence",
		     "rma.c:16", 1, &op);
}

/* From us on for 4 us, as how says. */
static void synchronize(struct mktrace *m, uint32_t rank, const uint32_t window[2], int how,
			int64_t us)
{
	struct mkop op = {.comm = window[how != LOCK_SAME], .peer = 0};

	if (how == FENCE_OTHER)
		fence_once(m, rank, op.comm, (struct mkspan){us, us + 4});
	if (how != LOCK_OTHER && how != LOCK_SAME)
		return;
	op.kind = OP_LOCK;
	op.tag = 1;
	mktrace_call(m, rank, (struct mkspan){us * US, (us + 1) * US}, "MPI_Win_lock", "rma.c:20",
		     1, &op);
	op.kind = OP_UNLOCK;
	mktrace_call(m, rank, (struct mkspan){(us + 2) * US, (us + 4) * US}, "MPI_Win_unlock",
		     "rma.c:21", 1, &op);
}

/* All put 100 kB each to rank HOT, to their right neighbours or in turn, and fence for 800 us. */
static struct hotspots fence(int where, int is_known, int how)
{
	struct made x = begin();
	uint32_t window[2] = {mktrace_window(x.m, MKTRACE_WORLD),
			      mktrace_window(x.m, MKTRACE_WORLD)};

	for (uint32_t r = 0; (how & ON_ONE_HOST) && r < RANKS; r++)
		mktrace_host(x.m, r, "host", "boot");
	for (int64_t k = 0; k < CALLS; k++)
		for (uint32_t r = 0; r < RANKS; r++) {
			int64_t us = 100 + 1000 * k;
			int32_t target = where == TO_HOT    ? HOT
					 : where == IN_TURN ? (int32_t)k % RANKS
							    : (int32_t)((r + 1) % RANKS);
			struct mkop op = {
				.kind = OP_PUT, .comm = window[0], .peer = target, .bytes = 100000};

			if (how & OPENED)
				fence_once(x.m, r, window[0], (struct mkspan){us - 50, us - 40});
			mktrace_call(x.m, r, (struct mkspan){us * US, (us + 10) * US}, "MPI_Put",
				     "rma.c:15", 1, &op);
			synchronize(x.m, r, window, how, us + 12);
			fence_once(x.m, r, window[0], (struct mkspan){us + 20, us + 820});
		}
	return find(&x, is_known);
}

static void test_hot_target_between_fences_is_found(void)
{
	for (int known = 0; known < 2; known++) {
		struct hotspots h = fence(TO_HOT, known, 0);
		const struct hotspot *x = findings_one(&h, "skew");

		CU_ASSERT_FATAL(x != NULL);
		CU_ASSERT_EQUAL(x->rank, HOT);
		CU_ASSERT_PTR_NOT_NULL(strstr(x->title, "is the target of 100 % of the bytes"));
		CU_ASSERT_DOUBLE_EQUAL(x->saves_high_s, CALLS * 800e-6 * (1 - 1.0 / RANKS), 1e-4);
		/* 700 kB in one message: who puts how often may be another */
		CU_ASSERT_DOUBLE_EQUAL(x->saves_mid_s,
				       known ? CALLS * 700e-6 * (1 - 1.0 / RANKS) : x->saves_high_s,
				       1e-6);
		hotspots_release(&h);
	}
}

/* Who puts may copy the bytes itself. */
static void test_hot_target_on_one_host_is_not_likely(void)
{
	struct hotspots h = fence(TO_HOT, 0, ON_ONE_HOST);
	const struct hotspot *x = findings_one(&h, "skew");

	CU_ASSERT_FATAL(x != NULL);
	CU_ASSERT_EQUAL(x->saves_mid_s, 0);
	CU_ASSERT_DOUBLE_EQUAL(x->saves_high_s, CALLS * 800e-6 * (1 - 1.0 / RANKS), 1e-4);
	hotspots_release(&h);
}

/* What one that completes nothing takes, and that it has no bytes, is not part of what is said. */
static void test_fences_without_operations_do_not_count(void)
{
	struct hotspots h = fence(TO_HOT, 0, OPENED);
	const struct hotspot *x = findings_one(&h, "skew");

	CU_ASSERT_FATAL(x != NULL);
	CU_ASSERT_EQUAL(findings_evidence(x, "calls"), CALLS);
	CU_ASSERT_DOUBLE_EQUAL(findings_evidence(x, "moving_s"), CALLS * 800e-6, 1e-6);
	CU_ASSERT_PTR_NOT_NULL(strstr(x->why, "of each of 10 operations"));
	hotspots_release(&h);
}

/* What is put into one window no call for another completes; what a lock does, no fence. */
static void test_fences_complete_what_is_in_their_window(void)
{
	for (int how = FENCE_OTHER; how <= LOCK_SAME; how *= 2) {
		struct hotspots h = fence(TO_HOT, 0, how);
		const struct hotspot *x = findings_one(&h, "skew");

		CU_ASSERT_EQUAL(findings_count(&h, "skew"), how != LOCK_SAME);
		if (x)
			CU_ASSERT_DOUBLE_EQUAL(findings_evidence(x, "moving_s"), CALLS * 800e-6,
					       1e-6);
		hotspots_release(&h);
	}
}

static void test_targets_of_fences_in_turn(void)
{
	struct hotspots h = fence(IN_TURN, 0, 0);

	CU_ASSERT_FATAL(findings_one(&h, "skew") != NULL);
	CU_ASSERT_EQUAL(findings_one(&h, "skew")->rank, TRACE_NONE);
	hotspots_release(&h);
	h = fence(TO_NEIGHBOURS, 0, 0);
	CU_ASSERT_EQUAL(findings_count(&h, "skew"), 0);
	hotspots_release(&h);
}

int main(void)
{
	CU_TestInfo cases[] = {
		SUITE_CASE(test_hot_target_is_found),
		SUITE_CASE(test_targets_that_are_not_hot),
		SUITE_CASE(test_hot_target_between_fences_is_found),
		SUITE_CASE(test_hot_target_on_one_host_is_not_likely),
		SUITE_CASE(test_fences_without_operations_do_not_count),
		SUITE_CASE(test_fences_complete_what_is_in_their_window),
		SUITE_CASE(test_targets_of_fences_in_turn),
		CU_TEST_INFO_NULL,
	};

	return suite_run("rule_concentration", cases);
}
