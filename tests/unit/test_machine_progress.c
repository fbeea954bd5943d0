/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether large messages move while their ends compute, by what a trace shows of them. */
#include "analyze/machine/machine_fit.h"
#include "tests/fixtures/suite.h"
#include "tests/fixtures/tables.h"

#include <math.h>

#define US     1000LL
#define MS     (1000 * US)
#define BYTES  200000 /* 230 us with its handshake */
#define ROUNDS 20

/*
 * Rank 1 posts and computes for 1 ms; the message, which rank 0 sends meanwhile and waits for, is
 * complete so long after it calls MPI again.
 */
static void receive_late(struct tables *x, int64_t now, int64_t later)
{
	uint32_t post = tables_call(x, 1, REGION_IRECV, now, now + US, 0);
	uint32_t send = tables_call(x, 0, REGION_SEND, now + 5 * US, now + MS + later, 1);
	uint32_t done = tables_call(x, 1, REGION_WAIT, now + MS, now + MS + later, 2);

	tables_message(x, BYTES, send, send, post, done);
}

/* Rank 0 sends and computes for 1 ms, while rank 1 waits so long for it. */
static void send_late(struct tables *x, int64_t now, int64_t later)
{
	uint32_t send = tables_call(x, 0, REGION_ISEND, now, now + US, 0);
	uint32_t done = tables_call(x, 0, REGION_WAIT, now + MS, now + MS + 300 * US, 1);
	uint32_t recv = tables_call(x, 1, REGION_RECV, now, now + later, 2);

	tables_message(x, BYTES, send, done, recv, recv);
}

/* Both post, compute and wait for both. */
static void exchange_late(struct tables *x, int64_t now, int64_t later)
{
	uint32_t post[2], send[2], done[2];

	for (uint32_t r = 0; r < 2; r++) {
		post[r] = tables_call(x, r, REGION_IRECV, now, now + US, 0);
		send[r] = tables_call(x, r, REGION_ISEND, now + US, now + 2 * US, 1);
		done[r] = tables_call(x, r, REGION_WAITALL, now + MS, now + MS + later, 2);
	}
	for (uint32_t r = 0; r < 2; r++)
		tables_message(x, BYTES, send[r], done[r], post[1 - r], done[1 - r]);
}

/* Rounds of that; of every second one with other_later. */
static struct machine_progress find(void (*round)(struct tables *, int64_t, int64_t), int64_t later,
				    int64_t other_later, int rounds)
{
	struct machine m = tables_machine(10e-6, 1e-6, 1e-9, 65536);
	struct machine_progress found;
	struct tables x;
	struct err err;

	tables_init(&x, 2, 1);
	for (int k = 0; k < rounds; k++)
		round(&x, 3 * MS * k, k % 2 ? other_later : later);
	tables_finish(&x);
	CU_ASSERT_FATAL(!machine_find_progress(&x.trace, &x.messages, m.classes, &err));
	found = m.classes[LOCALITY_NETWORK].progress;
	tables_release(&x);
	machine_release(&m);
	return found;
}

static void test_progress_is_seen(void)
{
	CU_ASSERT(find(receive_late, 2 * US, 2 * US, ROUNDS).receiver == 1);
	CU_ASSERT(find(send_late, 300 * US, 300 * US, ROUNDS).sender == 1);
	CU_ASSERT(find(exchange_late, 2 * US, 2 * US, ROUNDS).receiver == 1);
	/* some of them late: contention */
	CU_ASSERT(find(receive_late, 2 * US, 240 * US, ROUNDS).receiver == 1);
}

static void test_progress_is_seen_to_be_missing(void)
{
	CU_ASSERT(find(receive_late, 240 * US, 300 * US, ROUNDS).receiver == 0);
	CU_ASSERT(find(send_late, MS + 240 * US, MS + 300 * US, ROUNDS).sender == 0);
	CU_ASSERT(find(exchange_late, 240 * US, 300 * US, ROUNDS).receiver == 0);
}

static void test_progress_is_not_known(void)
{
	CU_ASSERT(isnan(find(receive_late, 240 * US, 240 * US, 5).receiver));  /* few */
	CU_ASSERT(isnan(find(receive_late, 2 * MS, 2 * MS, ROUNDS).receiver)); /* contended */
	CU_ASSERT(isnan(find(send_late, MS + 2 * MS, MS + 2 * MS, ROUNDS).sender));
	CU_ASSERT(isnan(find(receive_late, 2 * US, 2 * US, ROUNDS).sender)); /* it blocked */
	CU_ASSERT(isnan(find(send_late, 300 * US, 300 * US, ROUNDS).receiver));
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_progress_is_seen),
		SUITE_CASE(test_progress_is_seen_to_be_missing),
		SUITE_CASE(test_progress_is_not_known),
		CU_TEST_INFO_NULL,
	};

	return suite_run("machine_progress", tests);
}
