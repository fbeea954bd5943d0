/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "tests/unit/exchange.h"

#define MACHINE tables_machine(10e-6, 1e-6, 1e-9, 4096) /* g(1000) = 3 us, L + g = 13 us */

static const struct clock_quality one_clock;

static struct attribution attribute(const struct tables *x, const struct machine *m)
{
	struct attribution a;
	struct err err = {""};

	CU_ASSERT_FATAL(attribution_run(&x->trace, &x->messages, &x->collectives, m, &one_clock, &a,
					&err) == 0);
	return a;
}

/* Do the parts add up, everywhere and to the nanosecond, inside their intervals? */
static int adds_up(const struct tables *x, const struct attribution *a)
{
	int64_t blame = 0, part[COST_COUNT] = {0};
	int wrong = 0;

	for (uint32_t i = 0; i < x->messages.n; i++) {
		const struct message *m = &x->messages.m[i];
		int64_t took = x->trace.calls[m->recv_done].leave_ns -
			       x->trace.calls[m->send_call].enter_ns,
			sum = 0;

		for (int c = 0; c < COST_COUNT; c++) {
			sum += a->message[i].ns[c];
			part[c] += a->message[i].ns[c];
			wrong += a->message[i].ns[c] < 0;
		}
		wrong += sum != (took > 0 ? took : 0);
		blame += sum;
	}
	wrong += blame != a->blame.total_ns;
	for (uint32_t i = 0; i < x->trace.n_calls; i++) {
		int64_t sum = x->trace.calls[i].enter_ns - x->trace.calls[i].leave_ns;

		for (int c = 0; c < COST_COUNT; c++) {
			sum += a->call_ns[i][c];
			wrong += a->call_ns[i][c] < 0;
		}
		wrong += sum != 0;
	}
	for (int c = 0; c < COST_COUNT; c++) {
		wrong += part[c] != a->blame.parts[c].ns;
		for (int side = 0; side < 2; side++) {
			const struct part *p = side ? &a->budget.parts[c] : &a->blame.parts[c];

			wrong += p->low_ns > p->ns || p->ns > p->high_ns || p->low_ns < 0;
		}
	}
	for (uint32_t r = 0; r < x->trace.n_ranks; r++) {
		int64_t sum = 0;

		for (int c = 0; c < COST_COUNT; c++)
			sum += a->rank_budget[r].parts[c].ns;
		wrong += sum != x->trace.wall_ns || a->rank_budget[r].total_ns != sum;
	}
	wrong += a->budget.total_ns != x->trace.wall_ns * x->trace.n_ranks;
	return wrong == 0;
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
	for (uint32_t k = exchange_draw(&seed, 60); k > 0; k--)
		tables_message(x, 1u << exchange_draw(&seed, 18),
			       call[exchange_draw(&seed, ranks * per_rank)],
			       call[exchange_draw(&seed, ranks * per_rank)],
			       call[exchange_draw(&seed, ranks * per_rank)],
			       call[exchange_draw(&seed, ranks * per_rank)]);
	tables_finish(x);
}

static void test_attribution_adds_up_whatever_the_trace(void)
{
	struct machine m = MACHINE;
	int wrong = 0;

	for (uint64_t seed = 0; seed < 3000; seed++) {
		struct tables x;
		struct attribution a;

		nonsense(&x, seed);
		a = attribute(&x, &m);
		wrong += !adds_up(&x, &a);
		attribution_release(&a);
		tables_release(&x);
	}
	CU_ASSERT_EQUAL(wrong, 0);
	machine_release(&m);
}

int main(void)
{
	CU_pSuite s;

	if (CU_initialize_registry() != CUE_SUCCESS)
		return 1;
	s = CU_add_suite("attribution", NULL, NULL);
	CU_ADD_TEST(s, test_attribution_adds_up_whatever_the_trace);
	CU_basic_run_tests();
	return CU_get_number_of_failures() != 0;
}
