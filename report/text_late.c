/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of late partners: who is waited for, and what kept them. */
#include "report/columns.h"
#include "report/pick.h"
#include "report/text.h"

#define WORTH_SHARE 0.005 /* of rank time; less is not printed */
#define ROWS        5

int text_late_table(struct layout *l, const json_t *document, struct err *err)
{
	static const struct column heads[] = {
		{"time", COLUMN_RIGHT},       {"waiting in", COLUMN_LEFT},
		{"rank", COLUMN_RIGHT},       {"late as", COLUMN_RIGHT},
		{"was kept by", COLUMN_LEFT}, {"in, or before", COLUMN_CUT},
	};
	const json_t *list = pick(document, "late_partners");
	size_t n = json_array_size(list), i;
	struct columns *c;
	char place[400];
	int ret;

	if (!n || pick_number(json_array_get(list, 0), "share", 0.0) < WORTH_SHARE)
		return 0;
	c = columns_new(l->style, 6, heads);
	if (!c)
		return err_set(err, "out of memory for the table of late partners");
	for (i = 0; i < n && i < ROWS; i++) {
		const json_t *row = json_array_get(list, i);
		double share = pick_number(row, "share", 0.0);

		if (share < WORTH_SHARE)
			break;
		columns_add(c);
		columns_put(c, INK_PLAIN, number_seconds(pick_number(row, "s", 0.0)).text);
		columns_put(c, INK_PLAIN, text_place(pick(row, "callsite"), sizeof(place), place));
		columns_put(c, INK_PLAIN, number_count(pick_number(row, "rank", 0.0)).text);
		columns_put(c, INK_PLAIN, number_count(pick_number(row, "cause_rank", 0.0)).text);
		columns_put(c, INK_PLAIN, pick_text(row, "reason", "unknown"));
		columns_put(c, INK_PLAIN, text_place(pick(row, "place"), sizeof(place), place));
	}
	layout_heading(l, "LATE PARTNERS", "who is waited for, and what kept them");
	ret = columns_print(c, l->out, err);
	columns_free(c);
	return ret;
}
