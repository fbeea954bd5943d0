/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/number.h"
#include "report/budget_rows.h"
#include "report/columns.h"
#include "report/moments.h"
#include "report/pick.h"
#include "report/rows.h"
#include "report/text.h"

#include <stdlib.h>
#include <string.h>

/* Parts that print as 0.0 % of both views are left out. */
#define SHARE_SHOWN 0.0005

#define BAR_MAX 40

static struct number share_or_dash(double share)
{
	return share == 0.0 ? (struct number){"-"} : number_share(share);
}

/* Leaves the parts worth a line; returns how many. */
static size_t keep_shown(struct budget_row rows[LEGEND_PARTS])
{
	size_t n = 0;

	for (size_t i = 0; i < LEGEND_PARTS; i++)
		if (rows[i].share >= SHARE_SHOWN || rows[i].blame >= SHARE_SHOWN)
			rows[n++] = rows[i];
	return n;
}

/* Columns of the table beside its labels: time, of ranks, bounds, of messages; with gaps. */
#define NUMBERS_WIDTH (2 + 9 + 10 + 13)
#define BOUNDS_WIDTH  13
#define BAR_MIN       6

/* What of the table fits; narrow terminals get fewer columns rather than broken lines. */
struct budget_shape {
	int bounds;
	unsigned bar; /* its width, 0 = none */
};

static struct budget_shape shape_of(const struct style *s, size_t n, const struct budget_row *rows)
{
	struct budget_shape shape = {0, 0};
	unsigned used = 0;
	size_t i;

	for (i = 0; i < n; i++)
		if (layout_columns(rows[i].legend->label) > used)
			used = layout_columns(rows[i].legend->label);
	used += NUMBERS_WIDTH;
	shape.bounds = used + BOUNDS_WIDTH <= s->width;
	used += BOUNDS_WIDTH;
	if (used + 2 + BAR_MIN <= s->width)
		shape.bar = s->width - used - 2;
	if (shape.bar > BAR_MAX)
		shape.bar = BAR_MAX;
	return shape;
}

static void add_budget_row(struct columns *c, const struct style *s, struct budget_shape shape,
			   const struct budget_row *row)
{
	char bar[3 * BAR_MAX + 4];

	columns_add(c);
	columns_put(c, INK_PLAIN, row->legend->label);
	columns_put(c, INK_PLAIN, seconds_or_dash(row->s).text);
	columns_put(c, INK_PLAIN, share_or_dash(row->share).text);
	if (shape.bounds)
		columns_put(c, INK_PLAIN, number_bounds(row->low, row->high).text);
	columns_put(c, INK_PLAIN, share_or_dash(row->blame).text);
	if (shape.bar)
		columns_put(c, INK_DIM, style_bar(s, row->share, shape.bar, bar));
}

static struct columns *budget_columns(const struct style *s, struct budget_shape shape)
{
	static const struct column wide[] = {
		{"", COLUMN_CUT},
		{"time", COLUMN_RIGHT},
		{"of ranks", COLUMN_RIGHT},
		{"bounds, %", COLUMN_RIGHT},
		{"of messages", COLUMN_RIGHT},
		{"", COLUMN_LEFT},
	};
	static const struct column narrow[] = {
		{"", COLUMN_CUT},
		{"time", COLUMN_RIGHT},
		{"of ranks", COLUMN_RIGHT},
		{"of messages", COLUMN_RIGHT},
	};

	if (!shape.bounds)
		return columns_new(s, 4, narrow);
	return columns_new(s, shape.bar ? 6 : 5, wide);
}

/* What ranks that ended before others have missed of the run is no time of theirs. */
#define MISSED_WORTH 0.001

static int have_missed_some(const json_t *document)
{
	double ranks = pick_number(document, "run.ranks", 0.0);
	double all_s = ranks * pick_number(document, "run.wall_s", 0.0);

	return json_array_size(pick(document, "run.unfinished")) > 0 &&
	       pick_number(document, "budget.total_s", 0.0) < (1.0 - MISSED_WORTH) * all_s;
}

/* What the shares of the table are shares of. */
static void put_budget_heading(struct layout *l, const json_t *document)
{
	double mean_s = pick_number(document, "blame.mean_s", 0.0);
	double messages = pick_number(document, "blame.messages", 0.0);
	struct number total = number_seconds(pick_number(document, "budget.total_s", 0.0));
	const char *what =
		pick_number(document, "run.recorded_share", 1.0) < 1.0   ? "ranks' recorded time"
		: pick_number(document, "run.left_out_ranks", 0.0) > 0.0 ? "recorded ranks' time"
		: have_missed_some(document) ? "ranks' time until each ended"
					     : "ranks' time";
	double to_self = pick_number(document, "messages.to_self", 0.0);
	char self[48] = "", remark[160];

	if (to_self > 0.0)
		snprintf(self, sizeof(self), " (%s to self)", number_count(to_self).text);
	if (messages > 0.0)
		snprintf(remark, sizeof(remark), "%s %s; %s messages%s, %s each", what, total.text,
			 number_count(messages).text, self, number_seconds(mean_s).text);
	else
		snprintf(remark, sizeof(remark), "%s %s", what, total.text);
	layout_heading(l, "WHERE TIME GOES", remark);
}

/* When it was that most was lost, where that is a small part of the run. */
static void put_moments(struct layout *l, const json_t *document)
{
	char text[200];

	if (!*moments_of_largest(document, sizeof(text), text))
		return;
	layout_line(l, "", 2, text);
}

int text_budget_table(struct layout *l, const json_t *document, struct err *err)
{
	double total_s = pick_number(document, "budget.total_s", 0.0);
	struct budget_row rows[LEGEND_PARTS];
	struct budget_shape shape;
	struct columns *c;
	size_t n = 0;
	int ret;

	if (total_s > 0.0) {
		budget_rows(document, rows);
		n = keep_shown(rows);
	}
	shape = shape_of(l->style, n, rows);
	c = budget_columns(l->style, shape);
	if (!c)
		return err_set(err, "out of memory for the table of the budget");
	for (size_t i = 0; i < n; i++)
		add_budget_row(c, l->style, shape, &rows[i]);
	put_budget_heading(l, document);
	ret = columns_print(c, l->out, err);
	columns_free(c);
	put_moments(l, document);
	return ret;
}

/* A rank by name, where there is anything that it has most or least of. */
static void put_rank(struct columns *c, const json_t *row, const char *value, const char *rank)
{
	if (pick_number(row, value, 0.0) == 0.0)
		columns_put(c, INK_DIM, "-");
	else
		columns_put(c, INK_DIM, number_count(pick_number(row, rank, 0.0)).text);
}

int text_ranks_table(struct layout *l, const json_t *document, struct err *err)
{
	static const struct column heads[] = {
		{"", COLUMN_LEFT},        {"least", COLUMN_RIGHT}, {"rank", COLUMN_RIGHT},
		{"median", COLUMN_RIGHT}, {"most", COLUMN_RIGHT},  {"rank", COLUMN_RIGHT},
	};
	static const char *const names[] = {"compute", "communication", "contention",
					    "file_access"};
	static const char *const labels[] = {"computation", "communication", "of it contention",
					     "file access"};
	struct columns *c;
	size_t i;
	int ret;

	if (pick_number(document, "run.ranks", 0.0) < 2.0 ||
	    !json_object_size(pick(document, "spread")))
		return 0;
	c = columns_new(l->style, 6, heads);
	if (!c)
		return err_set(err, "out of memory for the table of ranks");
	for (i = 0; i < sizeof(names) / sizeof(*names); i++) {
		const json_t *row = pick(pick(document, "spread"), names[i]);

		if (!row)
			continue;
		columns_add(c);
		columns_put(c, INK_PLAIN, labels[i]);
		cell_number(c, number_seconds, row, "min_s");
		put_rank(c, row, "min_s", "min_rank");
		cell_number(c, number_seconds, row, "median_s");
		cell_number(c, number_seconds, row, "max_s");
		put_rank(c, row, "max_s", "max_rank");
	}
	layout_heading(l, "RANKS", "");
	ret = columns_print(c, l->out, err);
	columns_free(c);
	return ret;
}
