/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/gains/flights.h"

#include "analyze/tools/instants.h"
#include "analyze/tools/sorting.h"

#include <stdlib.h>

int64_t flights_end_ns(const struct trace *t, const struct messages *m, const struct attribution *a,
		       uint32_t i)
{
	const struct message *x = &m->m[i];
	const struct call *send = &t->calls[x->send_call];
	enum region_kind kind = t->regions[send->region].kind;
	int64_t end_ns = x->done_ns;

	if (kind == REGION_SSEND)
		end_ns = earlier(end_ns, send->leave_ns);
	else if (kind == REGION_SEND && send->leave_ns > a->arrival_ns[i])
		end_ns = earlier(end_ns, send->leave_ns); /* held back, or a rendezvous */
	else
		end_ns = earlier(end_ns, a->arrival_ns[i]);
	return end_ns > send->enter_ns ? end_ns : send->enter_ns + 1; /* it did fly */
}

static int by_time(const void *a, const void *b)
{
	const struct flight_edge *x = a, *y = b;

	if (x->ns != y->ns)
		return x->ns < y->ns ? -1 : 1;
	return x->change - y->change;
}

void flights_sort(struct flight_edge *edge, size_t n)
{
	sort(edge, n, sizeof(*edge), by_time);
}

struct flights_focus flights_concentration(const struct flight_edge *edge, size_t n,
					   const uint32_t *dst, uint32_t *counts, uint32_t *levels)
{
	double popular = 0, all = 0, time = 0;
	uint32_t flying = 0, most = 0;

	/*
	 * levels[k]: destinations with k messages in flight, so that the maximum follows in steps
	 */
	for (size_t i = 0; i < n; i++) {
		uint32_t *count = &counts[dst[edge[i].flight]];

		if (i > 0 && flying > 0) {
			double ns = edge[i].ns - edge[i - 1].ns;

			popular += most * ns;
			all += flying * ns;
			time += ns;
		}
		if (*count > 0)
			levels[*count]--;
		*count += edge[i].change;
		flying += edge[i].change;
		if (*count > 0)
			levels[*count]++;
		if (*count > most)
			most = *count;
		while (most > 0 && levels[most] == 0)
			most--;
	}
	return (struct flights_focus){
		.concentration = all > 0 ? popular / all : 0,
		.depth = time > 0 ? popular / time : 0,
	};
}
