/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/run_queues.h"

static struct rank *rank_of(const json_t *row, const struct trace *t)
{
	const json_t *which = json_object_get(row, "rank");
	json_int_t rank = json_is_integer(which) ? json_integer_value(which) : -1;

	return rank >= 0 && rank < t->n_ranks ? &t->ranks[rank] : NULL;
}

void run_queues_mark(const struct run *r, struct trace *t)
{
	const json_t *evidence = json_object_get(r->meta, "evidence");
	json_t *row;
	size_t i;

	json_array_foreach(json_object_get(evidence, "processes"), i, row) {
		double ns = json_number_value(json_object_get(row, "match_time_ns"));
		struct rank *rank = rank_of(row, t);

		if (rank && ns > 0 && ns < 9e18)
			rank->searched_ns = (int64_t)ns;
	}
}
