/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/sums.h"

#include "tests/unit/suite.h"

struct attribution sums_attribute(const struct tables *x, const struct machine *m)
{
	static const struct clock_quality one_clock;
	struct attribution a;
	struct err err = {""};

	CU_ASSERT_FATAL(attribution_run(&x->trace, &x->messages, &x->collectives, m, &one_clock, &a,
					&err) == 0);
	return a;
}

/* Intervals are around their values, and no part has what the others need at least. */
static int wrong_intervals(const struct view *v)
{
	const struct part *all = &v->contention;
	int64_t least = 0, sum = 0;
	int wrong = all->low_ns > all->ns || all->ns > all->high_ns || all->low_ns < 0;

	for (int c = 0; c < COST_COUNT; c++) {
		least += v->parts[c].low_ns;
		sum += cost_is_contention(c) ? v->parts[c].ns : 0;
		wrong += cost_is_contention(c) && all->low_ns < v->parts[c].low_ns;
		wrong += cost_is_contention(c) && all->high_ns > v->total_ns;
	}
	wrong += all->ns != sum;
	for (int c = 0; c < COST_COUNT; c++) {
		const struct part *p = &v->parts[c];

		wrong += p->low_ns > p->ns || p->ns > p->high_ns || p->low_ns < 0;
		wrong += p->high_ns > v->total_ns - (least - p->low_ns);
	}
	return wrong;
}

int sums_add_up(const struct tables *x, const struct attribution *a)
{
	int64_t blame = 0, part[COST_COUNT] = {0};
	int wrong = 0;

	for (uint32_t i = 0; i < x->messages.n; i++) {
		const struct message *m = &x->messages.m[i];
		int64_t took = m->done_ns - x->trace.calls[m->send_call].enter_ns, sum = 0;

		for (int c = 0; c < COST_COUNT; c++) {
			sum += slices_part(&a->message, i, c);
			part[c] += slices_part(&a->message, i, c);
			wrong += slices_part(&a->message, i, c) < 0;
		}
		wrong += sum != (took > 0 ? took : 0);
		blame += sum;
	}
	wrong += blame != a->blame.total_ns;
	for (uint32_t i = 0; i < x->trace.n_calls; i++) {
		int64_t sum = x->trace.calls[i].enter_ns - x->trace.calls[i].leave_ns;

		for (int c = 0; c < COST_COUNT; c++) {
			sum += slices_part(&a->call, i, c);
			wrong += slices_part(&a->call, i, c) < 0;
		}
		wrong += sum != 0;
	}
	for (int c = 0; c < COST_COUNT; c++)
		wrong += part[c] != a->blame.parts[c].ns;
	wrong += wrong_intervals(&a->blame) + wrong_intervals(&a->budget);
	for (uint32_t r = 0; r < x->trace.n_ranks; r++) {
		int64_t sum = 0;

		for (int c = 0; c < COST_COUNT; c++)
			sum += a->rank_budget[r].parts[c].ns;
		wrong += sum != x->trace.wall_ns || a->rank_budget[r].total_ns != sum;
		wrong += wrong_intervals(&a->rank_budget[r]);
	}
	wrong += a->budget.total_ns != x->trace.wall_ns * x->trace.n_ranks;
	return wrong == 0;
}
