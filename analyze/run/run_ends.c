/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/run/run_ends.h"

#include "analyze/run/ending.h"
#include "analyze/tools/instants.h"

/* From this share of the run on it matters that a rank was gone. */
#define GONE 0.1

/* Nobody's run is longer: such a number is damage. */
#define RUN_MAX_S (366.0 * 24 * 3600)

/* When it was last seen alive, by its last call if its end is not known; negative: not known. */
static int64_t alive_ns(const json_t *row)
{
	double s = json_number_value(json_object_get(row, "alive_s"));

	return s > 0 && s < RUN_MAX_S ? (int64_t)(s * 1e9) : -1;
}

/* Since when the rank of this row is gone. A call that it was in is its time until that ends. */
static void mark_gone(const json_t *row, struct trace *t)
{
	const json_t *which = json_object_get(row, "rank");
	json_int_t rank = json_is_integer(which) ? json_integer_value(which) : -1;
	int64_t ns = alive_ns(row);

	if (ns < 0 || rank < 0 || rank >= t->n_ranks)
		return;
	ns = later(ns, t->ranks[rank].end_ns);
	/* what follows a pause that never ended is left out already */
	if (ns < t->wall_ns && !trace_is_unseen_after(t, (uint32_t)rank, t->wall_ns))
		t->ranks[rank].gone_ns = t->wall_ns - ns;
	t->ranks[rank].is_silent = !ending_is_noted(row);
}

void run_ends_mark(const struct run *r, struct trace *t)
{
	const json_t *rows = run_unfinished(r);
	size_t i;

	for (i = 0; i < json_array_size(rows); i++)
		t->wall_ns = later(t->wall_ns, alive_ns(json_array_get(rows, i)));
	for (i = 0; i < json_array_size(rows); i++)
		mark_gone(json_array_get(rows, i), t);
}

uint32_t run_ends_first_gone(const struct trace *t)
{
	uint32_t first = 0;

	for (uint32_t r = 1; r < t->n_ranks; r++)
		if (t->ranks[r].gone_ns > t->ranks[first].gone_ns)
			first = r;
	if (!t->n_ranks || t->ranks[first].gone_ns <= 0 ||
	    (double)t->ranks[first].gone_ns < GONE * (double)t->wall_ns)
		return TRACE_NONE;
	return first;
}
