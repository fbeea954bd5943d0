/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of late partners: who is waited for, and what kept them. */
#include "common/number.h"
#include "report/pick.h"
#include "report/rows.h"
#include "report/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define PROVEN    0.5  /* of a reason's time: it is said without "perhaps" */
#define SHOWN_ALL 0.95 /* of the budget's part: the table is taken for all of it */

/* In a table of "was kept by", where it is not the name itself. */
static const struct reason {
	const char *name, *words;
	const char *parts[2]; /* of the budget: how sure it is */
} reasons[] = {
	{"handler", "messages queueing", {"handler_contention"}},
	{"network", "network contention", {"network_contention"}},
	{"port", "a busy port", {"sender_port", "receiver_port"}},
	{"collective", "a collective", {NULL}},
	{"messages", "other messages", {NULL}},
	{"sleep", "sleep between polls", {NULL}},
	{"lock", "a window's lock", {NULL}},
	{"files", "file access", {"file_access"}},
	{"circle", "a circle of waits", {NULL}},
	{"gone", "no sign of life any more", {NULL}},
	{"core", "perhaps no free core", {NULL}},
	{"unrecorded", "not known: its record ends", {NULL}},
	{"unknown", "what cannot be told", {NULL}},
};

static const struct reason *reason_of(const json_t *row)
{
	const char *name = pick_text(row, "reason", "unknown");

	for (size_t i = 0; i < sizeof(reasons) / sizeof(*reasons); i++)
		if (!strcmp(name, reasons[i].name))
			return &reasons[i];
	return NULL;
}

/* Is less than half of the budget's time for such a reason proven? */
static int is_doubtful(const json_t *document, const struct reason *r)
{
	double s = 0.0, low_s = 0.0;
	char key[80];

	for (size_t i = 0; i < 2 && r->parts[i]; i++) {
		snprintf(key, sizeof(key), "budget.parts.%s.s", r->parts[i]);
		s += pick_number(document, key, 0.0);
		snprintf(key, sizeof(key), "budget.parts.%s.low_s", r->parts[i]);
		low_s += pick_number(document, key, 0.0);
	}
	return low_s < PROVEN * s;
}

/* Is the row about a rank of which nothing was recorded? */
static int is_left_out(const json_t *document, const json_t *row)
{
	const json_t *rank;
	size_t i;

	if (strcmp(pick_text(row, "reason", ""), "unrecorded") != 0)
		return 0;
	json_array_foreach((json_t *)pick(document, "ranks"), i, rank)
		if (pick_number(rank, "rank", -1.0) == pick_number(row, "rank", 0.0))
			return !(pick_number(rank, "recorded_s", 0.0) > 0.0);
	return 0;
}

/* The rows, those of doubtful reasons and ranks that are left out marked; caller: json_decref. */
static json_t *marked_list(const json_t *document)
{
	json_t *list = json_deep_copy(pick(document, "late_partners")), *row;
	size_t i;

	json_array_foreach(list, i, row) {
		const struct reason *r = reason_of(row);

		if (r && is_doubtful(document, r))
			json_object_set_new(row, "doubtful", json_true());
		if (is_left_out(document, row))
			json_object_set_new(row, "left_out", json_true());
	}
	return list;
}

/* What kept the late rank. */
static void put_reason(struct columns *c, const json_t *row)
{
	const struct reason *r = reason_of(row);
	char text[80];

	if (json_is_true(pick(row, "left_out"))) {
		columns_put(c, INK_PLAIN, "not known: not recorded");
		return;
	}
	snprintf(text, sizeof(text), "%s%s", json_is_true(pick(row, "doubtful")) ? "perhaps " : "",
		 r ? r->words : pick_text(row, "reason", ""));
	columns_put(c, INK_PLAIN, text);
}

/* What kept the rank and where. */
static void put_row(struct columns *c, const json_t *row)
{
	columns_add(c);
	cell_number(c, number_seconds, row, "s");
	cell_number(c, number_count, row, "rank");
	put_reason(c, row);
	if (strcmp(pick_text(row, "reason", ""), "gone"))
		cell_place(c, pick(row, "place"));
	else
		columns_put(c, INK_PLAIN, "its end");
}

/* And, on a line of its own, where others waited for it. */
static void put_two(struct columns *c, const json_t *row)
{
	put_row(c, row);
	columns_add(c);
	columns_put(c, INK_PLAIN, "");
	columns_put(c, INK_PLAIN, "");
	columns_put(c, INK_PLAIN, "waited for in");
	cell_place(c, pick(row, "callsite"));
}

/* Did others wait for the first n of the list in the same place? */
static int is_one_place(const json_t *list, size_t n)
{
	const json_t *place = pick(json_array_get(list, 0), "callsite");

	for (size_t i = 1; i < n; i++)
		if (!json_equal(place, pick(json_array_get(list, i), "callsite")))
			return 0;
	return place != NULL;
}

__attribute__((format(printf, 2, 3))) static void put_line(struct layout *l, const char *format,
							   ...)
{
	char text[480];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	layout_line(l, "", 2, text);
}

static void put_one_place(struct layout *l, const json_t *list)
{
	char place[400];

	text_place(pick(json_array_get(list, 0), "callsite"), sizeof(place), place);
	put_line(l, "all waited for in %s", place);
}

static double sum_s(const json_t *list, size_t n, const char *key)
{
	double sum = 0.0;

	for (size_t i = 0; i < n; i++)
		sum += pick_number(json_array_get(list, i), key, 0.0);
	return sum;
}

/* Of the n rows that are shown: what of it was waited through others, and what they are not of. */
static void put_rest(struct layout *l, const json_t *document, const json_t *list, size_t n)
{
	double all_s = pick_number(document, "budget.parts.late_partner.s", 0.0);
	double shown_s = sum_s(list, n, "s"), through_s = shown_s - sum_s(list, n, "direct_s");
	char smaller[80] = "";

	if (through_s > shown_s * (1 - SHOWN_ALL))
		put_line(l, "%s of that was waited for ranks that waited for these themselves",
			 number_seconds(through_s).text);
	if (shown_s >= all_s * SHOWN_ALL)
		return;
	if (n < json_array_size(list))
		snprintf(smaller, sizeof(smaller), "in smaller rows (--top=%zu shows them), or ",
			 json_array_size(list));
	put_line(l, "that is %s of the %s of late partner; the rest is %sfor nobody in particular",
		 number_seconds(shown_s).text, number_seconds(all_s).text, smaller);
}

int text_is_by_turns(const json_t *document)
{
	return json_is_true(pick(document, "alone.by_turns"));
}

static void put_alone(struct layout *l, const json_t *document)
{
	if (text_is_by_turns(document))
		put_line(l,
			 "ranks work one after the other: %s of the time between MPI's start and "
			 "end%s only one of them computes, by turns",
			 number_share(pick_number(document, "alone.share", 0.0)).text,
			 pick_number(document, "alone.idle_share", 0.0) > 0.0
				 ? ", but for when none does, maybe for lack of cores,"
				 : "");
}

int text_late_table(struct layout *l, const json_t *document, struct err *err)
{
	static const struct column columns[] = {
		{"time", COLUMN_RIGHT},
		{"rank", COLUMN_RIGHT},
		{"was kept by", COLUMN_LEFT},
		{"in, or before", COLUMN_CUT},
	};
	struct rows t = {"LATE PARTNERS", "who is waited for, and what kept them", 4, columns,
			 put_two};
	json_t *list = marked_list(document);
	size_t n = rows_worth(list, l->style->top);
	int is_one = is_one_place(list, n), ret;

	if (is_one)
		t.put = put_row;
	ret = rows_print(l, &t, list, n, err);
	if (n && is_one)
		put_one_place(l, list);
	if (n)
		put_rest(l, document, list, n);
	if (n)
		put_alone(l, document);
	json_decref(list);
	return ret;
}
