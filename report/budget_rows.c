/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/budget_rows.h"

#include <stdlib.h>

#include "report/pick.h"

static int by_share(const void *pa, const void *pb)
{
	const struct budget_row *a = pa, *b = pb;

	if (a->share != b->share)
		return a->share > b->share ? -1 : 1;
	return a->legend < b->legend ? -1 : a->legend > b->legend;
}

void budget_rows(const json_t *document, struct budget_row rows[LEGEND_PARTS])
{
	const json_t *budget = pick(document, "budget.parts"), *part;
	const json_t *blame = pick(document, "blame.parts");
	double total_s = pick_number(document, "budget.total_s", 0.0);

	for (size_t i = 0; i < LEGEND_PARTS; i++) {
		struct budget_row *x = &rows[i];

		x->legend = legend_at(i);
		part = json_object_get(budget, x->legend->name);
		x->s = pick_number(part, "s", 0.0);
		x->share = pick_number(part, "share", 0.0);
		x->low = pick_number(part, "low_s", 0.0) / total_s;
		x->high = pick_number(part, "high_s", 0.0) / total_s;
		part = json_object_get(blame, x->legend->name);
		x->blame = pick_number(part, "share", 0.0);
	}
	qsort(rows, LEGEND_PARTS, sizeof(*rows), by_share);
}
