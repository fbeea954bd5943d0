/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/run_cores.h"

/*
 * Taken off a core more often than this: ranks are in each other's way. Linux counts sched_yield()
 * among the involuntary switches, and MPIs call it while they wait.
 */
#define FORCED_SWITCHES_PER_S 20.0
#define FORCED_SWITCHES_MIN   10

int run_cores_is_switched(const struct run *r, double switches)
{
	double wall_s = run_number(r, "wall_s", 0);

	return wall_s > 0 && switches >= FORCED_SWITCHES_PER_S * wall_s &&
	       switches >= FORCED_SWITCHES_MIN;
}

void run_cores_mark(const struct run *r, struct trace *t)
{
	const json_t *rows = json_object_get(json_object_get(r->meta, "evidence"), "processes");
	json_t *row;
	size_t i;

	trace_set_cores(t, run_number(r, "cores", 0));
	json_array_foreach((json_t *)rows, i, row) {
		const json_t *which = json_object_get(row, "rank");
		json_int_t rank = json_is_integer(which) ? json_integer_value(which) : -1;
		double n = json_number_value(json_object_get(row, "involuntary_switches"));

		if (rank >= 0 && rank < t->n_ranks)
			t->ranks[rank].taken_off = run_cores_is_switched(r, n);
	}
}
