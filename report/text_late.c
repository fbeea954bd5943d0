/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of late partners: who is waited for, and what kept them. */
#include "common/number.h"
#include "report/pick.h"
#include "report/rows.h"
#include "report/text.h"

#include <stdio.h>
#include <string.h>

#define SHOWN_ALL 0.95 /* of the budget's part: the table is taken for all of it */

/* In a table of "was kept by"; those that are nothing of a rank follow its name. */
static const struct reason {
	const char *name, *words, *of_rank;
} reasons[] = {
	{"core", "perhaps no free core", ", perhaps no free core"},
	{"unknown", "what cannot be told", ", why cannot be told"},
};

/* What kept the late rank; of another rank than itself: of which. */
static void put_reason(struct columns *c, const json_t *row)
{
	double rank = pick_number(row, "rank", 0.0), cause = pick_number(row, "cause_rank", rank);
	const char *name = pick_text(row, "reason", "unknown");
	const struct reason *r = NULL;
	char text[80];

	for (size_t i = 0; i < sizeof(reasons) / sizeof(*reasons); i++)
		if (!strcmp(name, reasons[i].name))
			r = &reasons[i];
	if (cause == rank)
		snprintf(text, sizeof(text), "%s", r ? r->words : name);
	else if (r)
		snprintf(text, sizeof(text), "rank %s%s", number_count(cause).text, r->of_rank);
	else
		snprintf(text, sizeof(text), "%s of rank %s", name, number_count(cause).text);
	columns_put(c, INK_PLAIN, text);
}

/* What kept the rank and where. */
static void put_row(struct columns *c, const json_t *row)
{
	columns_add(c);
	cell_number(c, number_seconds, row, "s");
	cell_number(c, number_count, row, "rank");
	put_reason(c, row);
	cell_place(c, pick(row, "place"));
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

static void put_one_place(struct layout *l, const json_t *list)
{
	char place[400];

	layout_begin(l, "", 2);
	layout_words(l, "all waited for in");
	layout_words(l,
		     text_place(pick(json_array_get(list, 0), "callsite"), sizeof(place), place));
	layout_end(l);
}

/* The table is not all of what the budget calls late partner. */
static void put_rest(struct layout *l, const json_t *document, const json_t *list, size_t n)
{
	double all_s = pick_number(document, "budget.parts.late_partner.s", 0.0), shown_s = 0.0;
	char text[240];
	size_t i;

	for (i = 0; i < n; i++)
		shown_s += pick_number(json_array_get(list, i), "s", 0.0);
	if (shown_s >= all_s * SHOWN_ALL)
		return;
	snprintf(text, sizeof(text),
		 "%s of the %s of late partner in the budget; the rest is in rows of less than "
		 "0.5 %% of rank time, or for nobody in particular",
		 number_seconds(shown_s).text, number_seconds(all_s).text);
	layout_begin(l, "", 2);
	layout_words(l, text);
	layout_end(l);
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
	const json_t *list = pick(document, "late_partners");
	size_t n = rows_worth(list);
	int is_one = is_one_place(list, n);

	if (is_one)
		t.put = put_row;
	if (rows_print(l, &t, list, n, err))
		return -1;
	if (n && is_one)
		put_one_place(l, list);
	if (n)
		put_rest(l, document, list, n);
	return 0;
}
