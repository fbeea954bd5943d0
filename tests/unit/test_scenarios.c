/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The scenarios of mktrace are what they say, and the reader finds their messages again. */
#include "analyze/clock/clock.h"
#include "analyze/reader/reader.h"
#include "tests/fixtures/scratch.h"
#include "tests/traces/mkscenario.h"

#include "tests/fixtures/suite.h"

#include <stdlib.h>
#include <string.h>

#define RANKS 6

static struct err err;

static int64_t total_of(const struct mkoutcome *out, enum cost part)
{
	int64_t ns = 0;
	size_t i;

	for (i = 0; i < out->n; i++)
		ns += out->fates[i].ns[part];
	return ns;
}

static void check_sums(const struct mkoutcome *out)
{
	size_t i;
	int c;

	for (i = 0; i < out->n; i++) {
		const struct mkfate *f = &out->fates[i];
		int64_t ns = 0;

		for (c = 0; c < COST_COUNT; c++) {
			CU_ASSERT(f->ns[c] >= 0);
			ns += f->ns[c];
		}
		CU_ASSERT_EQUAL(ns, f->completed_ns - f->sent_ns);
	}
}

/* Every fate is one message of the trace: same ranks, same times. */
static void check_messages(const struct trace *t, const struct messages *m,
			   const struct mkoutcome *out)
{
	size_t i, k;

	CU_ASSERT_EQUAL(m->n, out->n);
	for (i = 0; i < out->n; i++) {
		const struct mkfate *f = &out->fates[i];

		for (k = m->by_dst[f->dst]; k < m->by_dst[f->dst + 1]; k++) {
			if (m->m[k].src == f->src && m->m[k].bytes == f->bytes &&
			    t->calls[m->m[k].send_call].enter_ns == f->sent_ns &&
			    t->calls[m->m[k].recv_done].leave_ns == f->completed_ns)
				break;
		}
		CU_ASSERT(k < m->by_dst[f->dst + 1]);
	}
}

/* Write, read and check a scenario; its outcome, to be freed. */
static struct mkoutcome scenario(const char *name)
{
	char *dir = scratch_new();
	struct mkoutcome out;
	struct clock_quality q;
	struct messages m;
	struct trace t;

	CU_ASSERT_EQUAL_FATAL(mkscenario_write(name, dir, RANKS, &out, &err), 0);
	CU_ASSERT_EQUAL_FATAL(trace_read(dir, &t, &err), 0);
	CU_ASSERT_EQUAL_FATAL(messages_match(&t, &m, &err), 0);
	CU_ASSERT_EQUAL_FATAL(clock_align(&t, &m, NULL, NULL, &q, &err), 0);
	CU_ASSERT_EQUAL(t.wall_ns, out.wall_ns);
	CU_ASSERT_EQUAL(t.nodes, RANKS);
	CU_ASSERT_EQUAL(q.error_ns, 0);
	check_sums(&out);
	check_messages(&t, &m, &out);
	messages_release(&m);
	trace_release(&t);
	scratch_free(dir);
	return out;
}

static void test_scenarios_late_partners(void)
{
	struct mkoutcome out = scenario("late-sender");

	CU_ASSERT_EQUAL(total_of(&out, COST_late_partner), 0); /* it is the receiver that waits */
	free(out.fates);
	out = scenario("late-receiver");
	CU_ASSERT(total_of(&out, COST_late_partner) > 0);
	free(out.fates);
}

static void test_scenarios_incast_queues_at_one_port(void)
{
	struct mkoutcome out = scenario("incast");
	int64_t g_ns = 8000, n = RANKS - 1;

	/* the k-th of a round waits for k - 1 others; 20 rounds */
	CU_ASSERT_EQUAL(total_of(&out, COST_receiver_port), 20 * g_ns * (n * (n - 1) / 2));
	free(out.fates);
}

static void test_scenarios_order_makes_the_queue(void)
{
	struct mkoutcome same = scenario("order-hotspot"), shuffled = scenario("order-random");

	CU_ASSERT_EQUAL(same.n, shuffled.n);
	CU_ASSERT(total_of(&same, COST_receiver_port) > 0);
	CU_ASSERT_EQUAL(total_of(&shuffled, COST_receiver_port), 0);
	CU_ASSERT_EQUAL(total_of(&same, COST_wire), total_of(&shuffled, COST_wire));
	CU_ASSERT(same.wall_ns > shuffled.wall_ns);
	free(same.fates);
	free(shuffled.fates);
}

static void test_scenarios_quiet_has_no_waits(void)
{
	struct mkoutcome out = scenario("quiet");
	int c;

	for (c = 0; c < COST_COUNT; c++) {
		if (c != COST_send_overhead && c != COST_wire && c != COST_receive_overhead)
			CU_ASSERT_EQUAL(total_of(&out, c), 0);
	}
	free(out.fates);
}

static void test_scenarios_truncated_is_not_whole(void)
{
	char *dir = scratch_new();
	struct mkoutcome out;
	struct trace t;

	CU_ASSERT_EQUAL_FATAL(mkscenario_write("truncated", dir, RANKS, &out, &err), 0);
	CU_ASSERT_EQUAL(trace_check(dir, &err), -1);
	CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "1.evt: ends early"));
	CU_ASSERT_EQUAL_FATAL(trace_read(dir, &t, &err), 0);
	CU_ASSERT_EQUAL(t.ranks[1].loss.what, LOSS_CUT);
	trace_release(&t);
	free(out.fates);
	scratch_free(dir);
}

static void test_scenarios_that_cannot_be_written(void)
{
	struct mkoutcome out;

	CU_ASSERT_EQUAL(mkscenario_write("nonsense", "/nowhere", 4, &out, &err), -1);
	CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "nonsense"));
	CU_ASSERT_EQUAL(mkscenario_write("quiet", "/nowhere/at/all", 4, &out, &err), -1);
	CU_ASSERT_PTR_NOT_NULL(strstr(err.text, "/nowhere/at/all"));
	CU_ASSERT_EQUAL(mkscenario_write("quiet", "/tmp", 1, &out, &err), -1);
}

static CU_TestInfo tests[] = {
	SUITE_CASE(test_scenarios_late_partners),
	SUITE_CASE(test_scenarios_incast_queues_at_one_port),
	SUITE_CASE(test_scenarios_order_makes_the_queue),
	SUITE_CASE(test_scenarios_quiet_has_no_waits),
	SUITE_CASE(test_scenarios_truncated_is_not_whole),
	SUITE_CASE(test_scenarios_that_cannot_be_written),
	CU_TEST_INFO_NULL,
};

int main(void)
{
	return suite_run("scenarios", tests);
}
