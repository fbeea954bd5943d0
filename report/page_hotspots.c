/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each hotspot with what it saves, least, likely and most, or why there is none. */
#include "common/number.h"
#include "report/html.h"
#include "report/page.h"
#include "report/pick.h"
#include "report/text.h"

#include <string.h>

void page_saving(FILE *out, const json_t *row)
{
	static const char *const classes[] = {"least", "likely", "most"};

	fprintf(out,
		"<svg class=\"saving\" viewBox=\"0 0 %.0f 12\" preserveAspectRatio=\"none\" "
		"aria-hidden=\"true\"><rect class=\"track\" width=\"%.0f\" height=\"12\"/>",
		PAGE_WIDTH, PAGE_WIDTH);
	for (size_t i = 3; i-- > 0;)
		fprintf(out, "<rect class=\"%s\" width=\"%.1f\" height=\"12\"/>", classes[i],
			page_length(pick_item(row, "saves_share", i)));
	fputs("</svg>", out);
}

static void put_saving(FILE *out, const json_t *hotspot, double wall_s)
{
	static const char *const words[] = {"at least", "likely", "at most"};

	page_saving(out, hotspot);
	fputs("\n<p class=\"remark\">saves ", out);
	for (size_t i = 0; i < 3; i++) {
		double saves_s = pick_item(hotspot, "saves_s", i);

		fprintf(out, "%s <b>%s</b> (", words[i],
			saves_s > 0.0 ? number_seconds(saves_s).text : "nothing");
		html_text(out, number_share(pick_item(hotspot, "saves_share", i)).text);
		fputs(i < 2 ? "), " : ")", out);
	}
	fprintf(out, " of the run's %s</p>\n", number_seconds(wall_s).text);
}

static void put_item(FILE *out, const char *name, const char *text)
{
	fprintf(out, "<dt>%s</dt><dd>", name);
	html_text(out, text);
	fputs("</dd>\n", out);
}

static void put_hotspot(FILE *out, const json_t *hotspot, size_t number, double wall_s)
{
	const char *severity = pick_text(hotspot, "severity", "low");
	char where[480], from[1000];

	fputs("<article class=\"hotspot ", out);
	html_text(out, severity);
	fprintf(out, "\"><h3>%zu <em>", number);
	html_text(out, severity);
	fputs("</em> ", out);
	html_text(out, pick_text(hotspot, "kind", "?"));
	fputs(": ", out);
	html_text(out, pick_text(hotspot, "title", "?"));
	fputs("</h3>\n", out);
	put_saving(out, hotspot, wall_s);
	fputs("<dl>", out);
	put_item(out, "why", pick_text(hotspot, "why", "?"));
	put_item(out, "where", text_where(hotspot, sizeof(where), where));
	if (text_callers(pick(hotspot, "callsite"), sizeof(from), from))
		put_item(out, "from", from);
	put_item(out, "try", pick_text(hotspot, "advice", "?"));
	if (text_same_sends(hotspot, sizeof(from), from))
		put_item(out, "with", from);
	fputs("</dl></article>\n", out);
}

void page_hotspots(FILE *out, const json_t *document)
{
	const json_t *list = pick(document, "hotspots"), *x;
	double wall_s = pick_number(document, "run.wall_s", 0.0);
	char text[640];
	size_t i;

	fputs("<h2>Hotspots</h2>\n", out);
	json_array_foreach(list, i, x)
		put_hotspot(out, x, i + 1, wall_s);
	if (!json_array_size(list)) {
		fputs("<p>None: ", out);
		html_text(out, text_none(document, sizeof(text), text));
		fputs(".</p>\n", out);
	}
	if (*text_rest(document, sizeof(text), text)) {
		fputs("<p>But ", out);
		html_text(out, text);
		fputs(".</p>\n", out);
	}
	if (*text_unjudged(document, sizeof(text), text,
			   "Not judged, contend calibrate would tell: ")) {
		fputs("<p class=\"remark\">", out);
		html_text(out, text);
		fputs(".</p>\n", out);
	}
}
