/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Servers whose clients wait in line. In no rank's time that is more than a partner that comes
 * late, as the server answers one after the other; as contention for its message handler it is
 * known from what requests take longer than of an idle server; of one that had a core whenever it
 * needed it.
 */
#include "analyze/document/document_parts.h"

#include <math.h>
#include <stdio.h>

struct document_queue document_queue(const struct analysis *a)
{
	const struct view *v = &a->attribution->budget;
	double total_s = (double)v->total_ns / NS_PER_S;
	double late_s = (double)v->parts[COST_late_partner].high_ns / NS_PER_S;
	struct document_queue x = {0};

	if (trace_any_lacks_core(a->trace))
		return x;
	for (uint32_t i = 0; a->opinions && i < a->opinions->n && !(x.share > 0); i++) {
		const struct opinion *o = &a->opinions->o[i];

		x.s = opinion_value(&o->measured, "queue_s");
		if (!(x.s > 0) || !(total_s > 0))
			continue;
		x.s = fmin(x.s, late_s);
		x.share = x.s / total_s;
		x.servers = opinion_value(&o->inputs, "P_s");
		x.clients = opinion_value(&o->inputs, "P") - x.servers;
		x.busiest = opinion_value(&o->measured, "busiest");
	}
	return x.share > 0 ? x : (struct document_queue){0};
}

json_t *document_queue_section(const struct document_queue *x)
{
	if (!(x->share > 0))
		return json_null();
	return json_pack("{s:f, s:f, s:I, s:I, s:I}", "s", x->s, "share", x->share, "servers",
			 (json_int_t)x->servers, "clients", (json_int_t)x->clients, "rank",
			 (json_int_t)x->busiest);
}

void document_queue_text(const struct document_queue *x, size_t n, char text[n])
{
	char who[64], share[16];

	if (x->servers > 1)
		snprintf(who, sizeof(who), "the message handlers of %.0f servers", x->servers);
	else
		snprintf(who, sizeof(who), "the message handler of rank %.0f", x->busiest);
	snprintf(text, n,
		 "Requests of %.0f ranks queue for %s for %s of rank time: contention that is "
		 "counted as late partner.",
		 x->clients, who, document_percent(share, x->share));
}
