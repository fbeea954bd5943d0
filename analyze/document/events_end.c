/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/document/events_end.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/document/document_parts.h"
#include "analyze/reader/sites.h"

/* A size as a sentence has it. */
static void bytes_text(double bytes, size_t n, char text[n])
{
	static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
	size_t i;

	for (i = 0; bytes >= 1024.0 && i < 4; i++)
		bytes /= 1024.0;
	snprintf(text, n, i ? "%.3g %s" : "%.0f %s", bytes, units[i]);
}

void events_end_text(const struct run *r, size_t n, char text[n])
{
	double first = r ? run_number(r, "events_end.first_s", -1.0) : -1.0, last, ranks, all;
	char when[64], who[64] = "", bytes[32];

	text[0] = '\0';
	if (first < 0.0)
		return;
	last = run_number(r, "events_end.last_s", first);
	ranks = run_number(r, "events_end.ranks", 0.0);
	all = run_number(r, "recorded_ranks", ranks);
	snprintf(when, sizeof(when), last - first > 0.01 * first ? "%.3g to %.3g s" : "%.3g s",
		 first, last);
	if (ranks < all)
		snprintf(who, sizeof(who), " of %.0f of %.0f ranks", ranks, all);
	bytes_text(run_number(r, "events_end.after.sent_bytes", 0.0), sizeof(bytes), bytes);
	snprintf(text, n,
		 "events%s end at %s of %.3g s (%s); after that: %.0f calls, %.0f messages sent "
		 "with %s, %.3g s in MPI; the shares are of the recorded part",
		 who, when, run_number(r, "wall_s", 0.0),
		 strcmp(run_text(r, "events_end.why", ""), "disk")
			 ? "--max-trace"
			 : "the log could not grow: a full disk or a limit; --ranks, "
			   "MPI_Pcontrol or -o elsewhere keep more",
		 run_number(r, "events_end.after.calls", 0.0),
		 run_number(r, "events_end.after.sent", 0.0), bytes,
		 run_number(r, "events_end.after.s", 0.0));
}

void events_end_rest_text(const struct run *r, double rest_s, size_t n, char text[n])
{
	double first = r ? run_number(r, "events_end.first_s", -1.0) : -1.0, calls, inside_s;

	text[0] = '\0';
	if (first < 0.0)
		return;
	calls = run_number(r, "events_end.after.calls", 0.0);
	inside_s = run_number(r, "events_end.after.s", 0.0);
	if (inside_s <= rest_s) /* threads may be in MPI at the same time */
		snprintf(text, n, "; of the rest %.0f %% was in MPI (%.0f calls, %.3g s)",
			 document_share((int64_t)(inside_s * NS_PER_S),
					(int64_t)(rest_s * NS_PER_S)) *
				 100.0,
			 calls, inside_s);
	else
		snprintf(text, n, "; in the rest were %.0f calls with %.3g s in MPI", calls,
			 inside_s);
}

/* Where the rows' calls are, by way of a trace that has nothing but those places. */
static int resolve(struct trace *places, const json_t *rows, struct err *err)
{
	const json_t *row;
	size_t i;

	places->sites = calloc(json_array_size(rows) + 1, sizeof(*places->sites));
	if (!places->sites)
		return err_set(err, "out of memory for the places of counted calls");
	json_array_foreach((json_t *)rows, i, row) {
		const char *path = json_string_value(json_object_get(row, "site"));

		places->sites[i].path = strdup(path ? path : "");
		if (!places->sites[i].path)
			return err_set(err, "out of memory for the places of counted calls");
		places->n_sites++;
	}
	return sites_resolve(places, err);
}

static double seconds(const json_t *row)
{
	return json_number_value(json_object_get(row, "s"));
}

static int by_time(const void *a, const void *b)
{
	double x = seconds(*(json_t *const *)a), y = seconds(*(json_t *const *)b);

	return x > y ? -1 : x < y;
}

/* The rows of list in order of time. Returns a new reference. */
static json_t *in_order(const json_t *list)
{
	size_t i, n = json_array_size(list);
	json_t **rows = calloc(n + 1, sizeof(json_t *)), *sorted = json_array();

	for (i = 0; rows && i < n; i++)
		rows[i] = json_array_get(list, i);
	if (rows)
		qsort(rows, n, sizeof(json_t *), by_time);
	for (i = 0; rows && i < n; i++)
		json_array_append(sorted, rows[i]);
	free(rows);
	return sorted;
}

json_t *events_end_totals(const struct run *r, struct err *err)
{
	const json_t *given = json_object_get(json_object_get(r->meta, "events_end"), "totals");
	json_t *list = in_order(given), *row;
	struct trace places = {0};
	size_t i;

	if (json_array_size(list) && resolve(&places, list, err)) {
		json_decref(list);
		list = NULL;
	}
	json_array_foreach(list, i, row) {
		const struct site *site = &places.sites[i];

		json_object_set_new(row, "file", document_text(site->file));
		json_object_set_new(row, "line", json_integer(site->line));
		json_object_set_new(row, "function", document_text(site->function));
	}
	trace_release(&places);
	return list;
}
