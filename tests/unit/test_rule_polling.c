/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "tests/fixtures/findings.h"
#include "tests/fixtures/suite.h"

#define US     1000
#define ROUNDS 20
#define SITE   5

/*
 * Rank 1 waits 1 ms for each message of rank 0, in so many polls that took inside_ns of it (0
 * stands for one MPI_Wait); then it computes after_ns, and rank 0 waits for its answer.
 */
struct scene {
	int64_t inside_ns, after_ns;
	uint64_t polls, bytes;
	double crowd;    /* so many ranks share a core */
	double progress; /* so much of messages moves meanwhile */
	int is_told;     /* the trace says of each message that the polls did not find it */
};

/* A poll of another place, in which MPI has nothing to do. */
#define QUICK_NS 10

static void play_round(struct tables *x, const struct scene *s, uint32_t round, int64_t now)
{
	int64_t end = now + 1000 * US, back = end + s->after_ns;
	uint32_t send = tables_call(x, 0, REGION_SEND, end - 12 * US, end - 11 * US, 1);
	uint32_t post = tables_call(x, 1, REGION_IRECV, now, now + US, 2), done, answer, got;

	if (s->inside_ns) {
		uint32_t call = tables_call(x, 1, REGION_TEST, now + US, end - US, SITE);

		x->trace.floods[round] =
			(struct flood){.polls = s->polls, .inside_ns = s->inside_ns};
		x->trace.calls[call].part = round;
		x->trace.calls[call].is_flood = 1;
		done = tables_call(x, 1, REGION_TEST, end - US, end, SITE);
	} else {
		done = tables_call(x, 1, REGION_WAIT, now + US, end, SITE);
	}
	answer = tables_call(x, 1, REGION_SEND, back, back + US, 3);
	got = tables_call(x, 0, REGION_RECV, end - 10 * US, back + 5 * US, 4);
	tables_message(x, s->bytes, send, send, post, done);
	tables_message(x, 8, answer, answer, got, got);
}

static struct hotspots find(const struct scene *s)
{
	struct machine machine = tables_machine(10e-6, 1e-6, 1e-9, 65536);
	struct tables x;
	struct hotspots h;

	tables_init(&x, 2, 1);
	x.trace.floods = calloc(ROUNDS, sizeof(*x.trace.floods));
	x.trace.n_floods = ROUNDS;
	tables_call(&x, 0, REGION_TEST, 0, QUICK_NS, 6);
	for (uint32_t round = 0; round < ROUNDS; round++)
		play_round(&x, s, round, US + round * (1010 * US + s->after_ns));
	tables_finish(&x);
	for (uint32_t i = 0; i < x.messages.n && s->is_told; i++)
		if (x.messages.m[i].dst == 1)
			x.messages.m[i].not_here_ns =
				x.trace.calls[x.messages.m[i].recv_done].enter_ns - US;
	for (uint32_t r = 0; r < 2; r++)
		x.trace.ranks[r].crowd = s->crowd;
	for (int k = 0; k < LOCALITY_COUNT; k++)
		machine.classes[k].progress = (struct machine_progress){s->progress, s->progress};
	h = findings_of(&x, machine);
	free(x.trace.floods);
	x.trace.floods = NULL;
	tables_release(&x);
	return h;
}

static int is_found(struct scene s)
{
	struct hotspots h = find(&s);
	int found = findings_one(&h, "polling") != NULL;

	hotspots_release(&h);
	return found;
}

/*
 * 400 us of 1 ms in polls, 600 us of computation between them: what comes after begins so much
 * sooner.
 */
static void test_rule_polling_while_computing(void)
{
	const struct scene s = {400 * US, 2000 * US, 500, 8, 1, 0, 0};
	double gain_s = ROUNDS * 400e-6;
	struct hotspots h = find(&s);
	const struct hotspot *x = findings_one(&h, "polling");

	CU_ASSERT_FATAL(x != NULL);
	CU_ASSERT_EQUAL(x->site, SITE);
	CU_ASSERT_EQUAL(x->rank, 1);
	CU_ASSERT_DOUBLE_EQUAL(x->saves_mid_s, gain_s, 0.01 * gain_s);
	CU_ASSERT_DOUBLE_EQUAL(x->saves_high_s, gain_s, 0.01 * gain_s);
	CU_ASSERT_EQUAL(findings_evidence(x, "polls"), ROUNDS * 500);
	CU_ASSERT_PTR_NOT_NULL(strstr(x->why, "; in the budget send overhead (o_s) 8.00 ms"));
	CU_ASSERT_EQUAL(findings_contention(&h), 0);
	hotspots_release(&h);
}

/* So it is with little to compute after the last one: no message would come sooner. */
static void test_rule_polling_is_not_waiting(void)
{
	for (int is_told = 0; is_told < 2; is_told++)
		CU_ASSERT(!is_found((struct scene){400 * US, 5 * US, 500, 8, 1, 0, is_told}));
}

/* As a way to wait they are no loss, on shared cores either: MPI's own way is to poll, too. */
static void test_rule_polling_may_be_a_way_to_wait(void)
{
	for (int crowd = 1; crowd <= 2; crowd++)
		for (int64_t after_ns = 0; after_ns <= 2000 * US; after_ns += 2000 * US)
			CU_ASSERT(
				!is_found((struct scene){995 * US, after_ns, 500, 8, crowd, 0, 1}));
}

/* 6 ns between polls are a loop's, 40 times as many a program's. */
static void test_rule_polling_takes_no_loop_for_work(void)
{
	CU_ASSERT(!is_found((struct scene){878 * US, 2000 * US, 20000, 8, 1, 0, 0}));
	CU_ASSERT(is_found((struct scene){878 * US, 2000 * US, 500, 8, 1, 0, 0}));
}

/*
 * Polls that take longer than others while a large message moves move it, unless MPI does so by
 * itself.
 */
static void test_rule_polling_may_move_messages(void)
{
	CU_ASSERT(!is_found((struct scene){400 * US, 2000 * US, 500, 500000, 1, 0, 0}));
	CU_ASSERT(is_found((struct scene){400 * US, 2000 * US, 500, 500000, 1, 1, 0}));
	CU_ASSERT(is_found((struct scene){400 * US, 2000 * US, 500, 100000, 1, 0, 0}));
}

static void test_rule_polling_is_silent_on_waits(void)
{
	const struct scene s = {0, 2000 * US, 500, 8, 1, 0, 0};
	struct hotspots h = find(&s);

	CU_ASSERT(findings_one(&h, "polling") == NULL);
	CU_ASSERT_EQUAL(findings_contention(&h), 0);
	hotspots_release(&h);
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_rule_polling_while_computing),
		SUITE_CASE(test_rule_polling_is_not_waiting),
		SUITE_CASE(test_rule_polling_may_be_a_way_to_wait),
		SUITE_CASE(test_rule_polling_takes_no_loop_for_work),
		SUITE_CASE(test_rule_polling_may_move_messages),
		SUITE_CASE(test_rule_polling_is_silent_on_waits),
		CU_TEST_INFO_NULL,
	};

	return suite_run("rule_polling", tests);
}
