/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/number.h"
#include "common/wording.h"
#include "report/columns.h"
#include "report/compare.h"
#include "report/legend.h"
#include "report/pick.h"
#include "report/rows.h"
#include "report/text.h"

#include <string.h>

static enum ink ink_of(const char *change)
{
	if (!strcmp(change, "better") || !strcmp(change, "gone") || !strcmp(change, "smaller") ||
	    !strcmp(change, "less"))
		return INK_GOOD;
	if (!strcmp(change, "worse") || !strcmp(change, "appeared") || !strcmp(change, "larger") ||
	    !strcmp(change, "more"))
		return INK_BAD;
	return INK_DIM;
}

static void put_run(struct layout *l, const char *label, const json_t *run)
{
	layout_begin(l, label, 6);
	layout_item(l, INK_HEADING, "%s", pick_text(run, "directory", "?"));
	layout_end(l);
	layout_begin(l, "", 6);
	layout_words(l, pick_text(run, "command", "?"));
	layout_item(l, INK_PLAIN, "%.0f rank%s", pick_number(run, "ranks", 0.0),
		    pick_number(run, "ranks", 0.0) == 1.0 ? "" : "s");
	layout_item(l, INK_PLAIN, "%s", number_seconds(pick_number(run, "wall_s", 0.0)).text);
	layout_end(l);
}

static const char *label_of(const char *name)
{
	const char *label = legend_label(name);

	return label ? label : name;
}

/* What is said of a change beside better and worse, and what that means. */
static const struct remark {
	const char *change, *text, *meaning;
} remarks[] = {
	{"same", "noise",
	 "the difference is within the band (--noise=PERCENT of the base's value) or under 0.2 % "
	 "of its wall time"},
	{"open", "open",
	 "the bounds of the two overlap, or ranks that waited for a core may explain it, so "
	 "neither is proven to be more"},
	{"unjudged", "not judged",
	 "starting and ending MPI, which is not the program's doing, or all where not as much of "
	 "both runs was recorded"},
};

#define N_REMARKS (sizeof(remarks) / sizeof(remarks[0]))

static const char *remark_of(const char *change)
{
	for (size_t i = 0; i < N_REMARKS; i++)
		if (!strcmp(remarks[i].change, change))
			return remarks[i].text;
	return change;
}

static int has_change(const json_t *parts, const char *change)
{
	const json_t *part;
	size_t i;

	json_array_foreach((json_t *)parts, i, part)
		if (!strcmp(pick_text(part, "change", "same"), change))
			return 1;
	return 0;
}

/* What those remarks mean that the table has. */
static void put_remarks(struct layout *l, const json_t *comparison)
{
	char text[300];

	for (size_t i = 0; i < N_REMARKS; i++) {
		if (!has_change(pick(comparison, "parts"), remarks[i].change))
			continue;
		snprintf(text, sizeof(text), "%s: %s", remarks[i].text, remarks[i].meaning);
		layout_line(l, "", 2, text);
	}
}

static int put_parts(struct layout *l, const json_t *comparison, struct err *err)
{
	static const struct column heads[] = {
		{"", COLUMN_CUT},          {"base", COLUMN_RIGHT},
		{"new", COLUMN_RIGHT},     {"difference", COLUMN_SPARE},
		{"of base", COLUMN_RIGHT}, {"", COLUMN_LEFT},
	};
	struct columns *c = columns_new(l->style, 6, heads);
	const json_t *part;
	char remark[80];
	size_t i;
	int ret;

	if (!c)
		return err_set(err, "out of memory for the table of changes");
	json_array_foreach((json_t *)pick(comparison, "parts"), i, part) {
		const char *change = pick_text(part, "change", "same");
		double base_s = pick_number(part, "base_s", 0.0);
		double new_s = pick_number(part, "new_s", 0.0);

		columns_add(c);
		columns_put(c, INK_PLAIN, label_of(pick_text(part, "name", "?")));
		columns_put(c, INK_PLAIN, number_seconds(base_s).text);
		columns_put(c, INK_PLAIN, number_seconds(new_s).text);
		columns_put(c, INK_PLAIN, number_seconds(new_s - base_s).text);
		columns_put(c, INK_PLAIN, number_change(pick_number(part, "share", 0.0)).text);
		columns_put(c, ink_of(change), remark_of(change));
	}
	snprintf(remark, sizeof(remark), "per rank; share of base wall time; noise band %s",
		 number_share(pick_number(comparison, "noise_share", 0.0)).text);
	layout_heading(l, "WHERE TIME GOES", remark);
	ret = columns_print(c, l->out, err);
	columns_free(c);
	put_remarks(l, comparison);
	return ret;
}

static void put_site(struct columns *c, const json_t *row)
{
	const char *change = pick_text(row, "change", "same");

	columns_add(c);
	cell_number(c, number_seconds, row, "base_s");
	cell_number(c, number_seconds, row, "new_s");
	columns_put(c, ink_of(change), change);
	cell_number(c, number_count, row, "base_calls");
	cell_number(c, number_count, row, "new_calls");
	cell_text(c, pick(row, "callsite"), "mpi");
	cell_place(c, pick(row, "callsite"));
}

/* The places that changed. */
static int put_sites(struct layout *l, const json_t *comparison, struct err *err)
{
	static const struct column columns[] = {
		{"base", COLUMN_RIGHT},  {"new", COLUMN_RIGHT}, {"", COLUMN_SPARE},
		{"calls", COLUMN_SPARE}, {"now", COLUMN_SPARE}, {"call", COLUMN_LEFT},
		{"where", COLUMN_CUT},
	};
	struct rows t = {"CALL SITES", "time and calls per rank; those beyond the noise", 7,
			 columns, put_site};
	json_t *changed = json_array();
	const json_t *site;
	size_t i;
	int ret;

	json_array_foreach((json_t *)pick(comparison, "callsites"), i, site)
		if (strcmp(pick_text(site, "change", ""), "same") != 0)
			json_array_append(changed, (json_t *)site);
	if (json_array_size(changed) > l->style->top)
		t.remark = "per rank; beyond the noise; --top=N shows more";
	ret = rows_print_top(l, &t, changed, err);
	json_decref(changed);
	return ret;
}

/* What of it was, and is, in the new run; both where it is in both. */
static void put_saves(struct layout *l, const json_t *hotspot, const char *label, size_t which)
{
	double base_s = pick_item(hotspot, "base_saves_s", which);
	double new_s = pick_item(hotspot, "new_saves_s", which);
	int is_new = json_is_array(pick(hotspot, "new_saves_s"));

	if (is_new && json_is_array(pick(hotspot, "base_saves_s")))
		layout_item(l, INK_PLAIN, "%s %s, now %s", label, number_seconds(base_s).text,
			    number_seconds(new_s).text);
	else
		layout_item(l, INK_PLAIN, "%s %s", label,
			    number_seconds(is_new ? new_s : base_s).text);
}

static void put_hotspot(struct layout *l, const json_t *hotspot)
{
	const char *change = pick_text(hotspot, "change", "same");
	const char *severity = pick_text(hotspot, "severity", "low");
	const char *was = pick_text(hotspot, "base_severity", severity);
	char place[400];

	layout_begin(l, "", 2);
	layout_pad(l, 2);
	layout_put(l, ink_of(change), change);
	layout_pad(l, 12);
	layout_put(l, INK_PLAIN, pick_text(hotspot, "kind", "?"));
	layout_put(l, INK_PLAIN, "  ");
	layout_pad(l, 20);
	l->indent = 20;
	layout_words(l, pick_text(hotspot, "title", "?"));
	layout_end(l);
	layout_begin(l, "", 20);
	layout_item(l, INK_PLAIN, "%s", pick_text(hotspot, "callsite.mpi", "MPI"));
	layout_item(l, INK_PLAIN, "%s",
		    text_place(pick(hotspot, "callsite"), sizeof(place), place));
	layout_end(l);
	layout_begin(l, "", 20);
	if (strcmp(was, severity) != 0)
		layout_item(l, INK_PLAIN, "severity %s, now %s", was, severity);
	else
		layout_item(l, INK_PLAIN, "severity %s", severity);
	put_saves(l, hotspot, "likely", 1);
	put_saves(l, hotspot, "at most", 2);
	layout_end(l);
}

static void put_hotspots(struct layout *l, const json_t *comparison)
{
	const json_t *list = pick(comparison, "hotspots");
	size_t n = json_array_size(list);
	size_t i;

	layout_heading(l, "HOTSPOTS", n ? "what each costs, of wall time" : "");
	if (!n)
		layout_line(l, "", 2, "none in either run");
	for (i = 0; i < n && i < l->style->top; i++)
		put_hotspot(l, json_array_get(list, i));
	if (i < n) {
		layout_begin(l, "", 2);
		layout_item(l, INK_PLAIN, "and %zu more: --top=%zu shows them", n - i, n);
		layout_end(l);
	}
}

static void put_reasons(struct layout *l, const json_t *comparison)
{
	const json_t *reasons = pick(comparison, "reasons"), *reason;
	char text[1000];
	struct wording w = wording_begin(sizeof(text), text);
	size_t i;

	json_array_foreach((json_t *)reasons, i, reason)
		wording_add(&w, "%s%s", i ? "; " : "A regression: ",
			    json_is_string(reason) ? json_string_value(reason) : "?");
	if (w.used)
		layout_line(l, "", 0, text);
}

static void put_conditions(struct layout *l, const json_t *comparison)
{
	const json_t *conditions = pick(comparison, "conditions");
	const json_t *sentence;
	size_t i;

	if (!json_array_size(conditions))
		return;
	layout_heading(l, "CONDITIONS", "");
	json_array_foreach((json_t *)conditions, i, sentence)
		layout_line(l, "- ", 2,
			    json_is_string(sentence) ? json_string_value(sentence) : "?");
}

static void put_command(struct layout *l, const char *directory)
{
	char word[1024];

	layout_begin(l, "  ", 2);
	layout_put(l, INK_HEADING, "contend report ");
	layout_put(l, INK_HEADING, text_shell_word(directory, sizeof(word), word));
	layout_end(l);
}

int compare_text(const json_t *comparison, const struct style *style, FILE *out, struct err *err)
{
	int comparable = !json_is_false(pick(comparison, "comparable"));
	struct layout l = {.out = out, .style = style};

	put_run(&l, "base", pick(comparison, "base"));
	put_run(&l, "new", pick(comparison, "new"));
	layout_line(&l, "", 0, pick_text(comparison, "verdict", "?"));
	put_reasons(&l, comparison);
	put_conditions(&l, comparison);
	if (comparable) {
		put_hotspots(&l, comparison);
		if (put_parts(&l, comparison, err) || put_sites(&l, comparison, err))
			return -1;
	}
	fprintf(out, "\n%s in full:\n", comparable ? "The new run" : "Each run");
	if (!comparable)
		put_command(&l, pick_text(comparison, "base.directory", "RUN"));
	put_command(&l, pick_text(comparison, "new.directory", "RUN"));
	return 0;
}
