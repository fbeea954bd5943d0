/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/main_phases.h"

#include <string.h>

#include "report/pick.h"
#include "report/style.h"

/* Phases with less of the bytes and of the time are not main, and more than so many neither; */
#define SHARE_SHOWN 0.1
#define SHARE_LEAST 0.01 /* nor one of less time, if it is not the only one */
#define ROWS_SHOWN  3

const json_t *main_phases_of(const json_t *document, const json_t *pattern)
{
	const json_t *phase;
	size_t i;

	json_array_foreach(pick(document, "phases"), i, phase)
		if (pick_number(phase, "phase", 0.0) == pick_number(pattern, "phase", -1.0))
			return phase;
	return NULL;
}

/* Of rank time, the pattern's phase. */
static double time_share(const json_t *document, const json_t *pattern)
{
	return pick_number(main_phases_of(document, pattern), "share", 0.0);
}

/* Is it worth showing by its bytes, or is its phase by its time? */
static int is_main(const json_t *document, const json_t *pattern)
{
	return pick_number(pattern, "share", 0.0) >= SHARE_SHOWN ||
	       time_share(document, pattern) >= SHARE_SHOWN;
}

/* All of phases, those that took longest first. */
static json_t *by_time(const json_t *document)
{
	json_t *list = json_array(), *pattern;
	size_t i, at;

	json_array_foreach(pick(document, "patterns"), i, pattern) {
		double share = time_share(document, pattern);

		if (strcmp(pick_text(pattern, "scope", ""), "phase") != 0)
			continue;
		at = json_array_size(list);
		while (at > 0 && time_share(document, json_array_get(list, at - 1)) < share)
			at--;
		json_array_insert(list, at, pattern);
	}
	return list;
}

/* Has one before it no name either, for the same reason? It is said once. */
static int is_as_little(const json_t *shown, const json_t *pattern)
{
	const char *why = pick_text(pattern, "why_none", NULL);
	const json_t *other;
	size_t i;

	json_array_foreach(shown, i, other)
		if (why && !strcmp(why, pick_text(other, "why_none", "")))
			return 1;
	return 0;
}

/* main_n: so many that are main are longer. */
static int is_shown(const json_t *document, const json_t *pattern, unsigned top, size_t main_n)
{
	if (top > STYLE_TOP)
		return main_n < top;
	return is_main(document, pattern) && main_n < ROWS_SHOWN && main_n < top &&
	       (!main_n || time_share(document, pattern) >= SHARE_LEAST);
}

struct main_phases main_phases_find(const json_t *document, unsigned top)
{
	struct main_phases x = {.patterns = json_array()};
	json_t *list = by_time(document), *pattern;
	size_t main_n = 0, i;

	json_array_foreach(list, i, pattern) {
		int is = is_shown(document, pattern, top, main_n);

		main_n += is;
		if (is && (top > STYLE_TOP || !is_as_little(x.patterns, pattern))) {
			json_array_append(x.patterns, pattern);
			continue;
		}
		x.left++;
		x.left_messages += pick_number(pattern, "messages", 0.0);
	}
	x.top = i > STYLE_TOP ? (unsigned)i : STYLE_TOP + 1;
	json_decref(list);
	return x;
}

void main_phases_free(struct main_phases *x)
{
	json_decref(x->patterns);
}

int main_phases_have(const struct main_phases *x, double phase)
{
	const json_t *pattern;
	size_t i;

	json_array_foreach(x->patterns, i, pattern)
		if (pick_number(pattern, "phase", -1.0) == phase)
			return 1;
	return json_array_size(x->patterns) + x->left == 0;
}
