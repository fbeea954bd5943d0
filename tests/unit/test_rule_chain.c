/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>

#include "tests/fixtures/findings.h"
#include "tests/fixtures/suite.h"

#define US     1000
#define ROUNDS 24
#define RANKS  8
#define SITE   5
#define WAY    (12 * US) /* of a small message, from when it is sent */
#define HELD   100000    /* bytes of one that waits for its receive, */
#define WAYS   (112 * US)

/*
 * Each round all work, then a line of ranks takes from the one before and sends to the next one, or
 * sends, which waits for its receive, and takes then; and all meet.
 */
struct scene {
	int64_t work_ns[RANKS][ROUNDS];
	int64_t between_ns; /* computed between receive and send */
	uint32_t ranks;     /* in the line, which may close, and go round twice */
	int is_ahead;       /* each sends, or begins to receive, first */
	int takes_after;
	int begins_anywhere;
	int goes_back; /* the last one sends back what comes back to the first one */
	/* They send to the first one, too, after that or by one call, as in a tree; */
	enum { TO_ONE, TO_TWO, TO_TWO_AT_ONCE } to;
	int from_two; /* or take something of the first one, too, before */
	enum region_kind sends;
};

static struct scene scene(int64_t work_us, int64_t uneven_us)
{
	struct scene x = {.ranks = RANKS, .sends = REGION_SEND};
	uint32_t random = 12345;

	for (int k = 0; k < ROUNDS; k++)
		for (int r = 0; r < RANKS; r++) {
			random = random * 1664525u + 1013904223u;
			x.work_ns[r][k] =
				(work_us + (uneven_us ? (random >> 8) % uneven_us : 0)) * US;
		}
	return x;
}

/* A message of a rank, ready then, to the next one; out may be NULL. When it is sent. */
struct at {
	uint32_t rank;
	int64_t now_ns;
};

static uint32_t send(struct tables *out, const struct scene *x, struct at *a)
{
	int64_t ns = a->now_ns;

	a->now_ns += US;
	return out ? tables_call(out, a->rank, x->sends, ns, a->now_ns, SITE) : 0;
}

static void take(struct tables *out, struct at *a, int64_t sent_ns, uint32_t sent)
{
	int64_t asked_ns = a->now_ns, there_ns = sent_ns + WAY;
	uint32_t got;

	a->now_ns = (asked_ns > there_ns ? asked_ns : there_ns) + US;
	if (!out)
		return;
	got = tables_call(out, a->rank, REGION_RECV, asked_ns, a->now_ns, 3);
	tables_message(out, 8, sent, sent, got, got);
}

/* What goes between the first rank of a line and each other beside that. */
struct beside {
	int64_t ns[2 * RANKS];
	uint32_t send[2 * RANKS];
};

/* One way along the line; at[i] is its i-th rank. */
static void pass(struct tables *out, const struct scene *x, struct at *const at[])
{
	struct beside beside = {.ns = {0}};
	int64_t sent_ns = 0;
	uint32_t sent = 0;

	for (uint32_t i = 1; i < x->ranks && x->from_two; i++) {
		beside.ns[i] = at[0]->now_ns;
		beside.send[i] = send(out, x, at[0]);
	}
	for (uint32_t i = 0; i < x->ranks; i++) {
		struct at *a = at[i];
		int64_t ready_ns = a->now_ns;
		int is_last = i + 1 == x->ranks;
		uint32_t own = x->is_ahead && !is_last ? send(out, x, a) : 0;

		if (i > 0 && x->from_two)
			take(out, a, beside.ns[i], beside.send[i]);
		if (i > 0)
			take(out, a, sent_ns, sent);
		if (!x->is_ahead) {
			a->now_ns += i > 0 ? x->between_ns : 0;
			ready_ns = a->now_ns;
			own = is_last ? 0 : send(out, x, a);
		}
		sent_ns = ready_ns;
		sent = own;
		beside.ns[i] = x->to == TO_TWO ? a->now_ns : ready_ns;
		beside.send[i] = x->to == TO_TWO && i > 0 && !is_last ? send(out, x, a) : own;
	}
	for (uint32_t i = 1; i + 1 < x->ranks && x->to != TO_ONE; i++)
		take(out, at[0], beside.ns[i], beside.send[i]);
}

/* The same where sends wait for their receivers, and come first; from the last rank on. */
static void take_after(struct tables *out, const struct scene *x, struct at *const at[])
{
	int64_t asked_ns = at[x->ranks - 1]->now_ns, over_ns[2 * RANKS] = {0};

	for (uint32_t i = x->ranks - 1; i-- > 0;) {
		struct at *from = at[i], *to = at[i + 1];
		int64_t sent_ns = from->now_ns, over = asked_ns > sent_ns ? asked_ns : sent_ns;
		uint32_t own, got;

		over += WAYS;
		if (out) {
			own = tables_call(out, from->rank, REGION_SEND, sent_ns, over, SITE);
			got = tables_call(out, to->rank, REGION_RECV, asked_ns, over, 3);
			tables_message(out, HELD, own, own, got, got);
		}
		over_ns[i + 1] = over > over_ns[i + 1] ? over : over_ns[i + 1];
		over_ns[i] = over;
		asked_ns = x->is_ahead ? sent_ns : over + x->between_ns;
	}
	for (uint32_t i = 0; i < x->ranks; i++)
		at[i]->now_ns = over_ns[i];
}

/* How long it takes, ns. */
static int64_t play(struct tables *out, const struct scene *x)
{
	int64_t now_ns = 0, enter_ns[RANKS];

	for (uint32_t k = 0; k < ROUNDS; k++) {
		struct at all[RANKS], *line[2 * RANKS], *back[2 * RANKS];

		for (uint32_t r = 0; r < RANKS; r++)
			all[r] = (struct at){r, now_ns + x->work_ns[r][k]};
		for (uint32_t i = 0; i < x->ranks; i++)
			line[i] = &all[(i + (x->begins_anywhere ? k : 0)) % RANKS];
		for (uint32_t i = 0; i < x->ranks; i++)
			back[i] = line[x->ranks - 1 - i];
		(x->takes_after ? take_after : pass)(out, x, line);
		if (x->goes_back)
			pass(out, x, back);
		now_ns = 0;
		for (uint32_t r = 0; r < RANKS; r++) {
			enter_ns[r] = all[r].now_ns;
			now_ns = enter_ns[r] > now_ns ? enter_ns[r] : now_ns;
		}
		now_ns += US;
		if (out)
			tables_collective(out, enter_ns, now_ns, 4);
	}
	return now_ns;
}

static struct hotspots find_with(const struct scene *x, double L_s, double o_s)
{
	struct tables out;
	struct hotspots h;

	tables_init(&out, RANKS, 1);
	play(&out, x);
	tables_finish(&out);
	h = findings_of(&out, tables_machine(L_s, o_s, 1e-9, 65536));
	tables_release(&out);
	return h;
}

static struct hotspots find(const struct scene *x)
{
	return find_with(x, 10e-6, 1e-6);
}

/* At most as much as if each sends first; likely by_tree of that. */
static void saves(struct scene x, double by_tree)
{
	struct hotspots h = find(&x);
	const struct hotspot *found = findings_one(&h, "chain");
	double was_s = (double)play(NULL, &x) * 1e-9, saved_s;

	x.is_ahead = 1;
	saved_s = was_s - (double)play(NULL, &x) * 1e-9;
	CU_ASSERT_FATAL(found != NULL);
	CU_ASSERT_EQUAL(found->site, SITE);
	CU_ASSERT_EQUAL(found->saves_low_s, 0);
	CU_ASSERT_DOUBLE_EQUAL(found->saves_mid_s, by_tree * saved_s, 0.05 * saved_s);
	CU_ASSERT(found->saves_high_s >= 0.98 * saved_s);
	CU_ASSERT_EQUAL(findings_evidence(found, "chains"), ROUNDS);
	CU_ASSERT_EQUAL(findings_evidence(found, "longest"), x.ranks - 1);
	hotspots_release(&h);
}

/* Of 7 messages one after the other 1 is left, or 3. */
static void test_rule_chain_saves(void)
{
	struct scene x = scene(100, 0);

	saves(x, 4.0 / 6);
	x.sends = REGION_ISEND;
	saves(x, 4.0 / 6);
	x.ranks = 4;
	saves(x, 1.0 / 2);
	x.ranks = RANKS + 1;
	saves(x, 4.0 / 7);
}

/* Of as many that are taken one after the other 1 is left. */
static void test_rule_chain_saves_receives(void)
{
	struct scene x = scene(100, 0);

	x.takes_after = 1;
	saves(x, 1);
	x.ranks = 5;
	saves(x, 1);
	x = scene(100, 500);
	x.takes_after = 1;
	saves(x, 1);
}

/* Also where the message that comes in is there already, at times. */
static void test_rule_chain_of_uneven_ranks(void)
{
	saves(scene(100, 60), 4.0 / 6);
}

/* Of a message it may be known only what it takes in all. */
static void test_rule_chain_of_overheads(void)
{
	struct scene x = scene(100, 0);
	struct hotspots h;

	x.between_ns = 4 * US;
	h = find_with(&x, 1e-9, 6e-6);
	CU_ASSERT_EQUAL(findings_count(&h, "chain"), 1);
	hotspots_release(&h);
}

static void is_silent(struct scene x)
{
	struct hotspots h = find(&x);

	CU_ASSERT_EQUAL(findings_count(&h, "chain"), 0);
	hotspots_release(&h);
}

static void test_rule_chain_is_silent(void)
{
	struct scene x = scene(100, 0);

	x.is_ahead = 1;
	is_silent(x);
	x.is_ahead = 0;
	x.between_ns = 10 * US; /* what they send is what they have computed of it */
	is_silent(x);
	x.between_ns = 0;
	x.begins_anywhere = 1; /* all pass on their own */
	is_silent(x);
	x.begins_anywhere = 0;
	x.ranks = 3;
	x.goes_back = 1; /* an answer */
	is_silent(x);
	x.goes_back = 0;
	x.ranks = 2 * RANKS;
	is_silent(x);
	x.ranks = RANKS;
	for (x.to = TO_TWO; x.to <= TO_TWO_AT_ONCE; x.to++)
		is_silent(x);
	x.to = TO_ONE;
	x.from_two = 1;
	is_silent(x);
	is_silent(scene(20000, 0)); /* it hardly matters */
	x = scene(100, 0);
	x.takes_after = 1;
	x.between_ns = 100 * US;
	is_silent(x);
	x.between_ns = 0;
	x.ranks = 3;
	is_silent(x);
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_rule_chain_saves),
		SUITE_CASE(test_rule_chain_saves_receives),
		SUITE_CASE(test_rule_chain_of_uneven_ranks),
		SUITE_CASE(test_rule_chain_of_overheads),
		SUITE_CASE(test_rule_chain_is_silent),
		CU_TEST_INFO_NULL,
	};

	return suite_run("rule_chain", tests);
}
