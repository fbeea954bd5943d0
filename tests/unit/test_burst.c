/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/fixtures/findings.h"
#include "tests/fixtures/suite.h"

#include <string.h>

#define US     1000
#define ROUNDS 20
#define L_NS   (10 * US)
#define O_NS   (1 * US)
#define SITE   3

/* What ranks send to the next one and get from the one before, value by value. */
enum kind_of_rounds {
	KNOWN_VALUES, /* and computes when it has them all */
	ONE_MESSAGE,  /* the same with all values in one */
	COMPUTED,     /* each from those before it */
	ANSWERS,      /* of a pair one answers the other */
	HANDED_ON,    /* from rank to rank, each when it is there */
	IN_TURNS,     /* to one partner and then to another, as sums over all ranks do */
};

#define VALUES 50

/* Both ranks' k-th: a round of so long begins at now. Returns its end. */
static int64_t exchange_value(struct tables *x, uint32_t a, uint32_t b, int64_t now, uint64_t bytes)
{
	const uint32_t pair[] = {a, b};
	int64_t g_ns = 2 * O_NS + (int64_t)bytes, there_ns = now + L_NS + g_ns;
	uint32_t post[2], send[2], wait[2];

	for (uint32_t i = 0; i < 2; i++) {
		post[i] = tables_call(x, pair[i], REGION_IRECV, now, now, 4);
		send[i] = tables_call(x, pair[i], REGION_ISEND, now, now + O_NS, SITE);
		wait[i] = tables_call(x, pair[i], REGION_WAITALL, now + O_NS, there_ns, 5);
	}
	for (uint32_t i = 0; i < 2; i++)
		tables_message(x, bytes, send[i], wait[i], post[!i], wait[!i]);
	return there_ns;
}

/* One value from src to dst, which has waited since since_ns. Returns when it is there. */
static int64_t send_value(struct tables *x, uint32_t src, uint32_t dst, int64_t at,
			  int64_t since_ns)
{
	int64_t there_ns = at + L_NS + 2 * O_NS + 8;
	uint32_t send = tables_call(x, src, REGION_SEND, at, at + O_NS, SITE);
	uint32_t recv = tables_call(x, dst, REGION_RECV, since_ns, there_ns, 4);

	tables_message(x, 8, send, send, recv, recv);
	return there_ns;
}

/* Of values that rank 0 sends and each other rank hands on. */
static int64_t hand_on(struct tables *x, int64_t now)
{
	int64_t free_ns[4] = {now, now, now, now};

	for (uint32_t k = 0; k < VALUES; k++)
		for (uint32_t r = 0; r < 3; r++) {
			int64_t sent_ns = free_ns[r];

			free_ns[r] += O_NS;
			free_ns[r + 1] = send_value(x, r, r + 1, sent_ns, free_ns[r + 1]);
		}
	return free_ns[3];
}

static int64_t one_round(struct tables *x, enum kind_of_rounds kind, int64_t now)
{
	int64_t there_ns;

	if (kind == HANDED_ON)
		return hand_on(x, now);
	if (kind == ONE_MESSAGE) {
		exchange_value(x, 2, 3, now, 8 * VALUES);
		return exchange_value(x, 0, 1, now, 8 * VALUES);
	}
	for (uint32_t k = 0; k < VALUES; k++) {
		if (kind == ANSWERS) {
			there_ns = send_value(x, 0, 1, now, k ? now - L_NS - O_NS - 8 : now);
			now = send_value(x, 1, 0, there_ns, now + O_NS);
			continue;
		}
		exchange_value(x, 2, 3, now, 8);
		now = exchange_value(x, 0, 1, now, 8);
		if (kind == IN_TURNS) {
			exchange_value(x, 1, 3, now, 8);
			now = exchange_value(x, 0, 2, now, 8);
		}
		now += kind == COMPUTED ? L_NS : 0;
	}
	return now;
}

static struct hotspots find_rounds(struct tables *x, enum kind_of_rounds kind)
{
	int64_t now = 0;

	tables_init(x, 4, 1);
	for (uint32_t round = 0; round < ROUNDS; round++)
		now = one_round(x, kind, now) + 500 * US;
	tables_finish(x);
	return findings_of(x, tables_machine(L_NS * 1e-9, O_NS * 1e-9, 1e-9, 65536));
}

/* Each value waits for one that comes meanwhile: one message instead has nothing to wait for. */
static void test_burst_goes_on_across_receives(void)
{
	struct tables many, one;
	struct hotspots h = find_rounds(&many, KNOWN_VALUES), none = find_rounds(&one, ONE_MESSAGE);
	double gain_s = (many.trace.wall_ns - one.trace.wall_ns) * 1e-9;
	const struct hotspot *x = findings_one(&h, "aggregation");

	CU_ASSERT(findings_one(&none, "aggregation") == NULL);
	CU_ASSERT_FATAL(x != NULL);
	CU_ASSERT_EQUAL(findings_evidence(x, "messages_in_a_row"), VALUES);
	CU_ASSERT_EQUAL(findings_evidence(x, "across_receives"), 1);
	CU_ASSERT_EQUAL(x->saves_low_s, 0);
	CU_ASSERT_DOUBLE_EQUAL(x->saves_mid_s, gain_s, 0.05 * gain_s);
	CU_ASSERT(gain_s <= x->saves_high_s && x->saves_high_s <= 1.05 * gain_s);
	CU_ASSERT(strstr(x->advice, "if the later values are known") == x->advice);
	hotspots_release(&none);
	hotspots_release(&h);
	tables_release(&one);
	tables_release(&many);
}

/* What needs what came before it cannot be sent with it. */
static void test_burst_ends_at_answers(void)
{
	for (enum kind_of_rounds kind = COMPUTED; kind <= IN_TURNS; kind++) {
		struct tables x;
		struct hotspots h = find_rounds(&x, kind);
		const struct hotspot *found = findings_one(&h, "aggregation");

		/* Who sends what others only hand on may send it at once. */
		CU_ASSERT(!found ||
			  (kind == HANDED_ON && findings_evidence(found, "across_receives") == 0));
		hotspots_release(&h);
		tables_release(&x);
	}
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_burst_goes_on_across_receives),
		SUITE_CASE(test_burst_ends_at_answers),
		CU_TEST_INFO_NULL,
	};

	return suite_run("burst", tests);
}
