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
#define O_NS     (1 * US)
#define L_NS     (10 * US)
#define G_NS     (3 * US)

/*
 * A round: rank 0 sends, the first ones into the receiver's buffers, which rank 1 empties after its
 * work. Returns when the last send does; *received_ns: when the last receive does.
 */
static int64_t send_round(struct tables *x, int64_t from_ns, int64_t asks_ns, uint32_t room,
			  int64_t *received_ns)
{
	int64_t at = from_ns, asked = asks_ns;

	for (uint32_t k = 0; k < SENDS; k++) {
		int64_t left = at + O_NS, done;
		uint32_t send, recv;

		if (k == room && left < asks_ns + O_NS)
			left = asks_ns + O_NS;
		done = (left + L_NS + G_NS > asked ? left + L_NS + G_NS : asked) + O_NS;
		send = tables_call(x, 0, REGION_SEND, at, left, SITE);
		recv = tables_call(x, 1, REGION_RECV, asked, done, RECEIVES);
		tables_message(x, 1000, send, send, recv, recv);
		at = left;
		asked = done;
	}
	*received_ns = asked;
	return at;
}

/* Both work in each round and wait for each other then. */
static void meet(struct tables *x, uint32_t room)
{
	int64_t start = 0;

	tables_init(x, 2, 1);
	for (uint32_t round = 0; round < ROUNDS; round++) {
		int64_t enter[2], sent;

		sent = send_round(x, start, start + WORK_NS, room, &enter[1]);
		enter[0] = sent + WORK_NS;
		start = (enter[0] > enter[1] ? enter[0] : enter[1]) + L_NS;
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
		sent = send_round(x, sent, received + 10 * WORK_NS, ROOM, &received);
	tables_finish(x);
}

static struct hotspots find(const struct tables *x)
{
	struct machine on = tables_machine(L_NS * 1e-9, O_NS * 1e-9, 1e-9, 65536);

	for (int k = 0; k < LOCALITY_COUNT; k++) {
		on.classes[k].n_credits = 1;
		on.classes[k].credits = calloc(1, sizeof(*on.classes[k].credits));
		CU_ASSERT_FATAL(on.classes[k].credits != NULL);
		*on.classes[k].credits = (struct machine_credit){1000, ROOM, ROOM};
	}
	return findings_of(x, on);
}

static void test_rule_back_pressure_names_receiver_and_place(void)
{
	struct tables x, roomy;
	const struct hotspot *found;
	struct hotspots h;
	double gain_s;

	meet(&x, ROOM);
	meet(&roomy, SENDS);
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
	hotspots_release(&h);
	h = find(&roomy);
	CU_ASSERT(findings_one(&h, "back_pressure") == NULL);
	hotspots_release(&h);
	tables_release(&roomy);
	tables_release(&x);
}

/* Room for more would not let the receiver take them sooner. */
static void test_rule_back_pressure_leaves_a_busy_receiver(void)
{
	struct hotspots h;
	struct tables x;

	feed(&x);
	h = find(&x);
	CU_ASSERT(findings_one(&h, "back_pressure") == NULL);
	hotspots_release(&h);
	tables_release(&x);
}

static void test_rule_back_pressure_needs_cores(void)
{
	struct hotspots h;
	struct tables x;

	meet(&x, ROOM);
	x.trace.ranks[1].taken_off = 1;
	h = find(&x);
	CU_ASSERT(findings_one(&h, "back_pressure") == NULL);
	hotspots_release(&h);
	tables_release(&x);
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_rule_back_pressure_names_receiver_and_place),
		SUITE_CASE(test_rule_back_pressure_leaves_a_busy_receiver),
		SUITE_CASE(test_rule_back_pressure_needs_cores),
		CU_TEST_INFO_NULL,
	};

	return suite_run("rule_back_pressure", tests);
}
