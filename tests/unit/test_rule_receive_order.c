/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>

#include "tests/fixtures/findings.h"
#include "tests/fixtures/suite.h"

#define US      1000
#define ROUNDS  24
#define SOURCES 3
#define SITE    5
#define WAY     (12 * US) /* of a small message, from when it is sent */

/* Rank 0 takes what the others send after some work of theirs, each round once, and works on it. */
struct scene {
	int64_t think_ns[SOURCES][ROUNDS];
	int64_t service_ns;
	int ahead; /* they wait for the answer so many rounds later; 0: there is none */
	int as_they_come;
	int turned;            /* its order is another one in every other round */
	int passes_on;         /* after each round it sends what it has to one more rank */
	enum region_kind kind; /* of its receives */
	/* where it stands: */
	int64_t now_ns, free_ns[SOURCES], sent_ns[SOURCES], answer_ns[SOURCES][ROUNDS];
	int round[SOURCES];
};

static void begin(struct scene *x)
{
	x->now_ns = 0;
	for (int s = 0; s < SOURCES; s++) {
		x->round[s] = 0;
		x->sent_ns[s] = x->think_ns[s][0];
	}
}

/* Whose turn is number n. */
static int whose(const struct scene *x, int n)
{
	int first = -1, s = n % SOURCES;

	if (!x->as_they_come)
		return x->turned && n / SOURCES % 2 && s < 2 ? 1 - s : s;
	for (s = 0; s < SOURCES; s++)
		if (x->round[s] < ROUNDS && (first < 0 || x->sent_ns[s] < x->sent_ns[first]))
			first = s;
	return first;
}

/* A turn of s: when it is asked for and over; and its sender, after which answer it goes on. */
struct taken {
	int64_t sent_ns, asked_ns, over_ns, answer_ns, free_ns;
	int got; /* of that round; < 0: none */
	int64_t got_ns;
};

/* When who asks then has an answer. */
static int64_t got_ns(int64_t asked_ns, int64_t answer_ns)
{
	return (answer_ns + WAY > asked_ns ? answer_ns + WAY : asked_ns) + US;
}

static struct taken take(struct scene *x, int s)
{
	struct taken t = {.sent_ns = x->sent_ns[s], .asked_ns = x->now_ns, .got = -1};
	int64_t there_ns = t.sent_ns + WAY;
	int round = x->round[s]++;

	t.over_ns = (there_ns > t.asked_ns ? there_ns : t.asked_ns) + US;
	t.answer_ns = x->answer_ns[s][round] = t.over_ns + x->service_ns;
	x->now_ns = t.answer_ns + US;
	t.got_ns = t.free_ns = t.sent_ns + 2 * US;
	if (x->ahead > 0 && round + 1 >= x->ahead) {
		t.got = round + 1 - x->ahead;
		t.got_ns = got_ns(t.free_ns, x->answer_ns[s][t.got]);
	}
	x->free_ns[s] = t.got_ns;
	if (round + 1 < ROUNDS)
		x->sent_ns[s] = t.got_ns + x->think_ns[s][round + 1];
	return t;
}

/* How long it takes, ns. */
static int64_t length(struct scene x)
{
	begin(&x);
	for (int n = 0; n < SOURCES * ROUNDS; n++)
		take(&x, whose(&x, n));
	return x.now_ns;
}

/* Rank from has its answer, of call answer. */
static void have(struct tables *out, uint32_t from, uint32_t answer, int64_t asked_ns, int64_t ns)
{
	uint32_t got = tables_call(out, from, REGION_RECV, asked_ns, ns, 3);

	tables_message(out, 8, answer, answer, got, got);
}

static struct hotspots find(struct scene x)
{
	struct machine machine = tables_machine(10e-6, 1e-6, 1e-9, 65536);
	uint32_t answer[SOURCES][ROUNDS];
	struct tables out;
	struct hotspots h;

	tables_init(&out, SOURCES + 2, 1);
	begin(&x);
	for (int n = 0; n < SOURCES * ROUNDS; n++) {
		int s = whose(&x, n), round = x.round[s];
		struct taken t = take(&x, s);
		uint32_t from = (uint32_t)s + 1, send, got;

		send = tables_call(&out, from, REGION_SEND, t.sent_ns, t.sent_ns + US, 1);
		got = tables_call(&out, 0, x.kind, t.asked_ns, t.over_ns, SITE);
		tables_message(&out, 8, send, send, got, got);
		if (x.passes_on && s == SOURCES - 1) {
			send = tables_call(&out, 0, REGION_SEND, t.answer_ns, x.now_ns, 2);
			got = tables_call(&out, SOURCES + 1, REGION_RECV,
					  t.answer_ns - x.service_ns, t.answer_ns + WAY, 4);
			tables_message(&out, 8, send, send, got, got);
		}
		if (x.ahead == 0)
			continue;
		answer[s][round] = tables_call(&out, 0, REGION_SEND, t.answer_ns, x.now_ns, 2);
		if (t.got >= 0)
			have(&out, from, answer[s][t.got], t.free_ns, t.got_ns);
	}
	for (int s = 0; s < SOURCES && x.ahead > 0; s++)
		for (int k = ROUNDS + 1 - x.ahead; k < ROUNDS; k++) {
			int64_t asked_ns = x.free_ns[s] + US;

			x.free_ns[s] = got_ns(asked_ns, x.answer_ns[s][k]);
			have(&out, (uint32_t)s + 1, answer[s][k], asked_ns, x.free_ns[s]);
		}
	tables_finish(&out);
	h = findings_of(&out, machine);
	tables_release(&out);
	return h;
}

/* Work of 100 us to 1.6 ms, by chance. */
static struct scene scene(int64_t service_ns, int ahead)
{
	struct scene x = {.service_ns = service_ns, .ahead = ahead, .kind = REGION_RECV};
	uint32_t random = 12345;

	for (int s = 0; s < SOURCES; s++)
		for (int k = 0; k < ROUNDS; k++) {
			random = random * 1664525u + 1013904223u;
			x.think_ns[s][k] = 100 * US + (random >> 8) % 1500 * US;
		}
	return x;
}

/* The likely saving is that of taking them as they come. */
static void saves(struct scene x, double off)
{
	struct hotspots h = find(x);
	const struct hotspot *found = findings_one(&h, "receive_order");
	double was_s = (double)length(x) * 1e-9, saved_s;

	x.as_they_come = 1;
	saved_s = was_s - (double)length(x) * 1e-9;
	CU_ASSERT(saved_s > 0.05 * was_s);
	CU_ASSERT_FATAL(found != NULL);
	CU_ASSERT_EQUAL(found->site, SITE);
	CU_ASSERT_EQUAL(found->rank, 0);
	CU_ASSERT_DOUBLE_EQUAL(found->saves_mid_s, saved_s, off * saved_s);
	CU_ASSERT(found->saves_low_s == 0 && found->saves_high_s >= found->saves_mid_s);
	CU_ASSERT_EQUAL(findings_evidence(found, "turns"), SOURCES * ROUNDS);
	hotspots_release(&h);
}

static void test_rule_receive_order_with_answers(void)
{
	saves(scene(200 * US, 1), 0.02);
	saves(scene(400 * US, 1), 0.02);
}

/* They have sent others when an answer comes: only what they send after that is sooner. */
static void test_rule_receive_order_with_late_answers(void)
{
	struct scene x = scene(200 * US, 2);

	for (int k = 0; k < ROUNDS; k++) /* one after the other is slow for some rounds */
		for (int s = 0; s < SOURCES; s++)
			x.think_ns[s][k] = k / 4 % SOURCES == s ? 2500 * US : 100 * US;
	saves(x, 0.02);
	x.ahead = 3;
	saves(x, 0.02);
}

static void test_rule_receive_order_without_answers(void)
{
	struct scene x = scene(300 * US, 0);

	for (int k = 0; k < ROUNDS; k++) /* the first one is slow in the beginning */
		x.think_ns[0][k] = k < ROUNDS / 2 ? 2000 * US : 100 * US;
	saves(x, 0.02);
}

static void is_silent(struct scene x)
{
	struct hotspots h = find(x);

	CU_ASSERT_EQUAL(findings_count(&h, "receive_order"), 0);
	hotspots_release(&h);
}

static void test_rule_receive_order_is_silent(void)
{
	struct scene x = scene(300 * US, 1);

	x.as_they_come = 1;
	is_silent(x);
	x.as_they_come = 0;
	x.turned = 1; /* it has no order that is its own */
	is_silent(x);
	x.turned = 0;
	x.kind = REGION_SENDRECV; /* which sends to whom it receives from */
	is_silent(x);
	x = scene(300 * US, 0);
	x.passes_on = 1; /* what it has of all */
	is_silent(x);
	x = scene(0, 0); /* there is nothing to do meanwhile */
	is_silent(x);
	for (int s = 0; s < SOURCES; s++) /* the first one is the first to come */
		for (int k = 0; k < ROUNDS; k++)
			x.think_ns[s][k] = (800 + 100 * s) * US;
	x.service_ns = 50 * US;
	is_silent(x);
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_rule_receive_order_with_answers),
		SUITE_CASE(test_rule_receive_order_with_late_answers),
		SUITE_CASE(test_rule_receive_order_without_answers),
		SUITE_CASE(test_rule_receive_order_is_silent),
		CU_TEST_INFO_NULL,
	};

	return suite_run("rule_receive_order", tests);
}
