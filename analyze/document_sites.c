/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which calls of the program cost what: the trace's calls added up by MPI function
 * and source line. Two call paths that end in the same line are one row here.
 */
#include "analyze/document_parts.h"

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

/* The innermost recorded frame: up to the first ';'. Returns a new reference. */
static json_t *first_frame(const char *path)
{
	char *copy;
	json_t *text;

	if (!path)
		return json_null();
	copy = strndup(path, strcspn(path, ";"));
	if (!copy)
		return NULL;
	text = document_text(copy);
	free(copy);
	return text;
}

json_t *document_callsite(const struct trace *t, uint32_t site, uint32_t region)
{
	static const struct site unknown;
	const struct site *s = site == TRACE_NONE ? &unknown : &t->sites[site];

	return json_pack("{s:o, s:o, s:o, s:o, s:o}", "file", document_text(s->file), "line",
			 s->line ? json_integer(s->line) : json_null(), "function",
			 document_text(s->function), "mpi",
			 document_text(region == TRACE_NONE ? NULL : t->regions[region].name),
			 "address", first_frame(s->path));
}

static int compare_text(const char *a, const char *b)
{
	if (!a || !b)
		return !a && !b ? 0 : a ? -1 : 1;
	return strcmp(a, b);
}

/* Same MPI function and same place; unresolved sites are told apart by their address. */
static int compare_places(const struct trace *t, const struct row *a, const struct row *b)
{
	static const struct site unknown;
	const struct site *sa = a->site == TRACE_NONE ? &unknown : &t->sites[a->site];
	const struct site *sb = b->site == TRACE_NONE ? &unknown : &t->sites[b->site];
	int order;

	if (a->region != b->region)
		return a->region < b->region ? -1 : 1;
	order = compare_text(sa->file, sb->file);
	if (!order && sa->line != sb->line)
		order = sa->line < sb->line ? -1 : 1;
	if (!order)
		order = compare_text(sa->function, sb->function);
	if (!order && !sa->file)
		order = compare_text(sa->path, sb->path);
	return order;
}

static int by_place(const void *a, const void *b, void *trace)
{
	return compare_places(trace, a, b);
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
		struct row *row = call->site == TRACE_NONE ? &rows[t->n_sites + call->region]
							   : &rows[call->site];

		if (trace_is_left_out(t, call->rank))
			continue; /* its MPI_Init: no part of the time that shares are of */
		row->site = call->site;
		row->region = call->region;
		/* As in contend info: each poll of a flood was a call. */
		row->calls += call->flood == TRACE_NONE ? 1 : t->floods[call->flood].polls;
		row->ns += call->leave_ns - call->enter_ns;
		slices_add(&a->attribution->call, i, row->cost_ns);
	}
}

/* Sort by place and fold equal ones together; returns how many are left. */
static size_t fold(const struct trace *t, struct row *rows, size_t n)
{
	size_t used = 0;
	size_t kept = 0;
	size_t i;
	int c;

	for (i = 0; i < n; i++)
		if (rows[i].calls)
			rows[used++] = rows[i];
	qsort_r(rows, used, sizeof(*rows), by_place, (void *)t);
	for (i = 0; i < used; i++) {
		if (!kept || compare_places(t, &rows[kept - 1], &rows[i])) {
			rows[kept++] = rows[i];
			continue;
		}
		rows[kept - 1].calls += rows[i].calls;
		rows[kept - 1].ns += rows[i].ns;
		for (c = 0; c < COST_COUNT; c++)
			rows[kept - 1].cost_ns[c] += rows[i].cost_ns[c];
	}
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
	size_t n = (size_t)a->trace->n_sites + a->trace->n_regions;
	struct row *rows;
	json_t *table;
	size_t i;

	rows = calloc(n ? n : 1, sizeof(*rows));
	if (!rows)
		return NULL;
	add_calls(a, rows);
	n = fold(a->trace, rows, n);
	qsort(rows, n, sizeof(*rows), by_cost);
	table = json_array();
	for (i = 0; i < n && i < ROWS_MAX; i++)
		json_array_append_new(table, row_section(a, &rows[i]));
	free(rows);
	return table;
}
