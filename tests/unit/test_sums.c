/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "analyze/hotspots/hotspots.h"
#include "tests/fixtures/exchange.h"
#include "tests/fixtures/suite.h"
#include "tests/fixtures/sums.h"

#define MACHINE tables_machine(10e-6, 1e-6, 1e-9, 4096) /* g(1000) = 3 us, L + g = 13 us */

/* The newest message was seen to complete within its call. */
static void date(struct tables *x, uint64_t *seed)
{
	struct message *m = &x->messages.m[x->messages.n - 1];
	const struct call *c = &x->trace.calls[m->recv_done];

	m->done_ns = c->enter_ns + exchange_draw(seed, c->leave_ns - c->enter_ns + 1);
}

/* Any calls in any order, joined at random: nonsense must add up as well. */
static void nonsense(struct tables *x, uint64_t seed)
{
	uint32_t ranks = 2 + exchange_draw(&seed, 5), per_rank = 1 + exchange_draw(&seed, 30);
	uint32_t call[7 * 31];

	tables_init(x, ranks, 1 + exchange_draw(&seed, 2));
	for (uint32_t r = 0; r < ranks; r++) {
		int64_t at = exchange_draw(&seed, 5000);

		for (uint32_t k = 0; k < per_rank; k++) {
			int64_t leave = at + exchange_draw(&seed, 20000);

			call[r * per_rank + k] = tables_call(
				x, r, exchange_draw(&seed, REGION_FINALIZE + 1), at, leave, 0);
			at = leave - exchange_draw(&seed, 300) + exchange_draw(&seed, 9000);
		}
	}
	for (uint32_t k = exchange_draw(&seed, 60); k > 0; k--) {
		/* of any two ranks, but of each its own calls: hands share the work by ranks */
		const uint32_t *src = call + exchange_draw(&seed, ranks) * per_rank;
		const uint32_t *dst = call + exchange_draw(&seed, ranks) * per_rank;

		tables_message(x, 1u << exchange_draw(&seed, 18),
			       src[exchange_draw(&seed, per_rank)],
			       src[exchange_draw(&seed, per_rank)],
			       dst[exchange_draw(&seed, per_rank)],
			       dst[exchange_draw(&seed, per_rank)]);
		if (exchange_draw(&seed, 3) == 0)
			date(x, &seed);
	}
	tables_finish(x);
}

static void test_sums_adds_up_whatever_the_trace(void)
{
	struct machine m = MACHINE;
	int wrong = 0;

	for (uint64_t seed = 0; seed < 3000; seed++) {
		struct tables x;
		struct attribution a;

		nonsense(&x, seed);
		a = sums_attribute(&x, &m);
		wrong += !sums_add_up(&x, &a);
		attribution_release(&a);
		tables_release(&x);
	}
	CU_ASSERT_EQUAL(wrong, 0);
	machine_release(&m);
}

/* The same without parameters given, and on to the hotspots. */
static void test_sums_all_the_way_whatever_the_trace(void)
{
	int wrong = 0;

	for (uint64_t seed = 5000; seed < 7000; seed++) {
		struct attribution a;
		struct hotspots h;
		struct machine m;
		struct tables x;
		struct evidence_base base = {.t = &x.trace,
					     .m = &x.messages,
					     .c = &x.collectives,
					     .machine = &m,
					     .a = &a};
		struct err err;

		nonsense(&x, seed);
		CU_ASSERT_FATAL(machine_from_trace(&x.trace, &x.messages, &m, &err) == 0);
		a = sums_attribute(&x, &m);
		wrong += !sums_add_up(&x, &a);
		CU_ASSERT_FATAL(!evidence_find(&base, &err) && !hotspots_find(&base, &h, &err));
		evidence_release(&base);
		for (uint32_t i = 0; i < h.n; i++)
			wrong += !(h.h[i].saves_low_s >= 0 &&
				   h.h[i].saves_low_s <= h.h[i].saves_mid_s &&
				   h.h[i].saves_mid_s <= h.h[i].saves_high_s);
		hotspots_release(&h);
		attribution_release(&a);
		machine_release(&m);
		tables_release(&x);
	}
	CU_ASSERT_EQUAL(wrong, 0);
}

static int by_ns(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;

	return x[0] != y[0] ? (x[0] > y[0]) - (x[0] < y[0]) : (x[1] > y[1]) - (x[1] < y[1]);
}

/* Little: the integral of the number arrived and not yet handled is the sum of the waits. */
static void test_sums_obeys_littles_law(void)
{
	struct machine m = MACHINE;

	for (uint64_t seed = 0; seed < 200; seed++) {
		int64_t(*edge)[2], waits = 0, integral = 0, queue = 0;
		struct attribution a;
		struct tables x;
		size_t n;

		nonsense(&x, seed);
		a = sums_attribute(&x, &m);
		n = x.messages.n;
		edge = calloc(2 * n + 1, sizeof(*edge));
		for (uint32_t i = 0; i < n; i++) {
			const struct message *msg = &x.messages.m[i];
			int64_t sent = x.trace.calls[msg->send_call].enter_ns;
			int64_t done = msg->done_ns, after = 0;

			done = done > sent ? done : sent;
			for (int c = 0; c < COST_COUNT; c++)
				after += slices_part(&a.message, i, c);
			CU_ASSERT(a.arrival_ns[i] >= sent && a.arrival_ns[i] <= done);
			CU_ASSERT_EQUAL(after, done - sent);
			waits += done - a.arrival_ns[i];
			memcpy(edge[2 * i], (int64_t[]){a.arrival_ns[i], 1}, sizeof(*edge));
			memcpy(edge[2 * i + 1], (int64_t[]){done, -1}, sizeof(*edge));
		}
		qsort(edge, 2 * n, sizeof(*edge), by_ns);
		for (size_t k = 0; k + 1 < 2 * n; k++) {
			queue += edge[k][1];
			integral += queue * (edge[k + 1][0] - edge[k][0]);
		}
		CU_ASSERT_EQUAL(integral, waits);
		free(edge);
		attribution_release(&a);
		tables_release(&x);
	}
	machine_release(&m);
}

/* Of a rank whose recording began with a pause its MPI_Init is no part of the budget. */
static void test_sums_leave_out_what_is_before_the_recording(void)
{
	struct op pause[] = {{.kind = OP_PAUSE}, {.kind = OP_RESUME, .time_ns = 7000}};
	struct machine m = tables_machine(1e-6, 1e-7, 1e-9, UINT64_MAX);
	struct attribution a;
	struct tables x;

	tables_init(&x, 2, 1);
	for (uint32_t r = 0; r < 2; r++) {
		tables_call(&x, r, REGION_INIT, 0, 5000, 0);
		tables_call(&x, r, REGION_MPI_LOCAL, 8000, 8100, 0);
		tables_call(&x, r, REGION_FINALIZE, 9000, 10000, 0);
	}
	x.trace.ops = pause;
	x.trace.n_ops = x.trace.ranks[0].ops = 2;
	tables_finish(&x);
	a = sums_attribute(&x, &m);
	CU_ASSERT_EQUAL(a.rank_budget[0].total_ns, 3000);
	CU_ASSERT_EQUAL(a.rank_budget[0].parts[COST_send_overhead].ns, 100);
	CU_ASSERT_EQUAL(a.rank_budget[0].parts[COST_start_end].ns, 1000);
	CU_ASSERT_EQUAL(a.rank_budget[0].parts[COST_compute].ns, 1900);
	CU_ASSERT_EQUAL(a.rank_budget[1].parts[COST_start_end].ns, 6000);
	CU_ASSERT_EQUAL(a.rank_budget[1].parts[COST_compute].ns, 3900);
	attribution_release(&a);
	x.trace.ops = NULL;
	tables_release(&x);
	machine_release(&m);
}

int main(void)
{
	CU_TestInfo cases[] = {
		SUITE_CASE(test_sums_adds_up_whatever_the_trace),
		SUITE_CASE(test_sums_all_the_way_whatever_the_trace),
		SUITE_CASE(test_sums_obeys_littles_law),
		SUITE_CASE(test_sums_leave_out_what_is_before_the_recording),
		CU_TEST_INFO_NULL,
	};

	return suite_run("sums", cases);
}
