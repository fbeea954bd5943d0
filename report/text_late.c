/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of late partners: who is waited for, and what kept them. */
#include "common/number.h"
#include "report/pick.h"
#include "report/rows.h"
#include "report/text.h"

#include <stdio.h>

/* What kept the late rank; of another rank than itself: of which. */
static void put_reason(struct columns *c, const json_t *row)
{
	double rank = pick_number(row, "rank", 0.0), cause = pick_number(row, "cause_rank", rank);
	char text[80];

	snprintf(text, sizeof(text), "%s", pick_text(row, "reason", "unknown"));
	if (cause != rank)
		snprintf(text, sizeof(text), "%s of rank %s", pick_text(row, "reason", "unknown"),
			 number_count(cause).text);
	columns_put(c, INK_PLAIN, text);
}

/* Two lines: what kept the rank and where, and where others waited for it. */
static void put_row(struct columns *c, const json_t *row)
{
	char place[400];

	columns_add(c);
	columns_put(c, INK_PLAIN, number_seconds(pick_number(row, "s", 0.0)).text);
	columns_put(c, INK_PLAIN, number_count(pick_number(row, "rank", 0.0)).text);
	put_reason(c, row);
	columns_put(c, INK_PLAIN, text_place(pick(row, "place"), sizeof(place), place));
	columns_add(c);
	columns_put(c, INK_PLAIN, "");
	columns_put(c, INK_PLAIN, "");
	columns_put(c, INK_PLAIN, "waited for in");
	columns_put(c, INK_PLAIN, text_place(pick(row, "callsite"), sizeof(place), place));
}

int text_late_table(struct layout *l, const json_t *document, struct err *err)
{
	static const struct column columns[] = {
		{"time", COLUMN_RIGHT},
		{"rank", COLUMN_RIGHT},
		{"was kept by", COLUMN_LEFT},
		{"in, or before", COLUMN_CUT},
	};
	static const struct rows t = {"LATE PARTNERS", "who is waited for, and what kept them", 4,
				      columns, put_row};
	const json_t *list = pick(document, "late_partners");

	return rows_print(l, &t, list, rows_worth(list), err);
}
