/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where time goes: all of it as one bar, and each part with its interval. */
#include "common/number.h"
#include "report/budget_rows.h"
#include "report/html.h"
#include "report/page.h"
#include "report/pick.h"
#include "report/stacked.h"

#include <math.h>

/* Of rank time, or at most: parts below are left out. */
#define SHARE_SHOWN 0.0005
#define MOST_SHOWN  0.01

#define HEIGHT 34.0 /* of all of it */

static int is_worth_a_line(const struct budget_row *x)
{
	return x->share >= SHARE_SHOWN || x->blame >= SHARE_SHOWN || x->high >= MOST_SHOWN;
}

/* The part as it is, and a line from its least to its most, of which the chart shows most. */
static void put_bar(FILE *out, const struct budget_row *x, double most)
{
	double low = page_length(x->low / most), high = page_length(x->high / most);

	fprintf(out,
		"<svg viewBox=\"0 0 %.0f 16\" preserveAspectRatio=\"none\" aria-hidden=\"true\">"
		"<rect y=\"1\" width=\"%.1f\" height=\"14\" fill=\"%s\"/>",
		PAGE_WIDTH, page_length(x->share / most), x->legend->colour);
	if (*number_bounds(x->low, x->high).text)
		fprintf(out,
			"<rect class=\"whisker\" x=\"%.1f\" y=\"6.5\" width=\"%.1f\" "
			"height=\"3\"/>",
			low, fmax(high - low, 0.0));
	fputs("</svg>", out);
}

static void put_row(FILE *out, const struct budget_row *x, double most)
{
	fputs("<tr><th scope=\"row\" title=\"", out);
	html_text(out, x->legend->meaning);
	fprintf(out, "\"><i style=\"background:%s\"></i>", x->legend->colour);
	html_text(out, x->legend->label);
	fputs("</th><td class=\"bar\">", out);
	put_bar(out, x, most);
	fprintf(out, "</td><td class=\"number\">%s</td><td class=\"number\">",
		x->s > 0.0 ? number_seconds(x->s).text : "-");
	html_text(out, x->s > 0.0 ? number_share(x->share).text : "-");
	fprintf(out, "</td><td class=\"number\">%s</td><td class=\"number\">",
		number_bounds(x->low, x->high).text);
	html_text(out, x->blame > 0.0 ? number_share(x->blame).text : "-");
	fputs("</td></tr>\n", out);
}

void page_budget(FILE *out, const json_t *document)
{
	double total_s = pick_number(document, "budget.total_s", 0.0), most = 0.0;
	double messages = pick_number(document, "blame.messages", 0.0);
	struct budget_row rows[LEGEND_PARTS];
	struct stacked all = {{0}};

	if (!(total_s > 0.0))
		return;
	budget_rows(document, rows);
	for (size_t i = 0; i < LEGEND_PARTS; i++)
		most = fmax(most, fmax(rows[i].share, rows[i].high));
	stacked_add(&all, pick(document, "budget.parts"));
	fputs("<h2>Where time goes</h2>\n<svg class=\"whole\" role=\"img\" "
	      "aria-label=\"the parts of all ranks' time\" preserveAspectRatio=\"none\" ",
	      out);
	fprintf(out, "viewBox=\"0 0 %.0f %.0f\">\n", PAGE_WIDTH, HEIGHT);
	stacked_put(out, &all, &(struct stacked_box){0, 0, PAGE_WIDTH, HEIGHT, total_s, total_s});
	fprintf(out, "</svg>\n<p class=\"remark\">All ranks' time, together %s",
		number_seconds(total_s).text);
	if (messages > 0.0)
		fprintf(out, "; %s messages, %s each", number_count(messages).text,
			number_seconds(pick_number(document, "blame.mean_s", 0.0)).text);
	fputs(". Below each part by itself, on a scale of its own; the thin line runs from its "
	      "least to its most.</p>\n"
	      "<div class=\"wide\"><table class=\"chart\">"
	      "<tr><th></th><th class=\"bar\"></th><th class=\"number\">time</th>"
	      "<th class=\"number\">of ranks</th>"
	      "<th class=\"number\">bounds, %</th><th class=\"number\">of messages</th></tr>\n",
	      out);
	for (size_t i = 0; i < LEGEND_PARTS; i++)
		if (is_worth_a_line(&rows[i]))
			put_row(out, &rows[i], most);
	fputs("</table></div>\n", out);
}
