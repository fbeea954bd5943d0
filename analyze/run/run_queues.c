/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/run/run_queues.h"

#include <string.h>

static double number(const json_t *row, const char *key)
{
	return json_number_value(json_object_get(row, key));
}

static struct rank *rank_of(const json_t *row, const struct trace *t)
{
	const json_t *which = json_object_get(row, "rank");
	json_int_t rank = json_is_integer(which) ? json_integer_value(which) : -1;

	return rank >= 0 && rank < t->n_ranks ? &t->ranks[rank] : NULL;
}

/* A queue's row, if it says something that can be. */
static void take_queue(const json_t *row, const struct trace *t)
{
	const char *queue = json_string_value(json_object_get(row, "queue"));
	struct unexpected x = {.looks = number(row, "looks"),
			       .mean = number(row, "mean"),
			       .most = number(row, "most")};
	struct rank *rank = rank_of(row, t);

	if (rank && queue && !strcmp(queue, "unexpected_messages") && x.looks >= 1 && x.mean >= 0 &&
	    x.most >= x.mean)
		rank->unexpected = x;
}

void run_queues_mark(const struct run *r, struct trace *t)
{
	const json_t *evidence = json_object_get(r->meta, "evidence");
	json_t *row;
	size_t i;

	json_array_foreach(json_object_get(evidence, "processes"), i, row) {
		double ns = number(row, "match_time_ns");
		struct rank *rank = rank_of(row, t);

		if (rank && ns > 0 && ns < 9e18)
			rank->searched_ns = (int64_t)ns;
	}
	json_array_foreach(json_object_get(evidence, "queues"), i, row)
		take_queue(row, t);
}
