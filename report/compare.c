/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/compare.h"

#include "common/number.h"
#include "common/wording.h"
#include "report/compare_hotspots.h"
#include "report/compare_sites.h"
#include "report/cut_short.h"
#include "report/legend.h"
#include "report/noise.h"
#include "report/pick.h"
#include "report/text.h"
#include "report/unlike.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct per_rank {
	double s;
	double low_s;
	double high_s;
};

static struct per_rank part_of(const json_t *document, const char *name)
{
	const json_t *part = json_object_get(pick(document, "budget.parts"), name);
	double ranks = unlike_ranks(document);
	double scale = ranks > 0.0 ? 1.0 / ranks : 0.0;
	double s = pick_number(part, "s", 0.0);

	return (struct per_rank){s * scale, pick_number(part, "low_s", s) * scale,
				 pick_number(part, "high_s", s) * scale};
}

static double wall_of(const json_t *document)
{
	return pick_number(document, "run.wall_s", 0.0);
}

/*
 * MPI's start and end are the launcher's, the machine's and the recorder's more than the program's:
 * they are shown, but judge no version of it.
 */
static const char unjudged[] = "start_end";

/* What decides: the wall time without that, if it was recorded of this run and the other. */
static double judged_of(const json_t *document, const json_t *other)
{
	int known = unlike_all_recorded(document) && unlike_all_recorded(other);

	return fmax(wall_of(document) - (known ? part_of(document, unjudged).s : 0.0), 0.0);
}

/* What is left of a run, or was done until it was cut short, is less than its work. */
static int is_comparable(const json_t *base, const json_t *new)
{
	return !unlike_unusable(base) && !unlike_unusable(new);
}

/*
 * Is a part more or less beyond the noise and its bounds, and would it be, had the ranks of the run
 * that has more of it been without a core for as long in the other one?
 */
static const char *judge(const json_t *base, const json_t *new, const char *name, double noise)
{
	struct per_rank b = part_of(base, name), n = part_of(new, name);
	double wall_s = wall_of(base);
	int is_more = n.s > b.s;

	if (noise_covers(b.s, n.s, noise, wall_s))
		return "same";
	if (n.low_s <= b.high_s && n.high_s >= b.low_s)
		return "open";
	if (is_more)
		b.s += unlike_awaited_s(new);
	else
		n.s += unlike_awaited_s(base);
	if (noise_covers(b.s, n.s, noise, wall_s) || (n.s > b.s) != is_more)
		return "open";
	return is_more ? "worse" : "better";
}

static json_t *parts_section(const json_t *base, const json_t *new, double noise)
{
	json_t *parts = json_array();
	double wall_s = wall_of(base);
	int judged = is_comparable(base, new) && unlike_same_recorded(base, new);
	size_t i;

	for (i = 0; i < LEGEND_PARTS; i++) {
		const char *name = legend_at(i)->name;
		struct per_rank b = part_of(base, name);
		struct per_rank n = part_of(new, name);

		if (b.s == 0.0 && n.s == 0.0)
			continue;
		json_array_append_new(
			parts,
			json_pack("{s:s, s:f, s:f, s:f, s:s}", "name", name, "base_s", b.s, "new_s",
				  n.s, "share", wall_s > 0.0 ? (n.s - b.s) / wall_s : 0.0, "change",
				  judged && strcmp(name, unjudged) ? judge(base, new, name, noise)
								   : "unjudged"));
	}
	return parts;
}

static json_t *run_section(const json_t *document)
{
	return json_pack("{s:s, s:s, s:f, s:f}", "command", pick_text(document, "run.command", "?"),
			 "directory", pick_text(document, "run.directory", "?"), "ranks",
			 pick_number(document, "run.ranks", 0.0), "wall_s", wall_of(document));
}

/* -1: faster beyond the noise, 1: slower. What is next to nothing of the wall time is neither. */
static int direction_of(double base_s, double new_s, double noise, double wall_s)
{
	if (fabs(noise_change(base_s, new_s)) <= noise ||
	    fabs(new_s - base_s) <= fmin(noise, NOISE_SHARE) * wall_s)
		return 0;
	return new_s < base_s ? -1 : 1;
}

static int judged_direction(const json_t *base, const json_t *new, double noise)
{
	return direction_of(judged_of(base, new), judged_of(new, base), noise, wall_of(base));
}

/*
 * Is the difference beyond the noise, but would not be, had the ranks of the shorter run been
 * without a core for as long as those of the longer one? Then nobody can tell whose it is.
 */
static int is_undecided(const json_t *base, const json_t *new, double noise)
{
	int direction = judged_direction(base, new, noise);
	double awaited_s = unlike_awaited_s(direction > 0 ? new : base);

	return direction && direction_of(judged_of(base, new) + (direction > 0 ? awaited_s : 0.0),
					 judged_of(new, base) + (direction < 0 ? awaited_s : 0.0),
					 noise, wall_of(base)) != direction;
}

/*
 * How much of the difference may be ranks' waiting for a core; nothing where that is within the
 * noise.
 */
static void word_cores(const json_t *base, const json_t *new, double noise, size_t size,
		       char text[size])
{
	int direction = judged_direction(base, new, noise);
	double told_s = noise * fabs(judged_of(new, base) - judged_of(base, new));
	double awaited_s = unlike_awaited_s(direction > 0 ? new : base);
	double other_s = unlike_awaited_s(direction > 0 ? base : new);
	struct wording w = wording_begin(size, text);

	if (!direction || !(awaited_s > told_s))
		return;
	wording_add(&w, ", but waiting for cores may be up to %s of the %s run",
		    number_seconds(awaited_s).text, direction > 0 ? "new" : "base");
	if (other_s > told_s)
		wording_add(&w, " and %s of the %s one", number_seconds(other_s).text,
			    direction > 0 ? "base" : "new");
}

/*
 * Would there be no difference beyond the noise, had the ranks spent as much time outside MPI, or
 * in access to files? Then communication is not what changed; whether the program did, or its
 * machine, two runs cannot tell. In words, "" if not.
 */
static const char *word_outside(const json_t *base, const json_t *new, double noise)
{
	double base_s = judged_of(base, new), new_s = judged_of(new, base);
	double own_s = part_of(new, "compute").s - part_of(base, "compute").s;
	double files_s = part_of(new, "file_access").s - part_of(base, "file_access").s;
	const double apart_s[] = {own_s, files_s, own_s + files_s};
	static const char *const words[] = {
		", by the time that ranks spent outside MPI",
		", by the time that ranks spent in access to files",
		", by the time that ranks spent outside MPI and in access to files"};

	if (!unlike_same_recorded(base, new) || !judged_direction(base, new, noise))
		return "";
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (!direction_of(base_s, fmax(new_s - apart_s[i], 0.0), noise, wall_of(base)))
			return words[i];
	return "";
}

/*
 * The numbers decide. A program's name changes with its version, so that it is another is only
 * said; who compares what is not the same program has asked for it.
 */
static void word_verdict(const json_t *base, const json_t *new, double noise, size_t size,
			 char text[size])
{
	double change = noise_change(wall_of(base), wall_of(new));
	double judged = noise_change(judged_of(base, new), judged_of(new, base));
	int direction = judged_direction(base, new, noise);
	int is_open = is_undecided(base, new, noise);
	const char *word = !direction      ? "No difference beyond the noise"
			   : direction < 0 ? is_open ? "Cannot tell if faster" : "Faster"
			   : is_open       ? "Cannot tell if slower"
					   : "Slower";
	char cores[160];
	char if_same[120] = "";
	const char *outside = word_outside(base, new, noise);
	const char *b, *n;
	int b_length = (int)unlike_program(base, &b), n_length = (int)unlike_program(new, &n);

	if (!unlike_same_program(base, new))
		snprintf(if_same, sizeof(if_same), ", if %.*s and %.*s are the same program",
			 b_length > 40 ? 40 : b_length, b, n_length > 40 ? 40 : n_length, n);
	word_cores(base, new, noise, sizeof(cores), cores);
	if (direction != direction_of(wall_of(base), wall_of(new), noise, wall_of(base)))
		snprintf(text, size,
			 "%s, starting and ending MPI left out: %s instead of %s (%s); with it "
			 "%s instead of %s wall time%s%s%s.",
			 word, number_seconds(judged_of(new, base)).text,
			 number_seconds(judged_of(base, new)).text, number_change(judged).text,
			 number_seconds(wall_of(new)).text, number_seconds(wall_of(base)).text,
			 outside, if_same, cores);
	else if (!direction)
		snprintf(text, size, "%s: %s and %s wall time (%s)%s.", word,
			 number_seconds(wall_of(base)).text, number_seconds(wall_of(new)).text,
			 number_change(change).text, if_same);
	else
		snprintf(text, size, "%s: %s instead of %s wall time (%s)%s%s%s.", word,
			 number_seconds(wall_of(new)).text, number_seconds(wall_of(base)).text,
			 number_change(change).text, outside, if_same, cores);
}

/* What each of the two is, when one at least is no whole run. */
static void word_endings(const json_t *base, const json_t *new, size_t size, char text[size])
{
	const json_t *const runs[] = {base, new};
	char ends[2][120];

	for (size_t i = 0; i < 2; i++) {
		const char *why = unlike_unusable(runs[i]);

		if (cut_short(runs[i]))
			cut_short_text(runs[i], sizeof(ends[i]), ends[i]);
		else
			snprintf(ends[i], sizeof(ends[i]), "%s", why ? why : "finished");
		snprintf(ends[i] + strlen(ends[i]), sizeof(ends[i]) - strlen(ends[i]), " after %s",
			 number_seconds(wall_of(runs[i])).text);
	}
	snprintf(text, size, "Not comparable: the new run %s, the base run %s.", ends[1], ends[0]);
}

/* Why the new run is worse, in a few words each; none: it is not. */
static json_t *reasons_section(const json_t *base, const json_t *new,
			       const struct compare_band *band, const json_t *hotspots)
{
	json_t *list = json_array();
	const json_t *h;
	char place[400];
	size_t i;

	if (!is_comparable(base, new)) {
		if (cut_short(new) && !unlike_unusable(base))
			json_array_append_new(list, json_string("the new run did not finish"));
		return list;
	}
	if (judged_direction(base, new, band->noise) > 0 && !is_undecided(base, new, band->noise))
		json_array_append_new(list, json_string("slower beyond the noise"));
	json_array_foreach((json_t *)hotspots, i, h)
		if (unlike_same_recorded(base, new) && compare_is_worse_hotspot(h, band))
			json_array_append_new(
				list,
				json_sprintf("the hotspot %s %s at %s, severity %s",
					     pick_text(h, "kind", "?"),
					     strcmp(pick_text(h, "change", ""), "appeared")
						     ? "became larger"
						     : "appeared",
					     text_place(pick(h, "callsite"), sizeof(place), place),
					     pick_text(h, "severity", "?")));
	return list;
}

/* A change as a number; null: from nothing, or of what does not compare. */
static json_t *change_value(int comparable, double change)
{
	return comparable && isfinite(change) ? json_real(change) : json_null();
}

json_t *compare_documents(const json_t *base, const json_t *new, double noise, struct err *err)
{
	json_t *hotspots, *reasons, *comparison;
	struct compare_band band;
	int comparable;
	char verdict[500];

	if (pick_check(base, err) || pick_check(new, err))
		return NULL;
	comparable = is_comparable(base, new);
	band = (struct compare_band){noise, wall_of(base),
				     fmax(unlike_awaited_s(base), unlike_awaited_s(new))};
	hotspots = comparable ? compare_hotspots(base, new, &band) : json_array();
	reasons = reasons_section(base, new, &band, hotspots);
	if (comparable)
		word_verdict(base, new, noise, sizeof(verdict), verdict);
	else
		word_endings(base, new, sizeof(verdict), verdict);
	comparison = json_pack(
		"{s:s, s:f, s:b, s:b, s:o, s:b, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}",
		"schema", "contend-diff/1", "noise_share", noise, "comparable", comparable,
		"regression", json_array_size(reasons) > 0, "reasons", reasons, "undecided",
		comparable && is_undecided(base, new, noise), "verdict", verdict, "base",
		run_section(base), "new", run_section(new), "wall_change",
		change_value(comparable, noise_change(wall_of(base), wall_of(new))),
		"judged_change",
		change_value(comparable, noise_change(judged_of(base, new), judged_of(new, base))),
		"parts", parts_section(base, new, noise), "callsites",
		comparable && unlike_same_recorded(base, new) ? compare_sites(base, new, noise)
							      : json_array(),
		"hotspots", hotspots, "conditions", unlike_list(base, new));
	if (!comparison)
		err_set(err, "out of memory for the comparison");
	return comparison;
}

int compare_may_be_slower(const json_t *comparison)
{
	return json_is_true(pick(comparison, "undecided")) &&
	       pick_number(comparison, "judged_change", 0.0) > 0.0;
}

int compare_is_of_runs(const json_t *comparison)
{
	return json_is_true(pick(comparison, "comparable"));
}

int compare_is_regression(const json_t *comparison)
{
	return json_is_true(pick(comparison, "regression"));
}
