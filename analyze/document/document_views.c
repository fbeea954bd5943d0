/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/document/document_parts.h"

#include <stdlib.h>

json_t *document_view(const struct view *v)
{
	json_t *parts = json_object();
	int c;

	for (c = 0; c < COST_COUNT; c++) {
		const struct part *p = &v->parts[c];

		json_object_set_new(parts, cost_rows[c].name,
				    json_pack("{s:f, s:f, s:f, s:f}", "s", (double)p->ns / NS_PER_S,
					      "share", document_share(p->ns, v->total_ns), "low_s",
					      (double)p->low_ns / NS_PER_S, "high_s",
					      (double)p->high_ns / NS_PER_S));
	}
	return json_pack("{s:f, s:o}", "total_s", (double)v->total_ns / NS_PER_S, "parts", parts);
}

json_t *document_blame(const struct analysis *a)
{
	json_t *view = document_view(&a->attribution->blame);
	uint32_t n = a->messages->n;
	double total_s = (double)a->attribution->blame.total_ns / NS_PER_S;

	json_object_set_new(view, "messages", json_integer(n));
	json_object_set_new(view, "mean_s", json_real(n ? total_s / n : 0.0));
	return view;
}

static int64_t contention_ns(const struct view *v)
{
	int64_t sum = 0;
	int c;

	for (c = 0; c < COST_COUNT; c++)
		if (cost_is_contention(c))
			sum += v->parts[c].ns;
	return sum;
}

static int64_t compute_ns(const struct view *v)
{
	return v->parts[COST_compute].ns;
}

static int64_t files_ns(const struct view *v)
{
	return v->parts[COST_file_access].ns;
}

json_t *document_ranks(const struct analysis *a)
{
	json_t *ranks = json_array();
	uint32_t r;
	int c;

	for (r = 0; r < a->trace->n_ranks; r++) {
		const struct view *v = &a->attribution->rank_budget[r];
		json_t *parts = json_object();

		for (c = 0; c < COST_COUNT; c++)
			if (v->parts[c].ns)
				json_object_set_new(parts, cost_rows[c].name,
						    json_real((double)v->parts[c].ns / NS_PER_S));
		json_array_append_new(
			ranks,
			json_pack("{s:I, s:o, s:I, s:f, s:f, s:I, s:f, s:f, s:f, s:o}", "rank",
				  (json_int_t)r, "host", document_text(a->trace->ranks[r].host),
				  "node",
				  a->trace->ranks[r].absent ? (json_int_t)-1
							    : (json_int_t)a->trace->ranks[r].node,
				  "wall_s", (double)a->trace->wall_ns / NS_PER_S, "recorded_s",
				  (double)v->total_ns / NS_PER_S, "calls",
				  (json_int_t)a->trace->ranks[r].calls, "communication_s",
				  (double)view_communication_ns(v) / NS_PER_S, "contention_s",
				  (double)contention_ns(v) / NS_PER_S, "wait_caused_s",
				  (double)a->attribution->wait_caused_ns[r] / NS_PER_S, "parts",
				  parts));
	}
	return ranks;
}

struct ranked {
	int64_t ns;
	uint32_t rank;
};

static int by_ns(const void *pa, const void *pb)
{
	const struct ranked *a = pa;
	const struct ranked *b = pb;

	if (a->ns != b->ns)
		return a->ns < b->ns ? -1 : 1;
	return a->rank < b->rank ? -1 : a->rank > b->rank;
}

/* Extremes and median over the ranks that were recorded of what value() says; sorts r. */
static json_t *spread_row(const struct analysis *a, int64_t (*value)(const struct view *v),
			  struct ranked *r)
{
	uint32_t n = 0;
	uint32_t i;

	for (i = 0; i < a->trace->n_ranks; i++)
		if (!trace_is_left_out(a->trace, i))
			r[n++] = (struct ranked){value(&a->attribution->rank_budget[i]), i};
	qsort(r, n, sizeof(*r), by_ns);
	return json_pack("{s:f, s:f, s:f, s:I, s:I}", "min_s", (double)r[0].ns / NS_PER_S,
			 "median_s", (double)(r[(n - 1) / 2].ns + r[n / 2].ns) / 2.0 / NS_PER_S,
			 "max_s", (double)r[n - 1].ns / NS_PER_S, "min_rank", (json_int_t)r[0].rank,
			 "max_rank", (json_int_t)r[n - 1].rank);
}

json_t *document_spread(const struct analysis *a)
{
	struct ranked *r;
	json_t *spread;

	if (document_left_out(a) == a->trace->n_ranks)
		return json_object();
	r = calloc(a->trace->n_ranks, sizeof(*r));
	if (!r)
		return NULL;
	spread = json_pack("{s:o, s:o, s:o}", "compute", spread_row(a, compute_ns, r),
			   "communication", spread_row(a, view_communication_ns, r), "contention",
			   spread_row(a, contention_ns, r));
	if (files_ns(&a->attribution->budget))
		json_object_set_new(spread, "file_access", spread_row(a, files_ns, r));
	free(r);
	return spread;
}
