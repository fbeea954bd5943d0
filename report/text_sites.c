/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of call sites, and what else is known of the largest. */
#include "common/number.h"
#include "common/wording.h"
#include "report/columns.h"
#include "report/legend.h"
#include "report/pick.h"
#include "report/rows.h"
#include "report/text.h"

#include <math.h>
#include <string.h>

/* Bounds are said when they are so far apart, of what is between them. */
#define BOUNDS_WORTH 0.1

/* Of ranks' time, from which on calls of several threads at once are worth a word. */
#define OVERLAP_WORTH 0.01

static void put_callsite(struct columns *c, const json_t *row)
{
	const json_t *callsite = pick(row, "callsite");

	columns_add(c);
	cell_number(c, number_seconds, row, "s");
	cell_number(c, number_share, row, "share");
	cell_number(c, seconds_or_dash, row, "contention_s");
	cell_number(c, number_count, row, "calls");
	cell_text(c, callsite, "mpi");
	cell_place(c, callsite);
}

/* Did several threads of a rank call at once for so long that it is worth a word? */
static int has_overlap(const json_t *document)
{
	return pick_number(document, "budget.overlap_s", 0.0) >
	       OVERLAP_WORTH * pick_number(document, "budget.total_s", 0.0);
}

void text_threads(struct layout *l, const json_t *document)
{
	char text[200];

	if (!has_overlap(document))
		return;
	snprintf(text, sizeof(text),
		 "of calls that several threads of a rank make at once each counts here; WHERE "
		 "TIME GOES counts a rank's time once, %s less",
		 number_seconds(pick_number(document, "budget.overlap_s", 0.0)).text);
	layout_line(l, "", 2, text);
}

/* Ranks' and call sites' contention has no bounds of its own; that of the whole has. */
static void put_contention_bounds(struct layout *l, const json_t *document)
{
	const json_t *all = pick(document, "summary.contention");
	double s = pick_number(all, "s", 0.0), low_s = pick_number(all, "low_s", s),
	       high_s = pick_number(all, "high_s", s);
	char text[320];

	if (high_s - low_s <= BOUNDS_WORTH * s)
		return;
	snprintf(text, sizeof(text),
		 "contention is an estimate: all places together %s, at least %s, at most %s%s",
		 number_seconds(s).text, number_seconds(low_s).text, number_seconds(high_s).text,
		 has_overlap(document) ? " of ranks' time, which counts once" : "");
	layout_line(l, "", 2, text);
}

#define PLACE_WORTH 0.05 /* of rank time: more is said of a place, */
#define PLACES_MOST 3    /* of so many */
#define PART_WORTH  0.1  /* of a place's time, */
#define PARTS_MOST  3

/* The largest part of a place's time below most_s, or NULL: none is worth saying. */
static const char *next_part(const json_t *row, double most_s, double *part_s)
{
	const char *name = NULL;

	*part_s = PART_WORTH * pick_number(row, "s", 0.0);
	for (size_t i = 0; i < LEGEND_PARTS; i++) {
		const char *part = legend_at(i)->name;
		double s = pick_number(pick(row, "parts"), part, 0.0);

		if (s >= *part_s && s < most_s) {
			*part_s = s;
			name = part;
		}
	}
	return name;
}

/* What a place's time is, unless that is MPI's start or end. Returns 0 if nothing is to be said. */
static int add_parts(const json_t *row, struct wording *w)
{
	double all_s = pick_number(row, "s", 0.0), s;
	const char *part = next_part(row, HUGE_VAL, &s);

	if (!part || !strcmp(part, "start_end"))
		return 0;
	wording_add(w, ": of its time");
	for (int k = 0; part && k < PARTS_MOST; k++, part = next_part(row, s, &s))
		wording_add(w, "%s %s %s", k ? "," : "", number_share(s / all_s).text,
			    legend_label(part));
	return 1;
}

/* Of a place without a line, as those in libraries are, who calls it. Likewise. */
static int add_callers(const json_t *row, int is_more, struct wording *w)
{
	const json_t *callsite = pick(row, "callsite");
	char from[600];

	if (pick_text(callsite, "file", NULL) || !text_callers(callsite, sizeof(from), from))
		return 0;
	wording_add(w, "%s from %s", is_more ? ";" : "", from);
	return 1;
}

/* Of those that take long, what else is known. */
static void put_places(struct layout *l, const json_t *list)
{
	char place[400], text[1400];
	unsigned shown = 0;

	for (size_t i = 0; i < json_array_size(list) && i < l->style->top; i++) {
		const json_t *row = json_array_get(list, i), *callsite = pick(row, "callsite");
		struct wording w = wording_begin(sizeof(text), text);
		int says;

		if (pick_number(row, "share", 0.0) < PLACE_WORTH || shown == PLACES_MOST)
			return;
		wording_add(&w, "%s %s", pick_text(callsite, "mpi", "?"),
			    text_place(callsite, sizeof(place), place));
		says = add_parts(row, &w);
		if (!add_callers(row, says, &w) && !says)
			continue;
		layout_line(l, "", 2, text);
		shown++;
	}
}

/* Of rows that have nothing but an address: what would name them. */
static void put_nameless(struct layout *l, const json_t *list)
{
	char text[400];

	for (size_t i = 0; i < json_array_size(list) && i < l->style->top; i++) {
		const json_t *callsite = pick(json_array_get(list, i), "callsite");
		const char *at = pick_text(callsite, "address", NULL), *name = at;
		int length = at ? (int)strcspn(at, ":") : 0;

		if (!length || pick_text(callsite, "file", NULL) ||
		    pick_text(callsite, "function", NULL))
			continue;
		for (int k = 0; k < length; k++)
			name = at[k] == '/' ? at + k + 1 : name;
		length -= (int)(name - at);
		snprintf(
			text, sizeof(text),
			"%.*s has no names for its places: its debug symbols (a package -dbgsym or "
			"-debuginfo, or compiled with -g) give contend report theirs, of this "
			"recording, too, if they are of the same build",
			length < 80 ? length : 80, name);
		layout_line(l, "", 2, text);
		return;
	}
}

/* Are they called the same? */
static int are_twins(const json_t *row, const json_t *other)
{
	const json_t *x = pick(row, "callsite"), *y = pick(other, "callsite");
	char one[400], two[400];

	return !pick_text(x, "file", NULL) &&
	       !strcmp(pick_text(x, "mpi", "?"), pick_text(y, "mpi", "?")) &&
	       !strcmp(text_place(x, sizeof(one), one), text_place(y, sizeof(two), two));
}

/* The rows, those that would be called the same told apart by offsets; caller: json_decref. */
static json_t *list_of(const json_t *document, size_t most)
{
	const json_t *all = pick(document, "callsites");
	json_t *list = json_deep_copy(all);

	for (size_t i = 0; i < json_array_size(all) && i < most; i++) {
		const json_t *row = json_array_get(all, i);
		const char *at = pick_text(row, "callsite.address", NULL);
		const char *offset = at ? strrchr(at, '+') : NULL;
		size_t k = 0;

		while (k < json_array_size(all) && k < most &&
		       (k == i || !are_twins(row, json_array_get(all, k))))
			k++;
		if (offset && k < json_array_size(all) && k < most)
			json_object_set_new(json_object_get(json_array_get(list, i), "callsite"),
					    "offset", json_string(offset));
	}
	return list;
}

int text_callsites_table(struct layout *l, const json_t *document, struct err *err)
{
	static const struct column columns[] = {
		{"time", COLUMN_RIGHT},  {"share", COLUMN_RIGHT}, {"contention", COLUMN_SPARE},
		{"calls", COLUMN_SPARE}, {"call", COLUMN_LEFT},   {"where", COLUMN_CUT},
	};
	json_t *list = list_of(document, l->style->top);
	int ret;
	struct rows t = {"CALL SITES", "share of rank time", 6, columns, put_callsite};

	if (json_array_size(list) > l->style->top)
		t.remark = "share of rank time; --top=N shows more";
	ret = rows_print_top(l, &t, list, err);
	if (!ret && json_array_size(list)) {
		put_places(l, list);
		put_nameless(l, list);
		text_threads(l, document);
		put_contention_bounds(l, document);
	}
	json_decref(list);
	return ret;
}
