/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each rank's time in its parts; of many ranks, those of several neighbours together. */
#include "common/number.h"
#include "report/html.h"
#include "report/page.h"
#include "report/pick.h"
#include "report/stacked.h"

#include <math.h>

#define ROWS_MOST 64
#define ROWS_HIGH 32 /* with more of them they are low */

#define HEIGHT 14.0 /* of a row, in the chart's units */

/* The ranks of a row, n from first on. */
static void put_row(FILE *out, const json_t *list, size_t first, size_t n)
{
	struct stacked sum = {{0}};
	double wall_s = 0.0, all_s;

	for (size_t i = first; i < first + n; i++) {
		const json_t *rank = json_array_get(list, i);

		stacked_add(&sum, pick(rank, "parts"));
		wall_s += pick_number(rank, "wall_s", 0.0);
	}
	all_s = fmax(wall_s, stacked_sum_s(&sum));
	fprintf(out, n == 1 ? "<tr><th scope=\"row\">rank %zu" : "<tr><th scope=\"row\">ranks %zu",
		first);
	if (n > 1)
		fprintf(out, "-%zu", first + n - 1);
	fprintf(out,
		"</th><td class=\"bar\"><svg role=\"img\" aria-label=\"its parts\" "
		"viewBox=\"0 0 %.0f %.0f\" preserveAspectRatio=\"none\">\n",
		PAGE_WIDTH, HEIGHT);
	stacked_put(out, &sum, &(struct stacked_box){0, 0, PAGE_WIDTH, HEIGHT, all_s, all_s});
	fputs("</svg></td></tr>\n", out);
}

void page_ranks(FILE *out, const json_t *document)
{
	const json_t *list = pick(document, "ranks");
	size_t ranks = json_array_size(list), per_row = (ranks + ROWS_MOST - 1) / ROWS_MOST;
	struct stacked all = {{0}};

	if (ranks < 2)
		return;
	fprintf(out,
		"<h2>Ranks</h2>\n<p class=\"remark\">Each rank's time in its parts%s: %s from "
		"edge to edge; point at a piece for its share.</p>\n<table class=\"chart "
		"ranks%s\">\n",
		per_row > 1 ? ", of neighbours together" : "",
		number_seconds(pick_number(document, "run.wall_s", 0.0)).text,
		ranks > ROWS_HIGH ? " many" : "");
	for (size_t first = 0; first < ranks; first += per_row)
		put_row(out, list, first, first + per_row < ranks ? per_row : ranks - first);
	fputs("</table>\n", out);
	stacked_add(&all, pick(document, "budget.parts"));
	stacked_key(out, &all, pick_number(document, "budget.total_s", 0.0));
}
