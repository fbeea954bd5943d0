/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which calls of the program cost what: the trace's calls added up by call site.
 */
#include "analyze/document/document_parts.h"

#include <stdlib.h>
#include <string.h>

#define ROWS_MAX 200

struct row {
	uint32_t site;
	uint32_t region;
	uint64_t calls;
	int64_t ns;
	int64_t cost_ns[COST_COUNT];
};

/* The text up to the end of its line or frame. Returns a new reference. */
static json_t *piece(const char *text, const char *end)
{
	char *copy = strndup(text, strcspn(text, end));
	json_t *made = copy ? document_text(copy) : NULL;

	free(copy);
	return made;
}

/* The functions that led there, or where each of them called; null: not known. A new reference. */
static json_t *callers(const struct site *s, int lines)
{
	json_t *list;

	if (!s->callers)
		return json_null();
	list = json_array();
	for (const char *at = s->callers; *at; at += strcspn(at, "\n") + 1) {
		const char *line = at + strcspn(at, "\t\n");

		if (!lines)
			json_array_append_new(list, piece(at, "\t\n"));
		else
			json_array_append_new(list,
					      *line == '\t' ? piece(line + 1, "\n") : json_null());
	}
	return list;
}

json_t *document_callsite(const struct trace *t, uint32_t site, uint32_t region)
{
	static const struct site unknown;
	const struct site *s = site == TRACE_NONE ? &unknown : &t->sites[site];

	return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:I, s:f}", "file",
			 document_text(s->file), "line",
			 s->line ? json_integer(s->line) : json_null(), "function",
			 document_text(s->function), "mpi",
			 document_text(region == TRACE_NONE ? NULL : t->regions[region].name),
			 "address", s->path ? piece(s->path + s->frame, ";") : json_null(),
			 "callers", callers(s, 0), "caller_lines", callers(s, 1), "paths",
			 (json_int_t)s->paths, "path_share", s->share);
}

static int by_cost(const void *pa, const void *pb)
{
	const struct row *a = pa;
	const struct row *b = pb;

	if (a->ns != b->ns)
		return a->ns > b->ns ? -1 : 1;
	if (a->region != b->region)
		return a->region < b->region ? -1 : 1;
	return a->site < b->site ? -1 : a->site > b->site;
}

/* Calls with a site go to that site's row, the others to their region's. */
static void add_calls(const struct analysis *a, struct row *rows)
{
	const struct trace *t = a->trace;
	uint32_t i;

	for (i = 0; i < t->n_calls; i++) {
		const struct call *call = &t->calls[i];
		const struct flood *flood = trace_flood(t, call);
		struct row *row = &rows[trace_place(t, i)];
		int64_t between_ns; /* a flood's polls: the program's own, as in the budget */

		if (trace_is_left_out(t, call->rank) || trace_is_before_recording(t, i))
			continue; /* its MPI_Init: no part of the time that shares are of */
		row->site = call->site;
		row->region = call->region;
		/* As in contend info: each poll of a flood was a call. */
		row->calls += flood ? flood->polls : 1;
		between_ns = flood ? slices_part(&a->attribution->call, i, COST_compute) : 0;
		row->ns += call->leave_ns - call->enter_ns - between_ns;
		slices_add(&a->attribution->call, i, row->cost_ns);
		row->cost_ns[COST_compute] -= between_ns;
	}
}

/* Leave out what was not called; returns how many are left. */
static size_t keep_called(struct row *rows, size_t n)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++)
		if (rows[i].calls)
			rows[kept++] = rows[i];
	return kept;
}

static json_t *row_section(const struct analysis *a, const struct row *row)
{
	int64_t contention_ns = 0;
	json_t *parts = json_object();
	int c;

	for (c = 0; c < COST_COUNT; c++) {
		if (cost_is_contention(c))
			contention_ns += row->cost_ns[c];
		if (row->cost_ns[c])
			json_object_set_new(parts, cost_rows[c].name,
					    json_real((double)row->cost_ns[c] / NS_PER_S));
	}
	return json_pack("{s:o, s:I, s:f, s:f, s:f, s:o}", "callsite",
			 document_callsite(a->trace, row->site, row->region), "calls",
			 (json_int_t)row->calls, "s", (double)row->ns / NS_PER_S, "share",
			 document_share(row->ns, a->attribution->budget.total_ns), "contention_s",
			 (double)contention_ns / NS_PER_S, "parts", parts);
}

json_t *document_callsites(const struct analysis *a)
{
	size_t n = trace_places(a->trace);
	struct row *rows;
	json_t *table;
	size_t i;

	rows = calloc(n ? n : 1, sizeof(*rows));
	if (!rows)
		return NULL;
	add_calls(a, rows);
	n = keep_called(rows, n);
	qsort(rows, n, sizeof(*rows), by_cost);
	table = json_array();
	for (i = 0; i < n && i < ROWS_MAX; i++)
		json_array_append_new(table, row_section(a, &rows[i]));
	free(rows);
	return table;
}
