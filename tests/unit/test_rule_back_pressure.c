/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/fixtures/findings.h"
#include "tests/fixtures/suite.h"

#include <stdlib.h>
#include <string.h>

#define US       1000
#define ROUNDS   20
#define SENDS    16 /* of a round */
#define ROOM     4  /* messages that the receiver's buffers hold */
#define WORK_NS  (300 * US)
#define SITE     3
#define RECEIVES 4
#define TAKES_NS (40 * US)
#define O_NS     (1 * US)
#define L_NS     (10 * US)
#define G_NS     (3 * US)

/* Whom a round is for, when it asks, and for how many its buffers have room. */
struct receiver {
	uint32_t rank;
	int64_t asks_ns;
	uint32_t room;
};

/*
 * A round: rank 0 sends, the first ones into the receiver's buffers, which that empties after its
 * work. Returns when the last send does; *received_ns: when the last receive does.
 */
static int64_t send_round(struct tables *x, int64_t from_ns, struct receiver to,
			  int64_t *received_ns)
{
	int64_t at = from_ns, asked = to.asks_ns;

	for (uint32_t k = 0; k < SENDS; k++) {
		int64_t left = at + O_NS, done;
		uint32_t send, recv;

		if (k == to.room && left < to.asks_ns + O_NS)
			left = to.asks_ns + O_NS;
		done = (left + L_NS + G_NS > asked ? left + L_NS + G_NS : asked) + O_NS;
		send = tables_call(x, 0, REGION_SEND, at, left, SITE);
		recv = tables_call(x, to.rank, REGION_RECV, asked, done, RECEIVES);
		tables_message(x, 1000, send, send, recv, recv);
		at = left;
		asked = done;
	}
	*received_ns = asked;
	return at;
}

/* All work in each round and wait for each other then. The last rank's work is the longest. */
static void meet(struct tables *x, uint32_t receivers, uint32_t room)
{
	int64_t start = 0;

	tables_init(x, 1 + receivers, 1);
	for (uint32_t round = 0; round < ROUNDS; round++) {
		int64_t enter[3] = {start}, last = start;

		for (uint32_t r = 1; r <= receivers; r++)
			enter[0] = send_round(x, enter[0],
					      (struct receiver){r, start + r * r * WORK_NS, room},
					      &enter[r]);
		enter[0] += WORK_NS;
		for (uint32_t r = 0; r <= receivers; r++)
			last = enter[r] > last ? enter[r] : last;
		start = last + L_NS;
		tables_collective(x, enter, start, 5);
	}
	tables_finish(x);
}

/*
 * Three sends in a row, slow ones, all on their way at the same time; their receiver does nothing
 * but wait for them, one by one or, of receives posted before, for all.
 */
static void burst(struct tables *x, int posted)
{
	const int64_t way_ns = 90 * US;
	int64_t start = 10 * US;

	tables_init(x, 2, 1);
	for (uint32_t round = 0; round < 4 * ROUNDS; round++) {
		int64_t asked = start, last = start + 3 * TAKES_NS + way_ns;
		uint32_t send[3], post[3], all = 0;

		for (uint32_t k = 0; posted && k < 3; k++)
			post[k] = tables_call(x, 1, REGION_IRECV, start - (3 - k) * US,
					      start - (3 - k) * US + US / 2, RECEIVES);
		if (posted)
			all = tables_call(x, 1, REGION_WAITALL, start, last, RECEIVES);
		for (uint32_t k = 0; k < 3; k++) {
			int64_t at = start + k * TAKES_NS, done = at + way_ns;

			send[k] = tables_call(x, 0, REGION_SEND, at, at + TAKES_NS, SITE);
			if (!posted)
				post[k] = tables_call(x, 1, REGION_RECV, asked, done, RECEIVES);
			tables_message(x, 8192, send[k], send[k], post[k], posted ? all : post[k]);
			asked = done;
		}
		start = last + 10 * US;
	}
	tables_finish(x);
}

/*
 * As meet, but all receives are posted before the receiver works; while it does that, messages come
 * already, and MPI does not look at them then.
 */
static void meet_posted(struct tables *x)
{
	int64_t start = 0;

	tables_init(x, 2, 1);
	for (uint32_t round = 0; round < ROUNDS; round++) {
		int64_t at = start, asks = start + WORK_NS;
		int64_t end = asks + SENDS * (O_NS + G_NS) + L_NS, enter[2];
		uint32_t post[SENDS], all;

		for (uint32_t k = 0; k < SENDS; k++)
			post[k] = tables_call(x, 1, REGION_IRECV, start + 2 * k * US,
					      start + (2 * k + 1) * US, RECEIVES);
		all = tables_call(x, 1, REGION_WAITALL, asks, end, RECEIVES + 1);
		for (uint32_t k = 0; k < SENDS; k++) {
			int64_t left = k == ROOM ? asks + O_NS : at + O_NS;
			uint32_t send = tables_call(x, 0, REGION_SEND, at, left, SITE);

			tables_message(x, 1000, send, send, post[k], all);
			at = left;
		}
		enter[0] = at + WORK_NS;
		enter[1] = end;
		start = enter[0] + L_NS;
		tables_collective(x, enter, start, 5);
	}
	tables_finish(x);
}

/* Only the receiver works; nobody waits for the sender. */
static void feed(struct tables *x)
{
	int64_t sent = 0, received = 0;

	tables_init(x, 2, 1);
	for (uint32_t round = 0; round < ROUNDS; round++)
		sent = send_round(x, sent, (struct receiver){1, received + 10 * WORK_NS, ROOM},
				  &received);
	tables_finish(x);
}

static struct machine machine(uint32_t room)
{
	struct machine on = tables_machine(L_NS * 1e-9, O_NS * 1e-9, 1e-9, 65536);

	for (int k = 0; k < LOCALITY_COUNT && room > 0; k++) {
		on.classes[k].n_credits = 1;
		on.classes[k].credits = calloc(1, sizeof(*on.classes[k].credits));
		CU_ASSERT_FATAL(on.classes[k].credits != NULL);
		*on.classes[k].credits = (struct machine_credit){1000, room, room};
	}
	return on;
}

static struct hotspots find(const struct tables *x)
{
	return findings_of(x, machine(ROOM));
}

/* With machine, which is released: so many are found. */
static uint32_t count_in(const struct tables *x, struct machine machine)
{
	struct hotspots h = findings_of(x, machine);
	uint32_t n = findings_count(&h, "back_pressure");

	hotspots_release(&h);
	return n;
}

static void test_rule_back_pressure_names_receiver_and_place(void)
{
	struct tables x, roomy;
	const struct hotspot *found;
	struct hotspots h;
	double gain_s;

	meet(&x, 1, ROOM);
	meet(&roomy, 1, SENDS);
	gain_s = (x.trace.wall_ns - roomy.trace.wall_ns) * 1e-9;
	h = find(&x);
	found = findings_one(&h, "back_pressure");
	CU_ASSERT_FATAL(found != NULL);
	CU_ASSERT_EQUAL(found->rank, 1);
	CU_ASSERT_EQUAL(found->site, SITE);
	CU_ASSERT_EQUAL(findings_evidence(found, "sends"), ROUNDS * SENDS);
	CU_ASSERT(findings_evidence(found, "blocked") >= ROUNDS);
	CU_ASSERT(findings_evidence(found, "blocked") <= ROUNDS * (SENDS - ROOM));
	CU_ASSERT_DOUBLE_EQUAL(findings_evidence(found, "receiver_outside_s"),
			       ROUNDS * WORK_NS * 1e-9, 0.1 * ROUNDS * WORK_NS * 1e-9);
	CU_ASSERT_DOUBLE_EQUAL(found->saves_mid_s, gain_s, 0.1 * gain_s);
	CU_ASSERT(gain_s <= 1.02 * found->saves_high_s);
	CU_ASSERT(strstr(found->advice, "receive in between") != NULL);
	hotspots_release(&h);
	CU_ASSERT_EQUAL(count_in(&roomy, machine(ROOM)), 0);
	tables_release(&roomy);
	tables_release(&x);
}

/* How many its receiver has room for, or whether such sends wait for their receives, is unknown. */
static void test_rule_back_pressure_is_not_likely_unless_known(void)
{
	struct tables x, roomy;
	double gain_s;

	meet(&x, 1, ROOM);
	meet(&roomy, 1, SENDS);
	gain_s = (x.trace.wall_ns - roomy.trace.wall_ns) * 1e-9;
	for (int open = 0; open < 2; open++) {
		struct machine on = machine(open ? ROOM : 0);
		const struct hotspot *found;
		struct hotspots h;

		for (int k = 0; k < LOCALITY_COUNT && open; k++)
			on.classes[k].open_upto = 2000;
		h = findings_of(&x, on);
		found = findings_one(&h, "back_pressure");
		CU_ASSERT_FATAL(found != NULL);
		CU_ASSERT_DOUBLE_EQUAL(found->saves_mid_s, 0, 1e-9);
		CU_ASSERT(gain_s <= 1.02 * found->saves_high_s);
		CU_ASSERT(strstr(found->title, "may wait") != NULL);
		CU_ASSERT(strstr(found->why, "calibrate") != NULL);
		hotspots_release(&h);
	}
	tables_release(&roomy);
	tables_release(&x);
}

/* What is on its way fills no buffers, nor what a receiver that waits in MPI can take. */
static void test_rule_back_pressure_is_none_in_a_burst(void)
{
	for (int posted = 0; posted < 2; posted++) {
		struct tables x;

		burst(&x, posted);
		CU_ASSERT_EQUAL(count_in(&x, machine(0)), 0);
		CU_ASSERT_EQUAL(count_in(&x, machine(1)), 0);
		tables_release(&x);
	}
}

/* Posting them does not help: MPI takes them when it is called. */
static void test_rule_back_pressure_does_not_advise_what_is_done(void)
{
	const struct hotspot *found;
	struct hotspots h;
	struct tables x;

	meet_posted(&x);
	h = find(&x);
	found = findings_one(&h, "back_pressure");
	CU_ASSERT_FATAL(found != NULL);
	CU_ASSERT(strstr(found->advice, "posted they are already") != NULL);
	CU_ASSERT(strstr(found->advice, "MPI_Test") != NULL);
	hotspots_release(&h);
	tables_release(&x);
}

/* A send that returns while its receiver still works waited for something else. */
static void test_rule_back_pressure_needs_a_receiver_that_makes_room(void)
{
	int64_t start = 0;
	struct tables x;

	tables_init(&x, 2, 1);
	for (uint32_t round = 0; round < ROUNDS; round++) {
		int64_t asked = start + SENDS * TAKES_NS, enter[2];

		for (uint32_t k = 0; k < SENDS; k++, start += TAKES_NS, asked += O_NS) {
			uint32_t send =
				tables_call(&x, 0, REGION_SEND, start, start + TAKES_NS - US, SITE);
			uint32_t recv =
				tables_call(&x, 1, REGION_RECV, asked, asked + O_NS, RECEIVES);

			tables_message(&x, 1000, send, send, recv, recv);
		}
		enter[0] = start + WORK_NS;
		enter[1] = asked;
		start = enter[0] + L_NS;
		tables_collective(&x, enter, start, 5);
	}
	tables_finish(&x);
	CU_ASSERT_EQUAL(count_in(&x, machine(0)), 0);
	CU_ASSERT_EQUAL(count_in(&x, machine(1)), 0);
	tables_release(&x);
}

/* A region of that kind. */
static uint32_t region_at(const struct tables *x, enum region_kind kind)
{
	uint32_t k = 0;

	while (x->trace.regions[k].kind != kind)
		k++;
	return k;
}

static void test_rule_back_pressure_asks_of_each_receiver(void)
{
	struct tables x;

	meet(&x, 2, ROOM);
	for (uint32_t named = 0; named <= 2; named++) {
		struct hotspot other = {.kind = "incast", .rank = named, .saves_high_s = 1};
		struct hotspots h = findings_beside(&x, machine(ROOM), rule_back_pressure, &other);
		const struct hotspot *found = findings_one(&h, "back_pressure");

		CU_ASSERT_FATAL(found != NULL);
		CU_ASSERT_EQUAL(findings_evidence(found, "receivers"), named ? 1 : 2);
		CU_ASSERT_EQUAL(found->rank, named ? 3 - named : TRACE_NONE);
		CU_ASSERT_EQUAL(findings_evidence(found, "blocked"), (named ? 1 : 2) * ROUNDS);
		if (!named) {
			CU_ASSERT(strstr(found->why, "their receivers were outside MPI") != NULL);
			CU_ASSERT(strstr(found->why, "rank 2, which blocks longest") != NULL);
			CU_ASSERT(strstr(found->why, "receives them") == NULL);
		}
		hotspots_release(&h);
	}
	tables_release(&x);
}

/* Of other ways to be named, only some explain what messages wait for. */
static void test_rule_back_pressure_is_silenced_by_what_explains_it(void)
{
	struct tables x;

	meet(&x, 1, ROOM);
	for (int k = 0; k < 4; k++) {
		struct hotspot other = {
			.kind = "skew",
			.rank = 1,
			.region = region_at(&x, k == 1 ? REGION_COLLECTIVE : REGION_SEND),
			.saves_high_s = k == 2 ? 0.005 * x.trace.wall_ns * 1e-9 : 1};
		struct hotspots h;

		if (k == 3)
			other.kind = "order";
		h = findings_beside(&x, machine(ROOM), rule_back_pressure, &other);
		CU_ASSERT_EQUAL(findings_count(&h, "back_pressure"), k == 0 ? 0 : 1);
		hotspots_release(&h);
	}
	tables_release(&x);
}

/* Room for more would not let the receiver take them sooner. */
static void test_rule_back_pressure_leaves_a_busy_receiver(void)
{
	struct tables x;

	feed(&x);
	CU_ASSERT_EQUAL(count_in(&x, machine(ROOM)), 0);
	tables_release(&x);
}

static void test_rule_back_pressure_needs_cores(void)
{
	struct tables x;

	meet(&x, 1, ROOM);
	x.trace.ranks[1].taken_off = 1;
	CU_ASSERT_EQUAL(count_in(&x, machine(ROOM)), 0);
	tables_release(&x);
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_rule_back_pressure_names_receiver_and_place),
		SUITE_CASE(test_rule_back_pressure_is_not_likely_unless_known),
		SUITE_CASE(test_rule_back_pressure_is_none_in_a_burst),
		SUITE_CASE(test_rule_back_pressure_does_not_advise_what_is_done),
		SUITE_CASE(test_rule_back_pressure_needs_a_receiver_that_makes_room),
		SUITE_CASE(test_rule_back_pressure_asks_of_each_receiver),
		SUITE_CASE(test_rule_back_pressure_is_silenced_by_what_explains_it),
		SUITE_CASE(test_rule_back_pressure_leaves_a_busy_receiver),
		SUITE_CASE(test_rule_back_pressure_needs_cores),
		CU_TEST_INFO_NULL,
	};

	return suite_run("rule_back_pressure", tests);
}
