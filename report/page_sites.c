/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The calls that take most of the ranks' time, each in its parts. */
#include "common/number.h"
#include "report/html.h"
#include "report/page.h"
#include "report/pick.h"
#include "report/stacked.h"
#include "report/text.h"

/* Of rank time: smaller ones are left out, and more than so many too. */
#define SHARE_SHOWN 0.005
#define ROWS_SHOWN  20

/* wide_s: of the longest; all_s: of all ranks. */
static void put_row(FILE *out, const json_t *row, double wide_s, double all_s)
{
	struct stacked parts = {{0}};
	char place[400];

	stacked_add(&parts, pick(row, "parts"));
	fputs("<tr><th scope=\"row\">", out);
	html_text(out, pick_text(row, "callsite.mpi", "?"));
	fputs("</th><td class=\"words\">", out);
	html_text(out, text_place(pick(row, "callsite"), sizeof(place), place));
	fprintf(out,
		"</td><td class=\"bar\"><svg role=\"img\" aria-label=\"its parts\" "
		"viewBox=\"0 0 %.0f 16\" "
		"preserveAspectRatio=\"none\">\n",
		PAGE_WIDTH);
	stacked_put(out, &parts, &(struct stacked_box){0, 1, PAGE_WIDTH, 14, wide_s, all_s});
	fprintf(out, "</svg></td><td class=\"number\">%s</td><td class=\"number\">",
		number_seconds(pick_number(row, "s", 0.0)).text);
	html_text(out, number_share(pick_number(row, "share", 0.0)).text);
	fprintf(out, "</td><td class=\"number\">%s</td></tr>\n",
		number_count(pick_number(row, "calls", 0.0)).text);
}

void page_sites(FILE *out, const json_t *document)
{
	const json_t *list = pick(document, "callsites"), *row;
	double most_s = pick_number(json_array_get(list, 0), "s", 0.0);
	size_t i;

	if (!(most_s > 0.0))
		return;
	fputs("<h2>Call sites</h2>\n<p class=\"remark\">What all ranks spend in each, in the same "
	      "colours; shares are of rank time, those under half a percent are left "
	      "out.</p>\n<div class=\"wide\"><table class=\"chart\">"
	      "<tr><th>call</th><th>where</th><th class=\"bar\"></th><th class=\"number\">time</th>"
	      "<th class=\"number\">share</th><th class=\"number\">calls</th></tr>\n",
	      out);
	json_array_foreach(list, i, row)
		if (i < ROWS_SHOWN && (!i || pick_number(row, "share", 0.0) >= SHARE_SHOWN))
			put_row(out, row, most_s, pick_number(document, "budget.total_s", most_s));
	fputs("</table></div>\n", out);
}
