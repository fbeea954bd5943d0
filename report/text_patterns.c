/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The pattern of each main phase, or of the run if none is main: its name, what of the volume it
 * explains, where it is sent.
 */
#include "common/number.h"
#include "report/main_phases.h"
#include "report/pick.h"
#include "report/text.h"

#include <stdio.h>
#include <string.h>

/* Columns: phase, then the name. */
#define NAME_COLUMN 11

/* Of the bytes, or of the communication's time: what has less matters less. */
#define SHARE_SHOWN 0.1

#define COLLECTIVES_MOST 3

static int has_scope(const json_t *pattern, const char *scope)
{
	return !strcmp(pick_text(pattern, "scope", ""), scope);
}

/* Where the phase's messages are sent: its place, or that of several which sends most. */
static const json_t *place_of(const json_t *list, const json_t *pattern)
{
	double phase = pick_number(pattern, "phase", 0.0);
	const json_t *other;
	size_t i;

	if (pick_text(pattern, "callsite.mpi", NULL))
		return pick(pattern, "callsite");
	json_array_foreach(list, i, other)
		if (has_scope(other, "callsite") && pick_number(other, "phase", 0.0) == phase)
			return pick(other, "callsite");
	return NULL;
}

/* Patterns leave out what ranks send to themselves. */
static void put_place(struct layout *l, const json_t *document, const json_t *pattern)
{
	const json_t *list = pick(document, "patterns");
	double to_self = pick_number(document, "messages.to_self", 0.0);
	const json_t *callsite = place_of(list, pattern);
	const char *mpi = callsite ? pick_text(callsite, "mpi", NULL) : NULL;
	double rounds = pick_number(pattern, "rounds", 0.0);
	char place[400], text[480];

	layout_begin(l, "", NAME_COLUMN);
	if (mpi) { /* words, because names of C++ may need two lines */
		snprintf(text, sizeof(text), "%s %s%s", mpi,
			 text_place(callsite, sizeof(place), place),
			 pick_text(pattern, "callsite.mpi", NULL) ? "" : " and others");
		layout_words(l, text);
	}
	layout_item(l, INK_PLAIN, "%s messages%s",
		    number_count(pick_number(pattern, "messages", 0.0)).text,
		    to_self > 0.0 ? " to other ranks" : "");
	if (rounds >= 1.5)
		layout_item(l, INK_PLAIN, "%s rounds", number_count(rounds).text);
	layout_end(l);
}

/* Other names of the same, or the second best. */
static void put_others(struct layout *l, const json_t *pattern)
{
	const json_t *equivalent = json_array_get(pick(pattern, "equivalent"), 0);
	const char *second = pick_text(pattern, "runner_up", NULL);

	if (!equivalent && !second)
		return;
	layout_begin(l, "", NAME_COLUMN);
	layout_words(l, equivalent ? "the same as" : "next best:");
	layout_words(l, equivalent ? json_string_value(equivalent) : second);
	layout_end(l);
}

/* When the phase was and how much of the run it is: its number means nothing to anybody. */
static void put_when(struct layout *l, const json_t *document, const json_t *pattern)
{
	const json_t *phase = main_phases_of(document, pattern);

	if (!phase)
		return;
	layout_begin(l, "", NAME_COLUMN);
	layout_item(l, INK_PLAIN, "%s of rank time",
		    number_share(pick_number(phase, "share", 0.0)).text);
	layout_item(l, INK_PLAIN, "first at %s, last until %s of the run",
		    number_seconds(pick_number(phase, "begin_s", 0.0)).text,
		    number_seconds(pick_number(phase, "end_s", 0.0)).text);
	layout_end(l);
}

static void put_pattern(struct layout *l, const json_t *document, const json_t *pattern)
{
	double explained = pick_number(pattern, "explained", 0.0);
	char label[32];
	char fit[64];

	if (has_scope(pattern, "run"))
		snprintf(label, sizeof(label), "run");
	else
		snprintf(label, sizeof(label), "phase %.0f", pick_number(pattern, "phase", 0.0));
	snprintf(fit, sizeof(fit), "score %.2f  %s", pick_number(pattern, "score", 0.0),
		 number_share(explained).text);
	layout_begin(l, label, 0);
	layout_pad(l, NAME_COLUMN);
	if (json_is_false(pick(pattern, "confident")))
		layout_put(l, INK_PLAIN, "perhaps ");
	layout_put(l, INK_HEADING, pick_text(pattern, "name", "?"));
	if (explained > 0.0) {
		if (l->column + 2 + layout_columns(fit) > l->style->width) {
			layout_end(l);
			layout_begin(l, "", 0);
		}
		layout_put(l, INK_PLAIN, "  ");
		layout_pad(l, l->style->width - layout_columns(fit));
		layout_put(l, INK_PLAIN, fit);
	}
	layout_end(l);
	if (pick_text(pattern, "why_none", NULL))
		layout_line(l, "", NAME_COLUMN, pick_text(pattern, "why_none", ""));
	put_place(l, document, pattern);
	put_when(l, document, pattern);
	put_others(l, pattern);
}

static void put_collective(struct layout *l, const json_t *pattern, double bytes)
{
	char place[400];

	layout_begin(l, "collective", 0);
	layout_pad(l, NAME_COLUMN);
	layout_put(l, INK_HEADING, pick_text(pattern, "name", "?"));
	layout_end(l);
	layout_begin(l, "", NAME_COLUMN);
	layout_item(l, INK_PLAIN, "%s  %s", pick_text(pattern, "callsite.mpi", ""),
		    text_place(pick(pattern, "callsite"), sizeof(place), place));
	if (bytes > 0.0)
		layout_item(l, INK_PLAIN, "%s sent", number_bytes(bytes).text);
	else
		layout_item(l, INK_PLAIN, "%s calls",
			    number_count(pick_number(pattern, "messages", 0.0)).text);
	layout_end(l);
}

static void put_left(struct layout *l, const struct main_phases *x)
{
	char text[120];

	if (!x->left)
		return;
	snprintf(text, sizeof(text), "%zu more phase%s, with %s message%s: --top=%u", x->left,
		 x->left == 1 ? "" : "s", number_count(x->left_messages).text,
		 x->left_messages == 1.0 ? "" : "s", x->top);
	layout_line(l, "", 2, text);
}

/* Bytes of all that ranks send, or of collectives alone. */
static double bytes_of(const json_t *list, const char *scope)
{
	const json_t *pattern;
	double sum = 0.0;
	size_t i;

	json_array_foreach(list, i, pattern)
		if (has_scope(pattern, scope))
			sum += pick_number(pattern, "bytes", 0.0);
	return sum;
}

/* Of the communication's time, what is not in collectives. */
static double share_outside(const json_t *document)
{
	double all = pick_number(document, "summary.communication.share", 0.0);
	double in = pick_number(document, "budget.parts.collective_wait.share", 0.0) +
		    pick_number(document, "budget.parts.collective_transfer.share", 0.0);

	return all > 0.0 ? (all - in) / all : 1.0;
}

/* Do ranks send each other next to nothing beside what collectives move? */
static int is_of_collectives(const json_t *list)
{
	double sent = bytes_of(list, "run"), all = sent + bytes_of(list, "collective");

	return all > 0.0 && sent < SHARE_SHOWN * all;
}

/* Returns how many are main. */
static size_t put_phases(struct layout *l, const json_t *document)
{
	struct main_phases x = main_phases_find(document, l->style->top);
	size_t n = json_array_size(x.patterns), i;
	const json_t *pattern;

	if (n)
		layout_heading(l, "PATTERN", "score, and share of the volume explained");
	json_array_foreach(x.patterns, i, pattern)
		put_pattern(l, document, pattern);
	if (n)
		put_left(l, &x);
	main_phases_free(&x);
	return n;
}

/* The run's. Returns 1, or 0: there is none. */
static size_t put_run(struct layout *l, const json_t *document)
{
	const json_t *pattern;
	size_t i;

	json_array_foreach(pick(document, "patterns"), i, pattern) {
		if (!has_scope(pattern, "run"))
			continue;
		layout_heading(l, "PATTERN", "score, and share of the volume explained");
		put_pattern(l, document, pattern);
		return 1;
	}
	return 0;
}

static int has_place_of(const json_t *a, const json_t *b)
{
	return has_scope(a, "collective") && json_equal(pick(a, "callsite"), pick(b, "callsite"));
}

/* The collectives of a pattern's place before, in its list: how many; and the bytes of all. */
static size_t count_before(const json_t *list, const json_t *pattern, double *bytes)
{
	size_t i, n = 0;
	int is_before = 1;
	const json_t *other;

	*bytes = 0.0;
	json_array_foreach(list, i, other) {
		is_before &= other != pattern;
		if (!has_place_of(other, pattern))
			continue;
		n += is_before != 0;
		*bytes += pick_number(other, "bytes", 0.0);
	}
	return n;
}

/* Those of each place together, if they move a good part of all bytes; the first whatever it is. */
static void put_collectives(struct layout *l, const json_t *document)
{
	const json_t *list = pick(document, "patterns"), *pattern;
	double all = bytes_of(list, "run") + bytes_of(list, "collective"), bytes;
	size_t i, n = 0;

	json_array_foreach(list, i, pattern) {
		if (!has_scope(pattern, "collective") || n == COLLECTIVES_MOST ||
		    count_before(list, pattern, &bytes) || (n && bytes < SHARE_SHOWN * all))
			continue;
		if (!n++)
			layout_heading(l, "PATTERN", "");
		put_collective(l, pattern, bytes);
	}
}

/* What ranks send each other; where that is next to nothing and takes no time, collectives. */
void text_patterns(struct layout *l, const json_t *document)
{
	int moves = is_of_collectives(pick(document, "patterns"));
	size_t shown = 0;

	if (!moves || share_outside(document) >= SHARE_SHOWN)
		shown = put_phases(l, document);
	if (!shown && !moves)
		shown = put_run(l, document);
	if (shown && pick_number(document, "run.recorded_share", 1.0) < 1.0)
		layout_line(l, "", 2,
			    "scores are of what was recorded: of the rest nothing is known");
	if (!shown)
		put_collectives(l, document);
}
