/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/stacked.h"

#include "common/number.h"
#include "report/html.h"
#include "report/pick.h"

#include <math.h>

#define KEY_WORTH 0.005

void stacked_add(struct stacked *x, const json_t *parts)
{
	for (size_t i = 0; i < LEGEND_PARTS; i++) {
		const json_t *part = json_object_get(parts, legend_at(i)->name);

		x->part_s[i] += json_is_object(part) ? pick_number(part, "s", 0.0)
						     : json_number_value(part);
	}
}

double stacked_sum_s(const struct stacked *x)
{
	double sum_s = 0.0;

	for (size_t i = 0; i < LEGEND_PARTS; i++)
		sum_s += x->part_s[i];
	return sum_s;
}

void stacked_put(FILE *out, const struct stacked *x, const struct stacked_box *box)
{
	double at = box->x;

	for (size_t i = 0; i < LEGEND_PARTS && box->wide_s > 0.0; i++) {
		double wide = x->part_s[i] / box->wide_s;
		double width = fmin(wide * box->width, box->x + box->width - at);

		if (!(width > 0.0))
			continue;
		fprintf(out,
			"<rect x=\"%.2f\" y=\"%.1f\" width=\"%.2f\" height=\"%.1f\" "
			"fill=\"%s\"><title>",
			at, box->y, width, box->height, legend_at(i)->colour);
		html_text(out, legend_at(i)->label);
		fprintf(out, ": %s, ", number_seconds(x->part_s[i]).text);
		html_text(out, number_share(x->part_s[i] / box->all_s).text);
		fputs("</title></rect>\n", out);
		at += width;
	}
}

void stacked_key(FILE *out, const struct stacked *x, double all_s)
{
	fputs("<p class=\"key\">", out);
	for (size_t i = 0; i < LEGEND_PARTS; i++) {
		if (!(x->part_s[i] >= KEY_WORTH * all_s) || !(x->part_s[i] > 0.0))
			continue;
		fprintf(out, "<span title=\"");
		html_text(out, legend_at(i)->meaning);
		fprintf(out, "\"><i style=\"background:%s\"></i>", legend_at(i)->colour);
		html_text(out, legend_at(i)->label);
		fputs("</span>\n", out);
	}
	fputs("</p>\n", out);
}
