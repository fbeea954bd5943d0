/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the run would take on better machines and with the program changed, where it was asked. */
#include "common/number.h"
#include "report/html.h"
#include "report/page.h"
#include "report/pick.h"
#include "report/text.h"

static void put_row(FILE *out, const json_t *row, double wall_s)
{
	double likely = pick_item(row, "saves_share", 1);
	struct number bounds =
		number_bounds(pick_item(row, "saves_share", 0), pick_item(row, "saves_share", 2));
	char title[600];

	fputs("<tr><th scope=\"row\">", out);
	html_text(out, text_change(row, sizeof(title), title));
	fputs("</th><td class=\"bar\">", out);
	page_saving(out, row);
	fprintf(out, "</td><td class=\"number\">%s</td><td class=\"number\">",
		number_seconds(wall_s * (1.0 - likely)).text);
	html_text(out, number_share(likely).text);
	fputs("</td><td class=\"number\">", out);
	html_text(out, *bounds.text ? bounds.text : number_share(likely).text);
	fputs("</td></tr>\n", out);
}

/* Of what saves nothing that is known: why. */
static void put_unknown(FILE *out, const json_t *row)
{
	char title[600];

	fputs("<tr><th scope=\"row\">", out);
	html_text(out, text_change(row, sizeof(title), title));
	fputs("</th><td colspan=\"4\" class=\"words\">not known: ", out);
	html_text(out, pick_text(row, "why_not", "?"));
	fputs("</td></tr>\n", out);
}

static void put_table(FILE *out, const json_t *list, const char *with, double wall_s)
{
	const json_t *row;
	size_t i;

	json_array_foreach(list, i, row) {
		if (!i)
			fprintf(out,
				"<div class=\"wide\"><table class=\"chart\"><tr><th>%s</th>"
				"<th class=\"bar\"></th><th class=\"number\">takes</th>"
				"<th class=\"number\">saves</th>"
				"<th class=\"number\">least-most</th></tr>\n",
				with);
		if (pick(row, "saves_share"))
			put_row(out, row, wall_s);
		else
			put_unknown(out, row);
	}
	fputs(i ? "</table></div>\n" : "", out);
}

void page_predictions(FILE *out, const json_t *document)
{
	const json_t *machines = pick(document, "predictions"),
		     *changes = pick(document, "changes");
	double wall_s = pick_number(document, "run.wall_s", 0.0);

	if (!json_array_size(machines) && !json_array_size(changes))
		return;
	fprintf(out,
		"<h2>Predictions</h2>\n<p class=\"remark\">What the run would take instead of %s, "
		"by replay, and how much of that it would save: for certain, likely and at most. "
		"Each by itself, with the order and the algorithms of now where nothing else is "
		"said.</p>\n",
		number_seconds(wall_s).text);
	put_table(out, machines, "with", wall_s);
	put_table(out, changes, "with the program changed", wall_s);
}
