/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>

#include "tests/fixtures/findings.h"
#include "tests/fixtures/suite.h"

#define US     1000
#define ROUNDS 20
#define SITE   5
#define SLEEP  (1000 * US)

/*
 * Rank 1 polls, sleeps for 1 ms, polls again and has the message, which rank 0 sent early_ns before
 * that; then rank 0 waits for its answer. is_sleep: the polls' trace knows of the sleep. with_send:
 * the polls are for a message as well that rank 1 sent just before, which rank 0 takes then.
 */
static struct hotspots find(int64_t early_ns, int is_sleep, int with_send)
{
	struct machine machine = tables_machine(10e-6, 1e-6, 1e-9, 65536);
	struct tables x;
	struct hotspots h;

	tables_init(&x, 2, 1);
	x.trace.floods = calloc(ROUNDS, sizeof(*x.trace.floods));
	x.trace.n_floods = ROUNDS;
	for (uint32_t round = 0; round < ROUNDS; round++) {
		int64_t now = US + round * 1100 * US, end = now + SLEEP;
		uint32_t send, post, poll, done, answer, got, other;

		send = tables_call(&x, 0, REGION_SEND, end - early_ns, end - early_ns + US, 1);
		post = tables_call(&x, 1, REGION_IRECV, now - US, now, 2);
		poll = tables_call(&x, 1, REGION_TEST, now, is_sleep ? end : now + US, SITE);
		done = tables_call(&x, 1, REGION_TEST, end, end + US, SITE);
		answer = tables_call(&x, 1, REGION_SEND, end + 2 * US, end + 3 * US, 3);
		got = tables_call(&x, 0, REGION_RECV, end - early_ns + 2 * US, end + 15 * US, 4);
		tables_message(&x, 8, send, send, post, done);
		tables_message(&x, 8, answer, answer, got, got);
		if (with_send) {
			other = tables_call(&x, 1, REGION_ISEND, now - US / 2, now - US / 4, 6);
			got = tables_call(&x, 0, REGION_RECV, end + 16 * US, end + 17 * US, 7);
			tables_message(&x, 8, other, done, got, got);
		}
		if (!is_sleep)
			continue;
		x.trace.floods[round] =
			(struct flood){.polls = 1, .inside_ns = SLEEP, .asleep_ns = SLEEP - US};
		x.trace.calls[poll].part = round;
		x.trace.calls[poll].is_flood = 1;
	}
	tables_finish(&x);
	for (uint32_t i = 0; i < x.messages.n; i++)
		if (x.messages.m[i].dst == 1)
			x.messages.m[i].not_here_ns =
				x.trace.calls[x.messages.m[i].recv_done].enter_ns - SLEEP;
	h = findings_of(&x, machine);
	free(x.trace.floods);
	x.trace.floods = NULL;
	tables_release(&x);
	return h;
}

/* The message is there 12 us after it was sent: what rank 1 sleeps on, rank 0 waits. */
static void test_rule_sleep_beside_messages(void)
{
	struct hotspots h = find(600 * US, 1, 0);
	const struct hotspot *x = findings_one(&h, "sleep");
	double gain_s = ROUNDS * 588e-6;

	CU_ASSERT_FATAL(x != NULL);
	CU_ASSERT_EQUAL(x->site, SITE);
	CU_ASSERT_EQUAL(x->rank, 1);
	CU_ASSERT_DOUBLE_EQUAL(x->saves_mid_s, gain_s, 0.02 * gain_s);
	CU_ASSERT(x->saves_high_s >= x->saves_mid_s && x->saves_high_s < 1.05 * gain_s);
	CU_ASSERT_EQUAL(findings_evidence(x, "messages"), ROUNDS);
	CU_ASSERT_EQUAL(findings_contention(&h), 0);
	hotspots_release(&h);
}

/* The message is there before the other one is sent: that is eager, and not what it polls for. */
static void test_rule_sleep_beside_a_send(void)
{
	struct hotspots h = find(1050 * US, 1, 1);
	const struct hotspot *x = findings_one(&h, "sleep");
	double gain_s = ROUNDS * 999e-6;

	CU_ASSERT_FATAL(x != NULL);
	CU_ASSERT_DOUBLE_EQUAL(x->saves_mid_s, gain_s, 0.02 * gain_s);
	CU_ASSERT_EQUAL(findings_evidence(x, "messages"), ROUNDS);
	hotspots_release(&h);
}

static void test_rule_sleep_is_silent(void)
{
	struct hotspots late = find(13 * US, 1, 0), awake = find(600 * US, 0, 0);

	CU_ASSERT_EQUAL(findings_count(&late, "sleep"), 0); /* until the message comes it may */
	CU_ASSERT_EQUAL(findings_count(&awake, "sleep"), 0);
	hotspots_release(&awake);
	hotspots_release(&late);
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_rule_sleep_beside_messages),
		SUITE_CASE(test_rule_sleep_beside_a_send),
		SUITE_CASE(test_rule_sleep_is_silent),
		CU_TEST_INFO_NULL,
	};

	return suite_run("rule_sleep", tests);
}
