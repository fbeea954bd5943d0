/* SPDX-License-Identifier: GPL-3.0-or-later */
/* When ranks' time went where: their parts, one upon the other, over the run. */
#include "common/number.h"
#include "report/html.h"
#include "report/moments.h"
#include "report/page.h"
#include "report/pick.h"
#include "report/stacked.h"

#include <math.h>

#define PIECES 100 /* at most */
#define HEIGHT 140.0
#define NAMED  3    /* parts of a piece that is pointed at, */
#define WORTH  0.05 /* with so much of it */

struct pieces {
	size_t n;
	double s;     /* each of the run's, */
	double all_s; /* and of all ranks, at most */
	struct stacked of[PIECES], run;
};

static void read_pieces(const json_t *document, struct pieces *x)
{
	const json_t *parts = pick(document, "timeline.parts");

	x->n = (size_t)pick_number(document, "timeline.pieces", 0.0);
	x->n = x->n < PIECES ? x->n : PIECES;
	x->s = pick_number(document, "timeline.piece_s", 0.0);
	for (size_t i = 0; i < LEGEND_PARTS; i++) {
		const json_t *part = json_object_get(parts, legend_at(i)->name);

		for (size_t k = 0; k < x->n; k++) {
			double s = fmax(0.0, json_number_value(json_array_get(part, k)));

			x->of[k].part_s[i] = s;
			x->run.part_s[i] += s;
		}
	}
	for (size_t k = 0; k < x->n; k++)
		x->all_s = fmax(x->all_s, stacked_sum_s(&x->of[k]));
}

/* The parts before this one, and it too if with is 1, in a piece: from the top of the chart. */
static double height_at(const struct pieces *x, size_t k, size_t part, int with)
{
	double sum_s = 0.0;

	for (size_t i = 0; i < part + (size_t)with; i++)
		sum_s += x->of[k].part_s[i];
	return HEIGHT * (1.0 - sum_s / x->all_s);
}

/* There and back: above it and below. */
static void put_part(FILE *out, const struct pieces *x, size_t part)
{
	double width = PAGE_WIDTH / (double)x->n;

	fprintf(out, "<path fill=\"%s\" d=\"M0 %.1f", legend_at(part)->colour,
		height_at(x, 0, part, 1));
	for (size_t k = 0; k < x->n; k++)
		fprintf(out, "V%.1fH%.1f", height_at(x, k, part, 1), width * (double)(k + 1));
	for (size_t k = x->n; k-- > 0;)
		fprintf(out, "V%.1fH%.1f", height_at(x, k, part, 0), width * (double)k);
	fputs("Z\"/>\n", out);
}

/* What a piece says when it is pointed at: when it is, and its largest parts. */
static void put_piece(FILE *out, const struct pieces *x, size_t k)
{
	double width = PAGE_WIDTH / (double)x->n, all_s = stacked_sum_s(&x->of[k]);
	struct stacked left = x->of[k];

	fprintf(out,
		"<rect x=\"%.1f\" width=\"%.1f\" height=\"%.0f\" fill=\"none\" "
		"pointer-events=\"all\"><title>%s",
		width * (double)k, width, HEIGHT, number_seconds(x->s * (double)k).text);
	fprintf(out, " to %s", number_seconds(x->s * (double)(k + 1)).text);
	for (int n = 0; n < NAMED; n++) {
		size_t most = 0;

		for (size_t i = 1; i < LEGEND_PARTS; i++)
			most = left.part_s[i] > left.part_s[most] ? i : most;
		if (!(left.part_s[most] > WORTH * all_s))
			break;
		fputs(n ? ", " : ": ", out);
		html_text(out, legend_at(most)->label);
		fputs(" ", out);
		html_text(out, number_share(left.part_s[most] / all_s).text);
		left.part_s[most] = 0.0;
	}
	fputs("</title></rect>\n", out);
}

void page_timeline(FILE *out, const json_t *document)
{
	struct pieces x = {0};
	char text[200];

	read_pieces(document, &x);
	if (x.n < 2 || !(x.all_s > 0.0))
		return;
	fputs("<h2>Over time</h2>\n<p class=\"remark\">All ranks' time, from the run's begin to "
	      "its end",
	      out);
	if (*moments_of_largest(document, sizeof(text), text)) {
		fputs("; ", out);
		html_text(out, text);
	}
	if (pick_number(document, "budget.overlap_s", 0.0) > 0.0)
		fputs("; calls of several threads of a rank count each", out);
	fprintf(out,
		". Within a call its parts are taken as even; point at a moment for its "
		"shares.</p>\n<svg class=\"time\" role=\"img\" aria-label=\"the parts of all "
		"ranks' time over the run\" preserveAspectRatio=\"none\" viewBox=\"0 0 %.0f "
		"%.0f\">\n",
		PAGE_WIDTH, HEIGHT);
	for (size_t i = 0; i < LEGEND_PARTS; i++)
		if (x.run.part_s[i] > 0.0)
			put_part(out, &x, i);
	for (size_t k = 0; k < x.n; k++)
		put_piece(out, &x, k);
	fprintf(out, "</svg>\n<p class=\"axis\"><span>0 s</span><span>%s</span>",
		number_seconds(x.s * (double)x.n / 2.0).text);
	fprintf(out, "<span>%s</span></p>\n", number_seconds(x.s * (double)x.n).text);
	stacked_key(out, &x.run, stacked_sum_s(&x.run));
}
