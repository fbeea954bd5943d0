/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/attribution/onesided.h"

#include "analyze/attribution/lateness.h"
#include "analyze/reader/reader.h"
#include "tests/fixtures/scratch.h"
#include "tests/fixtures/suite.h"
#include "tests/fixtures/tables.h"
#include "tests/traces/mktrace.h"

#include <stdlib.h>
#include <string.h>

#define US 1000

static struct err err;

/* An archive that is being made, and what is found in it. */
struct made {
	char *dir;
	struct mktrace *m;
	uint32_t window;
	uint32_t alone[3]; /* the group of each rank alone */
	struct trace t;
	struct attribution a;
};

static void begin(struct made *x)
{
	*x = (struct made){.dir = scratch_new()};
	x->m = mktrace_new(x->dir, 3, &err);
	for (uint32_t r = 0; r < 3; r++) {
		x->alone[r] = mktrace_comm(x->m, "group", 1, &r);
		mktrace_call(x->m, r, (struct mkspan){0, US}, "MPI_Init", NULL, 0, NULL);
	}
	x->window = mktrace_window(x->m, MKTRACE_WORLD);
}

static void call(struct made *x, uint32_t rank, int64_t enter_us, int64_t leave_us,
		 const char *function, struct mkop op)
{
	op.comm = x->window;
	mktrace_call(x->m, rank, (struct mkspan){enter_us * US, leave_us * US}, function, NULL,
		     op.kind != OP_SEND, &op);
}

static struct mkop with(const struct made *x, uint32_t rank)
{
	return (struct mkop){.kind = OP_EPOCH, .request = x->alone[rank]};
}

static struct mkop lock(int32_t target, int32_t shared)
{
	return (struct mkop){.kind = OP_LOCK, .peer = target, .tag = shared};
}

static struct mkop unlock(int32_t target)
{
	return (struct mkop){.kind = OP_UNLOCK, .peer = target};
}

static const struct mkop nothing = {.kind = OP_SEND};

static void find_on(struct made *x, struct machine *machine)
{
	static const struct clock_quality one_clock;
	struct messages none = {0};
	struct collectives c = {0};

	CU_ASSERT_EQUAL_FATAL(mktrace_close(x->m, &err), 0);
	CU_ASSERT_EQUAL_FATAL(trace_read(x->dir, &x->t, &err), 0);
	CU_ASSERT_EQUAL_FATAL(collectives_match(&x->t, &c, &err), 0);
	none.by_dst = calloc(4, sizeof(*none.by_dst));
	CU_ASSERT_EQUAL_FATAL(attribution_run(&x->t, &none, &c, machine, &one_clock, &x->a, &err),
			      0);
	free(none.by_dst);
	collectives_release(&c);
	machine_release(machine);
	scratch_free(x->dir);
}

static void find(struct made *x)
{
	struct machine machine = tables_machine(5e-6, 1e-6, 1e-9, 1 << 20);

	find_on(x, &machine);
}

/*
 * Whom a rank waited for late, traced back, for most of that time; sets *reason. Its rank, or
 * TRACE_NONE.
 */
static uint32_t traced_back(const struct made *x, uint32_t rank, enum lateness_reason *reason)
{
	struct messages none = {0};
	uint32_t cause = TRACE_NONE;
	struct lateness l;

	CU_ASSERT_EQUAL_FATAL(lateness_find(&l, &x->t, &none, &x->a, &err), 0);
	for (size_t k = 0; k < l.n && cause == TRACE_NONE; k++)
		if (x->t.calls[l.rows[k].call].rank == rank) {
			*reason = l.rows[k].reason;
			cause = l.rows[k].rank;
		}
	lateness_release(&l);
	return cause;
}

static void end(struct made *x)
{
	attribution_release(&x->a);
	trace_release(&x->t);
}

/* The wait of a rank in its only call of a function. */
static struct onesided_call wait_in(const struct made *x, uint32_t rank, const char *function)
{
	struct onesided_call found = {.rank = TRACE_NONE};
	int n = 0;

	for (uint32_t i = 0; i < x->a.onesided.n; i++) {
		const struct onesided_call *c = &x->a.onesided.calls[i];
		const struct call *at = &x->t.calls[c->call];

		if (at->rank != rank || strcmp(x->t.regions[at->region].name, function))
			continue;
		found = *c;
		n++;
	}
	CU_ASSERT_EQUAL(n, 1);
	return found;
}

static int64_t part(const struct made *x, const struct onesided_call *c, enum cost cost)
{
	return slices_part(&x->a.call, c->call, cost);
}

static void expect_wait(const struct made *x, uint32_t rank, const char *function,
			enum onesided_cause cause, uint32_t other, int64_t us)
{
	static const enum cost costs[ONESIDED_CAUSES] = {
		[ONESIDED_NOBODY] = COST_late_partner,
		[ONESIDED_LATE_POST] = COST_late_partner,
		[ONESIDED_LATE_COMPLETE] = COST_late_partner,
		[ONESIDED_LOCKED] = COST_lock_wait,
		[ONESIDED_PROGRESS] = COST_inattention,
	};
	struct onesided_call c = wait_in(x, rank, function);

	CU_ASSERT_EQUAL(c.cause, cause);
	CU_ASSERT_EQUAL(c.rank, other);
	CU_ASSERT_EQUAL(part(x, &c, costs[cause]), us * US);
}

/* Rank 0 accesses rank 1's window, which rank 1 posts at 300 us. */
static void test_onesided_late_post_holds_the_start(void)
{
	enum lateness_reason reason = LATENESS_UNKNOWN;
	struct made x;

	begin(&x);
	call(&x, 0, 10, 310, "MPI_Win_start", with(&x, 1));
	call(&x, 0, 320, 321, "MPI_Put", (struct mkop){.kind = OP_PUT, .peer = 1, .bytes = 8000});
	call(&x, 0, 330, 340, "MPI_Win_complete", with(&x, 1));
	call(&x, 1, 300, 302, "MPI_Win_post", with(&x, 0));
	call(&x, 1, 303, 350, "MPI_Win_wait", with(&x, 0));
	find(&x);
	expect_wait(&x, 0, "MPI_Win_start", ONESIDED_LATE_POST, 1, 290);
	expect_wait(&x, 0, "MPI_Win_complete", ONESIDED_NOBODY, TRACE_NONE, 0);
	expect_wait(&x, 1, "MPI_Win_wait", ONESIDED_LATE_COMPLETE, 0, 27);
	CU_ASSERT_EQUAL(traced_back(&x, 0, &reason), 1);
	CU_ASSERT_EQUAL(reason, LATENESS_COMPUTATION);
	end(&x);
}

/* Rank 1 posts late for rank 0, because it waited for the lock that rank 2 held. */
static void test_onesided_late_post_for_a_lock(void)
{
	enum lateness_reason reason = LATENESS_UNKNOWN;
	struct made x;

	begin(&x);
	call(&x, 2, 10, 12, "MPI_Win_lock", lock(2, 0));
	call(&x, 2, 280, 285, "MPI_Win_unlock", unlock(2));
	call(&x, 1, 20, 284, "MPI_Win_lock", lock(2, 0));
	call(&x, 1, 286, 288, "MPI_Win_unlock", unlock(2));
	call(&x, 1, 300, 302, "MPI_Win_post", with(&x, 0));
	call(&x, 0, 10, 310, "MPI_Win_start", with(&x, 1));
	call(&x, 0, 330, 340, "MPI_Win_complete", with(&x, 1));
	find(&x);
	CU_ASSERT_EQUAL(traced_back(&x, 0, &reason), 1);
	CU_ASSERT_EQUAL(reason, LATENESS_LOCK);
	end(&x);
}

/* Its start returned at once: the complete waits. */
static void test_onesided_late_post_holds_the_complete(void)
{
	struct made x;

	begin(&x);
	call(&x, 0, 10, 12, "MPI_Win_start", with(&x, 1));
	call(&x, 0, 20, 21, "MPI_Put", (struct mkop){.kind = OP_PUT, .peer = 1, .bytes = 8000});
	call(&x, 0, 30, 340, "MPI_Win_complete", with(&x, 1));
	call(&x, 1, 300, 302, "MPI_Win_post", with(&x, 0));
	call(&x, 1, 303, 350, "MPI_Win_wait", with(&x, 0));
	find(&x);
	expect_wait(&x, 0, "MPI_Win_start", ONESIDED_NOBODY, TRACE_NONE, 0);
	expect_wait(&x, 0, "MPI_Win_complete", ONESIDED_LATE_POST, 1, 270);
	/* the target came to its wait after the origin had completed */
	expect_wait(&x, 1, "MPI_Win_wait", ONESIDED_NOBODY, TRACE_NONE, 0);
	end(&x);
}

/* What is left of the complete is its operation: 2 L + g of 8000 bytes are 20 us. */
static void test_onesided_the_rest_is_the_operations(void)
{
	struct onesided_call c;
	struct made x;

	begin(&x);
	call(&x, 1, 5, 6, "MPI_Win_post", with(&x, 0));
	call(&x, 0, 10, 12, "MPI_Win_start", with(&x, 1));
	call(&x, 0, 20, 21, "MPI_Put", (struct mkop){.kind = OP_PUT, .peer = 1, .bytes = 8000});
	call(&x, 0, 30, 80, "MPI_Win_complete", with(&x, 1));
	find(&x);
	c = wait_in(&x, 0, "MPI_Win_complete");
	CU_ASSERT_EQUAL(c.idle_ns, 20 * US);
	CU_ASSERT_EQUAL(c.far, 1);
	CU_ASSERT_EQUAL(part(&x, &c, COST_wire), 20 * US);
	CU_ASSERT_EQUAL(part(&x, &c, COST_send_overhead), 2 * US);
	CU_ASSERT_EQUAL(part(&x, &c, COST_not_identifiable), 28 * US);
	CU_ASSERT_EQUAL(x.a.budget.parts[COST_network_contention].high_ns, 31 * US);
	/* as far as the machine is known: +- 5 % */
	CU_ASSERT_EQUAL(x.a.budget.parts[COST_wire].low_ns, 19 * US);
	CU_ASSERT_EQUAL(x.a.budget.parts[COST_wire].high_ns, 21 * US);
	end(&x);
}

/* Where the way itself is slow, the data's way takes 1 ns a byte more, the request's none. */
static void test_onesided_slow_ways(void)
{
	struct machine machine = tables_machine(5e-6, 1e-6, 1e-9, 1 << 20);
	struct made x;

	for (int k = 0; k < LOCALITY_COUNT; k++)
		machine.classes[k].L_s_per_byte = 1e-9;
	begin(&x);
	call(&x, 0, 10, 12, "MPI_Win_lock", lock(1, 0));
	call(&x, 0, 20, 21, "MPI_Get", (struct mkop){.kind = OP_GET, .peer = 1, .bytes_in = 8000});
	call(&x, 0, 30, 80, "MPI_Win_unlock", unlock(1));
	find_on(&x, &machine);
	CU_ASSERT_EQUAL(wait_in(&x, 0, "MPI_Win_unlock").idle_ns, 28 * US);
	end(&x);
}

/* Of a call that is over in less, too, it is the operations before it is the call itself. */
static void test_onesided_short_is_the_operations(void)
{
	struct onesided_call c;
	struct made x;

	begin(&x);
	call(&x, 0, 20, 21, "MPI_Get", (struct mkop){.kind = OP_GET, .peer = 1, .bytes = 8000});
	call(&x, 0, 30, 32, "MPI_Win_unlock", unlock(1));
	find(&x);
	c = wait_in(&x, 0, "MPI_Win_unlock");
	CU_ASSERT(c.idle_ns > 2 * US);
	CU_ASSERT_EQUAL(part(&x, &c, COST_wire), 2 * US);
	CU_ASSERT_EQUAL(part(&x, &c, COST_send_overhead), 0);
	end(&x);
}

/* Three exclusive holders of rank 2's lock in turn; the third got it from the second. */
static void test_onesided_locks_queue(void)
{
	struct made x;

	begin(&x);
	call(&x, 0, 10, 12, "MPI_Win_lock", lock(2, 0));
	call(&x, 0, 100, 104, "MPI_Win_unlock", unlock(2));
	call(&x, 1, 20, 103, "MPI_Win_lock", lock(2, 0));
	call(&x, 1, 200, 205, "MPI_Win_unlock", unlock(2));
	/* its lock returns at once; the unlock has to have it */
	call(&x, 2, 30, 31, "MPI_Win_lock", lock(2, 0));
	call(&x, 2, 40, 220, "MPI_Win_unlock", unlock(2));
	find(&x);
	expect_wait(&x, 0, "MPI_Win_lock", ONESIDED_NOBODY, TRACE_NONE, 0);
	expect_wait(&x, 1, "MPI_Win_lock", ONESIDED_LOCKED, 0, 80);
	expect_wait(&x, 1, "MPI_Win_unlock", ONESIDED_NOBODY, TRACE_NONE, 0);
	expect_wait(&x, 2, "MPI_Win_lock", ONESIDED_NOBODY, TRACE_NONE, 0);
	expect_wait(&x, 2, "MPI_Win_unlock", ONESIDED_LOCKED, 1, 160);
	CU_ASSERT_EQUAL(x.a.budget.parts[COST_lock_wait].ns, 240 * US);
	end(&x);
}

/* Two that share it, and locks of different targets, do not wait for each other. */
static void test_onesided_locks_that_do_not_conflict(void)
{
	struct made x;

	begin(&x);
	call(&x, 0, 10, 12, "MPI_Win_lock", lock(2, 1));
	call(&x, 0, 100, 104, "MPI_Win_unlock", unlock(2));
	call(&x, 1, 20, 103, "MPI_Win_lock", lock(2, 1));
	call(&x, 1, 200, 205, "MPI_Win_unlock", unlock(2));
	call(&x, 2, 20, 203, "MPI_Win_lock", lock(1, 0));
	call(&x, 2, 210, 215, "MPI_Win_unlock", unlock(1));
	find(&x);
	CU_ASSERT_EQUAL(x.a.budget.parts[COST_lock_wait].high_ns, 0);
	end(&x);
}

/* A lock of all is in the way of an exclusive lock of one, and the other way round. */
static void test_onesided_lock_of_all(void)
{
	struct made x;

	begin(&x);
	call(&x, 0, 10, 12, "MPI_Win_lock_all", lock(-1, 1));
	call(&x, 0, 100, 104, "MPI_Win_unlock_all", unlock(-1));
	call(&x, 1, 20, 103, "MPI_Win_lock", lock(2, 0));
	call(&x, 1, 200, 205, "MPI_Win_unlock", unlock(2));
	call(&x, 2, 110, 206, "MPI_Win_lock_all", lock(-1, 1));
	call(&x, 2, 210, 215, "MPI_Win_unlock_all", unlock(-1));
	find(&x);
	expect_wait(&x, 1, "MPI_Win_lock", ONESIDED_LOCKED, 0, 80);
	expect_wait(&x, 2, "MPI_Win_lock_all", ONESIDED_LOCKED, 1, 90);
	end(&x);
}

/* Rank 1 computes up to 500 us; what rank 0 flushed was done 10 us after it called MPI. */
static void test_onesided_progress_of_the_target(void)
{
	struct onesided_call c;
	struct made x;

	begin(&x);
	call(&x, 0, 10, 12, "MPI_Win_lock_all", lock(-1, 1));
	call(&x, 0, 20, 21, "MPI_Get", (struct mkop){.kind = OP_GET, .peer = 1, .bytes_in = 1000});
	call(&x, 0, 30, 510, "MPI_Win_flush", nothing);
	call(&x, 0, 520, 521, "MPI_Win_unlock_all", unlock(-1));
	call(&x, 1, 500, 600, "MPI_Barrier", nothing);
	find(&x);
	expect_wait(&x, 0, "MPI_Win_flush", ONESIDED_PROGRESS, 1, 470);
	/* where the network needs no help it was another reason, and the data moved meanwhile */
	CU_ASSERT_EQUAL(x.a.budget.parts[COST_inattention].low_ns, 0);
	c = wait_in(&x, 0, "MPI_Win_flush");
	CU_ASSERT(c.idle_ns > 10 * US);
	CU_ASSERT_EQUAL(x.a.budget.parts[COST_wire].ns, 10 * US);
	CU_ASSERT(x.a.budget.parts[COST_wire].high_ns >= c.idle_ns);
	end(&x);
}

/* On a machine of which nothing is known all of a short flush may be the data's way. */
static void test_onesided_progress_may_be_the_operations(void)
{
	struct machine machine = {.source = MACHINE_SELF_CALIBRATED};
	struct made x;

	begin(&x);
	call(&x, 0, 20, 21, "MPI_Get", (struct mkop){.kind = OP_GET, .peer = 1, .bytes_in = 8});
	call(&x, 0, 30, 32, "MPI_Win_flush", nothing);
	call(&x, 1, 32, 600, "MPI_Barrier", nothing);
	find_on(&x, &machine);
	expect_wait(&x, 0, "MPI_Win_flush", ONESIDED_PROGRESS, 1, 2);
	CU_ASSERT_EQUAL(x.a.budget.parts[COST_inattention].ns, 2 * US);
	CU_ASSERT_EQUAL(x.a.budget.parts[COST_inattention].low_ns, 0);
	CU_ASSERT_EQUAL(x.a.budget.parts[COST_wire].high_ns, 2 * US);
	end(&x);
}

int main(void)
{
	CU_TestInfo cases[] = {
		SUITE_CASE(test_onesided_late_post_holds_the_start),
		SUITE_CASE(test_onesided_late_post_holds_the_complete),
		SUITE_CASE(test_onesided_late_post_for_a_lock),
		SUITE_CASE(test_onesided_the_rest_is_the_operations),
		SUITE_CASE(test_onesided_slow_ways),
		SUITE_CASE(test_onesided_short_is_the_operations),
		SUITE_CASE(test_onesided_locks_queue),
		SUITE_CASE(test_onesided_locks_that_do_not_conflict),
		SUITE_CASE(test_onesided_lock_of_all),
		SUITE_CASE(test_onesided_progress_of_the_target),
		SUITE_CASE(test_onesided_progress_may_be_the_operations),
		CU_TEST_INFO_NULL,
	};

	return suite_run("onesided", cases);
}
