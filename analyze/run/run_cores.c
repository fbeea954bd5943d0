/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/run/run_cores.h"

#include <math.h>

#include "analyze/run/run_processors.h"

/* Without a core for more of the run, each of its threads on average: others are in its way. */
#define AWAITED_SHARE 0.02

/*
 * Where the kernel does not say that: taken off a core more often than this. Linux counts
 * sched_yield() among the involuntary switches, and MPIs call it while they wait.
 */
#define FORCED_SWITCHES_PER_S 20.0
#define FORCED_SWITCHES_MIN   10

static double number(const json_t *process, const char *key)
{
	return json_number_value(json_object_get(process, key));
}

double run_cores_awaited_share(const struct run *r, const json_t *process)
{
	double wall_s = run_number(r, "wall_s", 0);

	if (!json_object_get(process, "core_awaited_ns"))
		return -1;
	return wall_s > 0 ? number(process, "core_awaited_ns") / 1e9 / wall_s : 0;
}

/* How many cores its threads wanted on average: there are as many of them at least. */
static double cores_wanted(double wall_s, const json_t *process)
{
	double wanted_ns = number(process, "core_used_ns") + number(process, "core_awaited_ns");

	return wall_s > 0 ? wanted_ns / 1e9 / wall_s : 0;
}

int run_cores_is_taken(const struct run *r, const json_t *process)
{
	double wall_s = run_number(r, "wall_s", 0), share = run_cores_awaited_share(r, process);
	double switches = number(process, "involuntary_switches");

	if (share >= 0)
		return share >= AWAITED_SHARE * fmax(1, cores_wanted(wall_s, process));
	return wall_s > 0 && switches >= FORCED_SWITCHES_PER_S * wall_s &&
	       switches >= FORCED_SWITCHES_MIN;
}

/* Whom each rank competes with. Returns 0, or -1 with *err set. */
static int mark_crowds(const struct run *r, struct trace *t, struct err *err)
{
	core_groups_release(&t->core_groups);
	for (uint32_t k = 0; k < t->n_ranks; k++)
		t->ranks[k].crowd = 0;
	if (run_processors_mark(r, t, err))
		return -1;
	return trace_set_cores(t, run_number(r, "cores", 0))
		       ? err_set(err, "out of memory for the cores of %u ranks", t->n_ranks)
		       : 0;
}

int run_cores_mark(const struct run *r, struct trace *t, struct err *err)
{
	const json_t *rows = json_object_get(json_object_get(r->meta, "evidence"), "processes");
	double wall_ns = fmax(fmin(run_number(r, "wall_s", 9e9) * 1e9, 9e18), 0);
	json_t *row;
	size_t i;

	if (mark_crowds(r, t, err))
		return -1;
	json_array_foreach((json_t *)rows, i, row) {
		const json_t *which = json_object_get(row, "rank");
		json_int_t rank = json_is_integer(which) ? json_integer_value(which) : -1;
		double awaited_ns = number(row, "core_awaited_ns");
		double used_ns = number(row, "core_used_ns");
		double left = number(row, "voluntary_switches");

		if (rank < 0 || rank >= t->n_ranks)
			continue;
		t->ranks[rank].taken_off = run_cores_is_taken(r, row);
		if (awaited_ns >= 0)
			t->ranks[rank].core_awaited_ns = (int64_t)fmin(awaited_ns, wall_ns);
		if (used_ns >= 0 && used_ns < 9e18)
			t->ranks[rank].core_used_ns = (int64_t)used_ns;
		if (left >= 0 && left < 9e18)
			t->ranks[rank].core_left = (int64_t)left;
	}
	return 0;
}

const struct rank *run_cores_longest_without(const struct trace *t)
{
	const struct rank *longest = t->ranks;

	for (const struct rank *r = longest; r < t->ranks + t->n_ranks; r++)
		if (r->core_awaited_ns > longest->core_awaited_ns)
			longest = r;
	return longest;
}
