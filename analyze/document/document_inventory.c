/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What an archive holds, without judging it: the document of contend info. */
#include "analyze/attribution/recording.h"
#include "analyze/document/document.h"
#include "analyze/document/document_parts.h"
#include "analyze/document/events_end.h"

#include <stdlib.h>

struct tally {
	uint32_t region;
	uint64_t calls;
	int64_t ns;
};

static int by_time(const void *pa, const void *pb)
{
	const struct tally *a = pa;
	const struct tally *b = pb;

	if (a->ns != b->ns)
		return a->ns > b->ns ? -1 : 1;
	return a->region < b->region ? -1 : a->region > b->region;
}

/* A record stands for one call, or for all polls of a flood. */
static uint64_t calls_of(const struct trace *t, uint32_t i)
{
	const struct flood *flood = trace_flood(t, &t->calls[i]);

	return flood ? flood->polls : 1;
}

static uint64_t all_calls(const struct trace *t)
{
	uint64_t calls = 0;

	for (uint32_t i = 0; i < t->n_calls; i++)
		calls += calls_of(t, i);
	return calls;
}

/* Every region that was called, most time first. */
static json_t *regions_section(const struct trace *t)
{
	struct tally *tally = calloc(t->n_regions + 1, sizeof(*tally));
	json_t *list;
	uint32_t i;

	if (!tally)
		return NULL;
	for (i = 0; i < t->n_regions; i++)
		tally[i].region = i;
	for (i = 0; i < t->n_calls; i++) {
		tally[t->calls[i].region].calls += calls_of(t, i);
		tally[t->calls[i].region].ns += t->calls[i].leave_ns - t->calls[i].enter_ns;
	}
	qsort(tally, t->n_regions, sizeof(*tally), by_time);
	list = json_array();
	for (i = 0; i < t->n_regions; i++)
		if (tally[i].calls)
			json_array_append_new(
				list, json_pack("{s:o, s:I, s:f}", "name",
						document_text(t->regions[tally[i].region].name),
						"calls", (json_int_t)tally[i].calls, "s",
						(double)tally[i].ns / NS_PER_S));
	free(tally);
	return list;
}

static json_t *comms_section(const struct trace *t)
{
	json_t *list = json_array();
	uint32_t i;

	for (i = 0; i < t->n_comms_defined && !t->assumes_comm; i++)
		json_array_append_new(
			list,
			json_pack("{s:o, s:I}", "name", document_text(t->comms[i].name), "ranks",
				  (json_int_t)(t->comms[i].alone ? 1 : t->comms[i].size)));
	return list;
}

/* How many ranks ran on each node, in node order. */
static json_t *nodes_section(const struct trace *t)
{
	json_t *list = json_array();
	uint32_t node;
	uint32_t r;

	for (node = 0; node < t->nodes; node++) {
		const char *host = NULL;
		json_int_t ranks = 0;

		for (r = 0; r < t->n_ranks; r++)
			if (t->ranks[r].node == node) {
				host = t->ranks[r].host;
				ranks++;
			}
		json_array_append_new(list, json_pack("{s:o, s:I}", "host", document_text(host),
						      "ranks", ranks));
	}
	return list;
}

/* What recording took, where the archive says so; else null. */
static json_t *recording_section(const struct trace *t)
{
	struct recording r;

	if (!recording_of(t, &r))
		return json_null();
	return json_pack("{s:I, s:I, s:I, s:f, s:f, s:f, s:f, s:f, s:f, s:f}", "calls",
			 (json_int_t)r.calls, "polls", (json_int_t)r.polls, "requests",
			 (json_int_t)r.requests, "call_s", r.call_s, "request_s", r.request_s,
			 "poll_s", r.poll_s, "sites_s", r.sites_s, "writing_s", r.writing_s,
			 "aside_s", r.aside_s, "share", r.share);
}

json_t *document_inventory(const struct inventory *v, struct err *err)
{
	const struct trace *t = v->trace;
	const struct analysis a = {
		.run = v->run, .trace = t, .messages = v->messages, .collectives = v->collectives};
	json_t *meta = v->run->meta ? json_incref(v->run->meta) : json_null();
	json_t *document, *totals = events_end_totals(v->run, err);

	if (!totals) {
		json_decref(meta);
		return NULL;
	}
	document = json_pack(
		"{s:s, s:o, s:o, s:{s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I}, s:o, s:{s:I}, "
		"s:o,"
		" s:o, s:o, s:o, s:o}",
		"schema", "contend-info/1", "run", document_run(&a), "recorded", meta, "archive",
		"events", (json_int_t)t->events, "calls", (json_int_t)all_calls(t), "call_records",
		(json_int_t)t->n_calls, "operations", (json_int_t)t->records, "regions",
		(json_int_t)t->n_regions, "call_sites", (json_int_t)t->n_sites, "communicators",
		(json_int_t)(t->assumes_comm ? 0 : t->n_comms_defined), "unread_locations",
		(json_int_t)t->unread_locations, "unread_events", (json_int_t)t->unread_events,
		"messages", document_messages(&a), "collectives", "count",
		(json_int_t)v->collectives->n, "nodes", nodes_section(t), "regions",
		regions_section(t), "communicators", comms_section(t), "only_counted", totals,
		"recording", recording_section(t));
	if (!document)
		err_set(err, "out of memory for the inventory of %u ranks", t->n_ranks);
	return document;
}
