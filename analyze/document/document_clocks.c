/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How far the clocks of each two nodes may be apart: those that are worst. */
#include "analyze/clock/clock.h"
#include "analyze/document/document_parts.h"

#define PAIRS_MOST 16

struct clock_pair {
	uint32_t from, to;
	int64_t error_ns; /* clock_pair_error_ns() */
};

/* Keep the worst of those before and this one, the worst first. Returns how many. */
static size_t keep(struct clock_pair *worst, size_t n, struct clock_pair p)
{
	size_t k = n < PAIRS_MOST ? n : PAIRS_MOST - 1;

	if (n == PAIRS_MOST && clock_bound_ns(worst[k].error_ns) >= clock_bound_ns(p.error_ns))
		return n;
	for (; k > 0 && clock_bound_ns(worst[k - 1].error_ns) < clock_bound_ns(p.error_ns); k--)
		worst[k] = worst[k - 1];
	worst[k] = p;
	return n < PAIRS_MOST ? n + 1 : n;
}

static const char *host_of(const struct trace *t, uint32_t clock)
{
	for (uint32_t r = 0; r < t->n_ranks; r++)
		if (t->ranks[r].clock == clock && t->ranks[r].host)
			return t->ranks[r].host;
	return "?";
}

json_t *document_clock_pairs(const struct trace *t)
{
	struct clock_pair worst[PAIRS_MOST];
	json_t *list = json_array();
	size_t n = 0;

	for (uint32_t from = 0; t->pair_error_ns && from < t->clocks; from++)
		for (uint32_t to = 0; to < t->clocks; to++) {
			int64_t ns = t->pair_error_ns[(size_t)from * t->clocks + to];

			if (ns != 0) /* without messages it is */
				n = keep(worst, n, (struct clock_pair){from, to, ns});
		}
	for (size_t k = 0; k < n; k++)
		json_array_append_new(
			list, json_pack("{s:o, s:o, s:f, s:b}", "from",
					document_text(host_of(t, worst[k].from)), "to",
					document_text(host_of(t, worst[k].to)), "error_s",
					(double)clock_bound_ns(worst[k].error_ns) / NS_PER_S,
					"shifted", clock_is_moved(worst[k].error_ns)));
	return list;
}
