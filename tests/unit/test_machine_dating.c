/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which arrivals a trace dates, and what bursts of them say of a port. */
#include "analyze/machine/machine.h"
#include "tests/fixtures/suite.h"
#include "tests/fixtures/sums.h"

#define US   1000
#define FROM 6 /* ranks that send to the last one */

/*
 * Small messages alone take 5 us, 3 of them their handling. Now and then six come at once to a rank
 * that waits for the first and takes the others with calls of took_ns, each after computing for
 * apart_ns.
 */
static struct machine machine_of(int64_t took_ns, int64_t apart_ns)
{
	struct machine m;
	struct tables x;
	struct err err;

	tables_init(&x, FROM + 1, 1);
	for (int k = 0; k < 20; k++) {
		int64_t at = 100 * US + k * 1000 * US, now = at - US;
		uint32_t s = tables_call(&x, 0, REGION_ISEND, at + 500 * US, at + 500 * US, 0);
		uint32_t r = tables_call(&x, FROM, REGION_RECV, at + 490 * US, at + 505 * US, 1);

		tables_message(&x, 10, s, s, r, r);
		for (uint32_t from = 0; from < FROM; from++) {
			int64_t done = from == 0 ? at + 5 * US : now + took_ns;

			s = tables_call(&x, from, REGION_ISEND, at, at, 0);
			r = tables_call(&x, FROM, REGION_RECV, now, done, 1);
			tables_message(&x, 10, s, s, r, r);
			now = done + apart_ns;
		}
	}
	tables_finish(&x);
	CU_ASSERT_FATAL(machine_from_trace(&x.trace, &x.messages, &m, &err) == 0);
	CU_ASSERT_EQUAL_FATAL(m.classes[LOCALITY_NETWORK].n, 1);
	tables_release(&x);
	return m;
}

/* They were there: their pace is the receiver's, which computes. */
static void test_machine_dating_takes_no_port_from_a_receiver_that_computes(void)
{
	struct machine m = machine_of(3 * US, 9 * US);

	CU_ASSERT(m.classes[LOCALITY_NETWORK].joint & MACHINE_JOINT_L_G);
	CU_ASSERT(m.classes[LOCALITY_NETWORK].points[0].g_s <= 5e-6);
	machine_release(&m);
}

static CU_TestInfo tests[] = {
	SUITE_CASE(test_machine_dating_takes_no_port_from_a_receiver_that_computes),
	CU_TEST_INFO_NULL,
};

int main(void)
{
	return suite_run("machine_dating", tests);
}
