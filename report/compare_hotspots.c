/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/compare_hotspots.h"

#include "report/compare_sites.h"
#include "report/noise.h"
#include "report/pick.h"

#include <math.h>
#include <string.h>

/* The same kind at the same place. */
static int is_like(const json_t *a, const json_t *b)
{
	return !strcmp(pick_text(a, "kind", ""), pick_text(b, "kind", "")) &&
	       compare_same_place(pick(a, "callsite"), pick(b, "callsite"));
}

/* Element at of from: the first one like it has the first one in the other list, and so on. */
static const json_t *counterpart(const json_t *list, const json_t *from, size_t at)
{
	const json_t *hotspot = json_array_get(from, at), *other;
	size_t before = 0, i;

	for (i = 0; i < at; i++)
		before += is_like(json_array_get(from, i), hotspot);
	json_array_foreach((json_t *)list, i, other)
		if (is_like(other, hotspot) && !before--)
			return other;
	return NULL;
}

/* What it saves: least, likely, most; null if there is none. */
static json_t *saves_of(const json_t *hotspot)
{
	return hotspot ? json_pack("[f, f, f]", pick_item(hotspot, "saves_s", 0),
				   pick_item(hotspot, "saves_s", 1),
				   pick_item(hotspot, "saves_s", 2))
		       : json_null();
}

/* Of one that is in both runs; not if that may be what ranks of either were without a core. */
static const char *change_of(const json_t *was, const json_t *is, const struct compare_band *band)
{
	double base_s = pick_item(was, "saves_s", 1), new_s = pick_item(is, "saves_s", 1);

	if (noise_covers(base_s, new_s, band->noise, band->wall_s))
		return "same";
	if (fabs(new_s - base_s) <= band->awaited_s)
		return "open";
	return new_s > base_s ? "larger" : "smaller";
}

/* was, is: the one in each run, or NULL. */
static json_t *row_of(const json_t *was, const json_t *is, const char *change)
{
	const json_t *shown = is ? is : was;

	return json_pack("{s:s, s:s, s:s*, s:s, s:s, s:O, s:o, s:o}", "change", change, "severity",
			 pick_text(shown, "severity", "low"), "base_severity",
			 is ? pick_text(was, "severity", NULL) : NULL, "kind",
			 pick_text(shown, "kind", "?"), "title", pick_text(shown, "title", "?"),
			 "callsite", pick(shown, "callsite"), "base_saves_s", saves_of(was),
			 "new_saves_s", saves_of(is));
}

json_t *compare_hotspots(const json_t *base, const json_t *new, const struct compare_band *band)
{
	const json_t *before = pick(base, "hotspots"), *after = pick(new, "hotspots"), *hotspot;
	json_t *list = json_array();
	size_t i;

	json_array_foreach((json_t *)after, i, hotspot) {
		const json_t *was = counterpart(before, after, i);

		json_array_append_new(list,
				      row_of(was, hotspot,
					     was ? change_of(was, hotspot, band) : "appeared"));
	}
	json_array_foreach((json_t *)before, i, hotspot)
		if (!counterpart(after, before, i))
			json_array_append_new(list, row_of(hotspot, NULL, "gone"));
	return list;
}

int compare_is_worse_hotspot(const json_t *row, const struct compare_band *band)
{
	const char *change = pick_text(row, "change", "");

	return pick_item(row, "new_saves_s", 1) > band->awaited_s &&
	       (!strcmp(change, "appeared") || !strcmp(change, "larger")) &&
	       pick_severity(row, "severity") > pick_severity(row, "base_severity");
}
