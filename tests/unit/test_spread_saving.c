/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>

#include "tests/fixtures/findings.h"
#include "tests/fixtures/suite.h"

#define US       1000
#define RANKS    12
#define HOT      8 /* whom all send to */
#define ROUNDS   20
#define ROUND_US 1000
#define TAKEN_US 600 /* of that until the last message there was taken */
#define BYTES    20000

/*
 * Every round each rank sends 20 kB, 32 us, to one and to the next one, and waits for both sends
 * and what it is sent; so for as long as that one needs for all of them.
 */
static struct tables crowd(void)
{
	struct tables x;

	tables_init(&x, RANKS, 1);
	for (int64_t k = 0; k < ROUNDS; k++) {
		int64_t at = k * ROUND_US * US;
		uint32_t post[RANKS], send[RANKS], to_hot[RANKS], wait[RANKS];

		for (uint32_t r = 0; r < RANKS; r++) {
			post[r] = tables_call(&x, r, REGION_IRECV, at, at + US, 1);
			send[r] = tables_call(&x, r, REGION_ISEND, at + US, at + 2 * US, 2);
			to_hot[r] = tables_call(&x, r, REGION_ISEND, at + 2 * US, at + 3 * US, 3);
			wait[r] = tables_call(&x, r, REGION_WAITALL, at + 3 * US,
					      at + TAKEN_US * US, 4);
		}
		for (uint32_t r = 0; r < RANKS; r++) {
			uint32_t next = (r + 1) % RANKS;

			tables_message(&x, BYTES, send[r], wait[r], post[next], wait[next]);
			if (r != HOT)
				tables_message(&x, BYTES, to_hot[r], wait[r], post[HOT], wait[HOT]);
		}
	}
	tables_finish(&x);
	return x;
}

/*
 * What spreading saves at most. Even the fastest may have waited; where sends wait for their
 * receives, or that is open.
 */
static double most_s(int open)
{
	struct machine m = tables_machine(10e-6, 1e-6, 1e-9, open ? 65536 : 1000);
	struct machine_class *c = &m.classes[LOCALITY_NETWORK];
	struct tables x = crowd();
	const struct hotspot *found;
	struct hotspots h;
	double s;

	m.source = MACHINE_SELF_CALIBRATED;
	c->more = calloc(c->n, sizeof(*c->more));
	CU_ASSERT_FATAL(c->more != NULL);
	for (uint32_t k = 0; k < c->n; k++)
		c->more[k] = (struct plogp_point){c->points[k].bytes, 0, 0, 400e-6};
	c->eager_assumed = open;
	c->open_upto = open ? UINT64_MAX : 0;
	h = findings_of(&x, m);
	found = findings_one(&h, "incast");
	CU_ASSERT_FATAL(found != NULL);
	CU_ASSERT_EQUAL(found->rank, HOT);
	s = found->saves_high_s;
	hotspots_release(&h);
	tables_release(&x);
	return s;
}

/*
 * Sent two and two, all are there within 70 us. That the other messages that a call took in came
 * as late as it ended nothing shows: it waited for what its rank sent to the one.
 */
static void test_spread_saving_is_no_less_than_what_others_wait_for(void)
{
	for (int open = 0; open < 2; open++)
		CU_ASSERT(most_s(open) >= ROUNDS * (TAKEN_US - 70) * 1e-6);
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_spread_saving_is_no_less_than_what_others_wait_for),
		CU_TEST_INFO_NULL,
	};

	return suite_run("spread_saving", tests);
}
