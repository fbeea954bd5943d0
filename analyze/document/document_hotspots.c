/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/document/document_parts.h"

#include <math.h>
#include <stdio.h>

static const char *const severity_names[] = {
	[SEVERITY_LOW] = "low",
	[SEVERITY_MEDIUM] = "medium",
	[SEVERITY_HIGH] = "high",
};

static json_t *three(double low, double mid, double high)
{
	return json_pack("[o, o, o]", document_real(low), document_real(mid), document_real(high));
}

/* Which rank should run where rank i does now. */
static json_t *order_section(const struct hotspot *h)
{
	json_t *list = json_array();
	uint32_t i;

	for (i = 0; i < h->n_order; i++)
		json_array_append_new(list, json_integer(h->order[i]));
	return list;
}

static json_t *hotspot_section(const struct trace *t, const struct hotspot *h)
{
	double wall_s = t->wall_ns > 0 ? (double)t->wall_ns / NS_PER_S : INFINITY;
	json_t *evidence = json_object(), *section;
	uint32_t i;

	for (i = 0; i < h->n_evidence; i++)
		json_object_set_new(evidence, h->evidence[i].key,
				    document_real(h->evidence[i].value));
	section = json_pack(
		"{s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "kind", h->kind, "severity",
		severity_names[h->severity], "title", document_text(h->title), "why",
		document_text(h->why), "callsite", document_callsite(t, h->site, h->region), "rank",
		h->rank == TRACE_NONE ? json_null() : json_integer(h->rank), "saves_s",
		three(h->saves_low_s, h->saves_mid_s, h->saves_high_s), "saves_share",
		three(h->saves_low_s / wall_s, h->saves_mid_s / wall_s, h->saves_high_s / wall_s),
		"evidence", evidence, "advice", document_text(h->advice));
	if (h->order)
		json_object_set_new(section, "order", order_section(h));
	if (h->same_sends_as != TRACE_NONE)
		json_object_set_new(section, "same_sends_as", json_integer(h->same_sends_as));
	return section;
}

json_t *document_hotspots(const struct analysis *a)
{
	json_t *list = json_array();
	uint32_t i;

	for (i = 0; i < a->hotspots->n; i++)
		json_array_append_new(list, hotspot_section(a->trace, &a->hotspots->h[i]));
	return list;
}

json_t *document_unjudged(const struct analysis *a)
{
	json_t *list = json_array();

	for (uint32_t i = 0; i < a->hotspots->n_unjudged; i++)
		json_array_append_new(list,
				      json_pack("{s:s, s:s}", "kind", a->hotspots->unjudged[i].kind,
						"unknown", a->hotspots->unjudged[i].unknown));
	return list;
}

#define FAR_MORE 1.25
#define MATTERS  0.02 /* of wall time, likely */

void document_held_text(const struct analysis *a, double most, size_t n, char text[n])
{
	double wall_s = (double)a->trace->wall_ns / NS_PER_S, s = 0;

	text[0] = '\0';
	for (uint32_t k = 0; a->hotspots && k < a->hotspots->n; k++) {
		const struct hotspot *h = &a->hotspots->h[k];

		if (h->is_contention && h->saves_mid_s >= MATTERS * wall_s)
			s = fmax(s, h->saves_high_s);
	}
	if (s > FAR_MORE * most * wall_s)
		snprintf(text, n,
			 "Contention makes others wait, too: at most %.0f %% of the run's time "
			 "could "
			 "be saved (HOTSPOTS).",
			 100 * s / wall_s);
}
