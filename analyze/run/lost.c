/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/run/lost.h"

#include "common/number.h"
#include "common/wording.h"

#include <inttypes.h>

#define NAMED_MOST 3

static const json_t *list_of(const struct run *r)
{
	return r ? json_object_get(r->meta, "lost") : NULL;
}

uint32_t lost_ranks(const struct trace *t)
{
	uint32_t n = 0;

	for (uint32_t r = 0; t && r < t->n_ranks; r++)
		n += t->ranks[r].loss.what != LOSS_NONE;
	return n;
}

size_t lost_files(const struct run *r, const struct trace *t)
{
	return json_array_size(list_of(r)) + lost_ranks(t);
}

static const char *word(const json_t *row, const char *key)
{
	const char *text = json_string_value(json_object_get(row, key));

	return text ? text : "?";
}

static void add_log(struct wording *w, const json_t *row)
{
	const json_t *until = json_object_get(row, "until_s");

	wording_add(w, "%s of rank %lld %s", word(row, "file"),
		    (long long)json_integer_value(json_object_get(row, "rank")), word(row, "why"));
	if (json_is_number(until))
		wording_add(w, ": events end at %.4g s", json_number_value(until));
	else
		wording_add(w, ": nothing of it is used");
}

static void add_archived(struct wording *w, const struct trace *t, uint32_t r)
{
	const struct rank *rank = &t->ranks[r];
	const struct rank_loss *x = &rank->loss;

	wording_add(w, "%" PRIu64 "%s of rank %" PRIu32 " %s", x->location,
		    x->what == LOSS_DEFINITIONS ? ".def" : ".evt", r,
		    x->what == LOSS_MISSING   ? "is missing"
		    : x->what == LOSS_CUT     ? "ends early"
		    : x->what == LOSS_DAMAGED ? "is damaged"
					      : "is missing or not whole");
	if (!x->events)
		wording_add(w, ": nothing of the rank is used");
	else if (x->of > x->events)
		wording_add(w, " after %" PRIu64 " of %" PRIu64 " events, at %s", x->events, x->of,
			    number_seconds((double)rank->end_ns * 1e-9).text);
	else
		wording_add(w, " after %" PRIu64 " events, at %s", x->events,
			    number_seconds((double)rank->end_ns * 1e-9).text);
}

void lost_text(const struct run *r, const struct trace *t, size_t n, char text[n])
{
	size_t all = lost_files(r, t), logs = json_array_size(list_of(r)), named = 0;
	struct wording w = wording_begin(n, text);

	for (size_t i = 0; i < logs && named < NAMED_MOST; i++) {
		wording_add(&w, "%s", named++ ? "; " : "");
		add_log(&w, json_array_get(list_of(r), i));
	}
	for (uint32_t i = 0; t && i < t->n_ranks && named < NAMED_MOST; i++) {
		if (t->ranks[i].loss.what == LOSS_NONE)
			continue;
		wording_add(&w, "%s", named++ ? "; " : "");
		add_archived(&w, t, i);
	}
	if (all > NAMED_MOST)
		wording_add(&w, "; %zu files in all", all);
}
