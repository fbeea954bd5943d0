/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who sends to whom, how much, and how long these messages are in contention: two matrices. */
#include "common/number.h"
#include "report/html.h"
#include "report/page.h"
#include "report/pick.h"

#include <math.h>

#define FAINTEST 0.08 /* of a cell that has anything */
#define MARGIN   0.11 /* of the chart, for the numbers of ranks */
#define TICKS    8    /* numbers on a side, about */

/* One of the two. */
struct map {
	const char *title, *key, *colour;
	double most; /* of all cells */
};

/* How the cells lie. */
struct grid {
	double per;      /* ranks in a cell, */
	double side;     /* and cells on a side */
	double at, step; /* the chart's units: the first cell, and each */
};

static struct grid grid_of(const json_t *document)
{
	double ranks = pick_number(document, "run.ranks", 1.0), at = MARGIN * PAGE_WIDTH;
	struct grid g = {fmax(pick_number(document, "traffic.ranks_per_cell", 1.0), 1.0), 1.0, at,
			 0.0};

	g.side = fmax(ceil(ranks / g.per), 1.0);
	g.step = (PAGE_WIDTH - at) / g.side;
	return g;
}

static void put_ranks(FILE *out, double first, double per)
{
	if (per > 1.0)
		fprintf(out, "ranks %.0f-%.0f", first, first + per - 1.0);
	else
		fprintf(out, "rank %.0f", first);
}

static void put_cell(FILE *out, const struct map *m, const struct grid *g, const json_t *cell)
{
	double from = pick_number(cell, "from", 0.0), to = pick_number(cell, "to", 0.0);
	double value = pick_number(cell, m->key, 0.0);

	if (!(value > 0.0) || !(from / g->per < g->side) || !(to / g->per < g->side))
		return;
	fprintf(out,
		"<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\" "
		"fill-opacity=\"%.2f\"><title>",
		g->at + to / g->per * g->step, g->at + from / g->per * g->step, 0.96 * g->step,
		0.96 * g->step, m->colour, fmax(FAINTEST, fmin(value / m->most, 1.0)));
	put_ranks(out, from, g->per);
	fputs(" to ", out);
	put_ranks(out, to, g->per);
	fprintf(out, ": %s messages, ", number_count(pick_number(cell, "messages", 0.0)).text);
	fprintf(out, "%s, ", number_bytes(pick_number(cell, "bytes", 0.0)).text);
	fprintf(out, "contention %s</title></rect>\n",
		number_seconds(pick_number(cell, "contention_s", 0.0)).text);
}

/* Numbers of ranks on both sides: senders downwards, receivers to the right. */
static void put_axes(FILE *out, const struct grid *g)
{
	double every = fmax(ceil(g->side / TICKS), 1.0);

	for (double k = 0; k < g->side; k += every) {
		double middle = g->at + (k + 0.5) * g->step;

		fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%.0f</text>\n",
			middle, g->at - 12.0, k * g->per);
		fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">%.0f</text>\n",
			g->at - 10.0, middle + 9.0, k * g->per);
	}
	fprintf(out, "<text x=\"%.1f\" y=\"28\" text-anchor=\"end\">to</text>\n", PAGE_WIDTH);
	fprintf(out, "<text x=\"0\" y=\"28\">from</text>\n");
	fprintf(out,
		"<rect class=\"grid\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>\n",
		g->at, g->at, g->side * g->step, g->side * g->step);
}

static void put_map(FILE *out, const struct map *m, const struct grid *g, const json_t *cells)
{
	const json_t *cell;
	size_t i;

	fprintf(out, "<figure><svg role=\"img\" viewBox=\"0 0 %.0f %.0f\"><title>%s</title>\n",
		PAGE_WIDTH, PAGE_WIDTH, m->title);
	put_axes(out, g);
	json_array_foreach(cells, i, cell)
		put_cell(out, m, g, cell);
	fprintf(out, "</svg><figcaption>%s; the darkest cell: ", m->title);
	fputs(m->key[0] == 'b' ? number_bytes(m->most).text : number_seconds(m->most).text, out);
	fputs("</figcaption></figure>\n", out);
}

void page_traffic(FILE *out, const json_t *document)
{
	struct map maps[] = {{"bytes", "bytes", "#4c78a8", 0.0},
			     {"contention of these messages, an estimate", "contention_s",
			      "#e15759", 0.0}};
	const json_t *cells = pick(document, "traffic.cells"), *cell;
	struct grid g = grid_of(document);
	size_t i;

	json_array_foreach(cells, i, cell)
		for (size_t k = 0; k < 2; k++)
			maps[k].most = fmax(maps[k].most, pick_number(cell, maps[k].key, 0.0));
	if (!(maps[0].most > 0.0))
		return;
	fprintf(out,
		"<h2>Who sends to whom</h2>\n<p class=\"remark\">Senders downwards, receivers to "
		"the right%s; point at a cell for its numbers.</p>\n<div class=\"maps\">\n",
		g.per > 1.0 ? ", neighbours together" : "");
	for (size_t k = 0; k < 2; k++)
		if (maps[k].most > 0.0)
			put_map(out, &maps[k], &g, cells);
	fputs("</div>\n", out);
}
