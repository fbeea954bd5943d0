/* SPDX-License-Identifier: GPL-3.0-or-later */
/* When the run's main phases were, and who sends to whom in each. */
#include "common/number.h"
#include "report/html.h"
#include "report/page.h"
#include "report/pick.h"

#include <math.h>
#include <string.h>

/* Of rank time: smaller phases are left out, and more than so many too. */
#define SHARE_SHOWN 0.01
#define ROWS_SHOWN  12

#define LEAST 3.0 /* of the chart's units: it is seen */

/* Who sends to whom in it, or NULL: nobody sends. */
static const json_t *pattern_of(const json_t *document, double phase)
{
	const json_t *pattern;
	size_t i;

	json_array_foreach(pick(document, "patterns"), i, pattern)
		if (!strcmp(pick_text(pattern, "scope", ""), "phase") &&
		    pick_number(pattern, "phase", 0.0) == phase)
			return pattern;
	return NULL;
}

/* A phase's, or its pattern's. */
static void put_rounds(FILE *out, const json_t *of)
{
	double rounds = pick_number(of, "rounds", 0.0);

	if (rounds >= 1.5)
		fprintf(out, " in %s rounds", number_count(rounds).text);
}

/* Of one without messages: what ends it, and how often. */
static void put_end(FILE *out, const json_t *phase)
{
	const char *end = pick_text(phase, "ended_by", NULL);

	if (!end) {
		fputs("-", out);
		return;
	}
	fputs("no messages, until ", out);
	html_text(out, end);
	put_rounds(out, phase);
}

static void put_pattern(FILE *out, const json_t *pattern)
{
	if (json_is_false(pick(pattern, "confident")))
		fputs("perhaps ", out);
	html_text(out, pick_text(pattern, "name", "?"));
	fprintf(out, ", score %.2f; %s messages", pick_number(pattern, "score", 0.0),
		number_count(pick_number(pattern, "messages", 0.0)).text);
	put_rounds(out, pattern);
}

static void put_row(FILE *out, const json_t *document, const json_t *phase, double wall_s)
{
	double number = pick_number(phase, "phase", 0.0);
	double begin_s = pick_number(phase, "begin_s", 0.0);
	double end_s = pick_number(phase, "end_s", 0.0);
	const json_t *pattern = pattern_of(document, number);
	double from = fmin(page_length(begin_s / wall_s), PAGE_WIDTH - LEAST);

	fprintf(out,
		"<tr><th scope=\"row\">phase %.0f</th><td class=\"bar\">"
		"<svg viewBox=\"0 0 %.0f 16\" preserveAspectRatio=\"none\" role=\"img\">"
		"<rect class=\"track\" y=\"1\" width=\"%.0f\" height=\"14\"/><rect class=\"phase\" "
		"x=\"%.1f\" y=\"1\" width=\"%.1f\" height=\"14\"><title>",
		number, PAGE_WIDTH, PAGE_WIDTH, from,
		fmax(page_length(end_s / wall_s) - from, LEAST));
	fprintf(out, "first at %s, ", number_seconds(begin_s).text);
	fprintf(out, "last until %s of the run", number_seconds(end_s).text);
	fputs("</title></rect></svg></td><td class=\"number\">", out);
	html_text(out, number_share(pick_number(phase, "share", 0.0)).text);
	fputs("</td><td class=\"words\">", out);
	if (pattern)
		put_pattern(out, pattern);
	else
		put_end(out, phase);
	fputs("</td></tr>\n", out);
}

void page_phases(FILE *out, const json_t *document)
{
	double wall_s = pick_number(document, "run.wall_s", 0.0);
	const json_t *phase;
	size_t i, n = 0;

	json_array_foreach(pick(document, "phases"), i, phase) {
		if (!(wall_s > 0.0) || n == ROWS_SHOWN ||
		    pick_number(phase, "share", 0.0) < SHARE_SHOWN)
			continue;
		if (!n++)
			fprintf(out,
				"<h2>Phases</h2>\n<p class=\"remark\">The track is the whole run, "
				"%s; the "
				"bar runs from when a phase is first entered until it is left "
				"last. "
				"Those under a hundredth of rank time are left out.</p>\n"
				"<div class=\"wide\"><table class=\"chart\">"
				"<tr><th></th><th class=\"bar\"></th>"
				"<th class=\"number\">of ranks</th><th>who sends to "
				"whom</th></tr>\n",
				number_seconds(wall_s).text);
		put_row(out, document, phase, wall_s);
	}
	if (n)
		fputs("</table></div>\n", out);
}
