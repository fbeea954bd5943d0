/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/gains/replay_exchanges.h"
#include <stdlib.h>

#include "tests/fixtures/suite.h"
#include "tests/fixtures/tables.h"

#define US   1000
#define SITE 3
#define WAY  (21 * US) /* of a message and its acknowledgement */

/* Rank 0 sends to 1 and 2, computes for so long and receives from 1. */
static void fill(struct tables *x, int64_t after_ns, int64_t rounds)
{
	int64_t now = US;

	tables_init(x, 3, 1);
	for (int64_t k = 0; k < rounds; k++) {
		uint32_t back, came;

		for (uint32_t dst = 1; dst < 3; dst++) {
			uint32_t send = tables_call(x, 0, REGION_SSEND, now, now + WAY, SITE);
			uint32_t recv =
				tables_call(x, dst, REGION_RECV, now - US / 2, now + WAY, 2);

			tables_message(x, 1000, send, send, recv, recv);
			now += WAY;
		}
		now += after_ns;
		back = tables_call(x, 1, REGION_SEND, now, now + US, 4);
		came = tables_call(x, 0, REGION_RECV, now, now + WAY, 5);
		tables_message(x, 1000, back, back, came, came);
		now += WAY + 20 * US;
	}
	tables_finish(x);
}

/* How long a replay of the exchanges at SITE is beside what was measured. */
static double closure(int64_t after_ns, int64_t rounds)
{
	struct tables x;
	struct machine on = tables_machine(10e-6, 1e-6, 1e-9, 65536);
	struct clock_quality clock = {0};
	struct attribution a = {0};
	struct evidence_base b = {
		.t = &x.trace, .m = &x.messages, .c = &x.collectives, .machine = &on, .a = &a};
	struct replay_exchanges all;
	struct episodes e;
	struct err err;
	double taken_s, measured_s;

	fill(&x, after_ns, rounds);
	CU_ASSERT_EQUAL_FATAL(
		attribution_run(&x.trace, &x.messages, &x.collectives, &on, &clock, &a, &err), 0);
	CU_ASSERT_EQUAL_FATAL(evidence_find(&b, &err), 0);
	CU_ASSERT_EQUAL_FATAL(episodes_cut(&e, &b.senders, SITE, &err), 0);
	CU_ASSERT_EQUAL_FATAL(replay_exchanges_init(&all, &b, &e, &err), 0);
	CU_ASSERT(all.waits);
	replay_exchanges_reset(&all, -1);
	CU_ASSERT_EQUAL_FATAL(replay_run(&all.replay, &taken_s, &err), 0);
	measured_s = all.measured_s;
	replay_exchanges_release(&all);
	episodes_release(&e);
	evidence_release(&b);
	attribution_release(&a);
	machine_release(&on);
	tables_release(&x);
	return taken_s / measured_s;
}

/*
 * However much a rank computes after an exchange or in it, the replay is as long as what was
 * measured, but for the answer, which is none of its messages: what is after the last exchange is
 * not counted there either.
 */
static void test_replay_exchanges_counts_what_is_measured(void)
{
	static const int64_t after_ns[] = {0, 5 * US, 10000 * US};

	for (size_t k = 0; k < sizeof(after_ns) / sizeof(*after_ns); k++)
		for (int64_t rounds = 1; rounds <= 4; rounds += 3) {
			double x = closure(after_ns[k], rounds);

			if (getenv("VERBOSE"))
				printf("%g us after, %g rounds: %g\n", after_ns[k] * 1e-3,
				       (double)rounds, x);
			CU_ASSERT(x > 0.7 && x < 1.15);
			CU_ASSERT(after_ns[k] < 1000 * US || rounds == 1 || (x > 0.99 && x < 1.01));
		}
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_replay_exchanges_counts_what_is_measured),
		CU_TEST_INFO_NULL,
	};

	return suite_run("replay_exchanges", tests);
}
