/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the run would take otherwise, and what would help most. */
#include "report/text.h"

#include "common/number.h"
#include "common/wording.h"
#include "report/pick.h"
#include "report/rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define WORTH 0.01 /* of wall time */
#define WIDE  0.1  /* so much that may be saved is told */

static double share_at(const json_t *row, size_t k)
{
	return pick_item(row, "saves_share", k);
}

/* What it would take, and what that saves of the wall time: "46.0 %  40.1-50.2". */
static void put_saving(struct columns *c, const json_t *row, double wall_s)
{
	double likely = share_at(row, 1);
	struct number bounds = number_bounds(share_at(row, 0), share_at(row, 2));

	columns_put(c, INK_PLAIN, number_seconds(wall_s * (1.0 - likely)).text);
	columns_put(c, INK_HEADING, number_share(likely).text);
	columns_put(c, INK_PLAIN, *bounds.text ? bounds.text : number_share(likely).text);
}

static void put_prediction(struct columns *c, const json_t *row)
{
	columns_add(c);
	columns_put(c, INK_PLAIN, pick_text(row, "title", "?"));
	put_saving(c, row, pick_number(row, "of_s", 0.0));
}

/* "em3d.c:223", or what else there is of its place; "" of the whole program. */
static void place_of(const json_t *row, size_t size, char buffer[size])
{
	json_t *site = json_copy(json_object_get(row, "callsite"));

	if (pick_text(site, "file", NULL))
		json_object_del(site, "function");
	if (json_is_object(site))
		text_place(site, size, buffer);
	else
		snprintf(buffer, size, "%s", "");
	json_decref(site);
}

const char *text_change(const json_t *row, size_t size, char buffer[size])
{
	char place[400];

	place_of(row, sizeof(place), place);
	snprintf(buffer, size, "%s%s%s", place, *place ? " " : "", pick_text(row, "title", "?"));
	return buffer;
}

/* Of a change that is known. */
static void put_change(struct columns *c, const json_t *row)
{
	char text[600];

	columns_add(c);
	columns_put(c, INK_PLAIN, text_change(row, sizeof(text), text));
	put_saving(c, row, pick_number(row, "of_s", 0.0));
}

/* Of a hotspot: its fix. */
static void put_fix(struct columns *c, const json_t *row)
{
	char text[400];

	snprintf(text, sizeof(text), "%s: %s", pick_text(row, "kind", "?"),
		 pick_text(row, "title", "?"));
	columns_add(c);
	columns_put(c, INK_PLAIN, text);
	put_saving(c, row, pick_number(row, "of_s", 0.0));
}

#define COLUMNS 4
static const struct column machine_columns[COLUMNS] = {
	{"with", COLUMN_TITLE},
	{"takes", COLUMN_RIGHT},
	{"saves", COLUMN_RIGHT},
	{"least-most", COLUMN_RIGHT},
};
static const struct column fix_columns[COLUMNS] = {
	{"without", COLUMN_TITLE},
	{"takes", COLUMN_RIGHT},
	{"saves", COLUMN_RIGHT},
	{"least-most", COLUMN_RIGHT},
};
static const struct rows changes = {"WITH THE PROGRAM CHANGED", NULL, COLUMNS, machine_columns,
				    put_change};
static const struct rows machines = {"THE SAME RUN, REPLAYED", "", COLUMNS, machine_columns,
				     put_prediction};
static const struct rows fixes = {"WITH ITS HOTSPOTS MENDED", NULL, COLUMNS, fix_columns, put_fix};

/* Its rows that have savings, each with what the run takes now; caller: json_decref. */
static json_t *rows_of(const json_t *document, const char *key)
{
	json_t *all = json_deep_copy(pick(document, key)), *list = json_array(), *row;
	size_t i;

	json_array_foreach(all, i, row) {
		if (!pick(row, "saves_share"))
			continue;
		json_object_set_new(row, "of_s",
				    json_real(pick_number(document, "run.wall_s", 0.0)));
		json_array_append(list, row);
	}
	json_decref(all);
	return list;
}

/* The one that likely saves most, if it is more than the best so far. */
static const json_t *best_of(const json_t *list, const json_t *best)
{
	const json_t *row;
	size_t i;

	json_array_foreach((json_t *)list, i, row)
		if (pick(row, "saves_share") && (!best || share_at(row, 1) > share_at(best, 1)))
			best = row;
	return best;
}

static size_t count_of(const json_t *document, const char *key)
{
	return json_array_size(pick(document, key));
}

/* What is not known of what was asked. */
static void put_unknown(struct layout *l, const json_t *document)
{
	json_t *row;
	size_t i;
	char text[800];

	json_array_foreach((json_t *)pick(document, "changes"), i, row) {
		if (pick(row, "saves_share"))
			continue;
		snprintf(text, sizeof(text), "\nnot known of %s: %s", pick_text(row, "title", "?"),
			 pick_text(row, "why_not", "?"));
		layout_words(l, text);
	}
}

/* How much longer or shorter the run is so: "16.4 % shorter". */
static void effect_of(const json_t *row, size_t size, char buffer[size])
{
	double share = share_at(row, 1), most = share_at(row, 2);

	if (fabs(share) < WORTH && most >= WIDE)
		snprintf(buffer, size, "about as long, but perhaps up to %s shorter",
			 number_share(most).text);
	else if (fabs(share) < WORTH)
		snprintf(buffer, size, "about as long");
	else
		snprintf(buffer, size, "%s %s", number_share(fabs(share)).text,
			 share > 0 ? "shorter" : "longer");
}

/* The first, or one more of n: "; with sends begun with MPI_Isend at em3d.c:223 16.4 % shorter". */
static void add_effect(const json_t *row, size_t n, struct wording *w)
{
	char effect[80], place[400];

	effect_of(row, sizeof(effect), effect);
	place_of(row, sizeof(place), place);
	wording_add(w, "%s %s%s%s%s %s", n ? "; with" : "With", pick_text(row, "title", "?"),
		    *place ? " at " : "", place, n ? "" : " the run would likely be", effect);
}

/*
 * What is asked, in one sentence: of each kind of change that is known the best, its first. Returns
 * how many there are.
 */
static size_t put_asked(const json_t *document, size_t size, char text[size])
{
	struct wording w = wording_begin(size, text);
	const char *before = "";
	const json_t *row;
	size_t i, n = 0;

	json_array_foreach((json_t *)pick(document, "predictions"), i, row)
		add_effect(row, n++, &w);
	json_array_foreach((json_t *)pick(document, "changes"), i, row) {
		const char *kind = pick_text(row, "kind", "");

		if (!pick(row, "saves_share") || !strcmp(before, kind))
			continue;
		before = kind;
		add_effect(row, n++, &w);
	}
	wording_add(&w, ".");
	return n;
}

/* What would help, in words. */
static void put_answer(struct layout *l, const json_t *document)
{
	const json_t *changed = pick(document, "changes");
	const json_t *best = best_of(changed, best_of(pick(document, "predictions"), NULL));
	const json_t *fix = json_array_get(pick(document, "hotspots"), 0);
	char text[2000], effect[80];

	layout_begin(l, "", 0);
	if (json_array_size(changed) && put_asked(document, sizeof(text), text) > 0)
		; /* that is all */
	else if (!best && count_of(document, "changes"))
		snprintf(text, sizeof(text), "What the run would take so is not known.");
	else if (best && fabs(share_at(best, 1)) >= WORTH) {
		effect_of(best, sizeof(effect), effect);
		snprintf(text, sizeof(text), "With %s the run would likely be %s.",
			 pick_text(best, "title", "?"), effect);
	} else
		snprintf(text, sizeof(text),
			 "No machine that is better in one of these ways would likely make the run "
			 "1 %% shorter.");
	layout_words(l, text);
	if (fix && share_at(fix, 1) >= WORTH && (!best || share_at(fix, 1) > share_at(best, 1))) {
		snprintf(text, sizeof(text), "To mend its first hotspot would %s %s.",
			 best ? "save more:" : "likely save", number_share(share_at(fix, 1)).text);
		layout_words(l, text);
	}
	put_unknown(l, document);
	layout_end(l);
}

static int put_table(struct layout *l, const json_t *document, const char *key,
		     const struct rows *t, struct err *err)
{
	json_t *list = rows_of(document, key);
	int ret = t == &machines ? rows_print(l, t, list, json_array_size(list), err)
				 : rows_print_top(l, t, list, err);

	json_decref(list);
	return ret;
}

static void put_next(struct layout *l, const json_t *document)
{
	const char *run = pick_text(document, "run.directory", NULL);
	char word[1024];

	text_shell_word(run ? run : "RUN", sizeof(word), word);
	fprintf(l->out, "\nWhere its time goes, and why:\n  %scontend report %s%s\n",
		style_ink(l->style, INK_HEADING), word, style_reset(l->style));
}

int text_predict(const json_t *document, const struct style *style, FILE *out, struct err *err)
{
	struct layout l = {.out = out, .style = style};

	if (pick_check(document, err))
		return -1;
	text_run(&l, document);
	put_answer(&l, document);
	if (put_table(&l, document, "predictions", &machines, err) ||
	    put_table(&l, document, "changes", &changes, err) ||
	    put_table(&l, document, "hotspots", &fixes, err))
		return -1;
	layout_line(&l, "", 2,
		    "saves are % of what the run takes now, of each by itself: with the order "
		    "and the algorithms of now where nothing else is said");
	text_conditions(&l, document);
	put_next(&l, document);
	return 0;
}
