/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/run/lost.h"

#include "common/wording.h"

#define NAMED_MOST 3

static const json_t *list_of(const struct run *r)
{
	return r ? json_object_get(r->meta, "lost") : NULL;
}

size_t lost_files(const struct run *r)
{
	return json_array_size(list_of(r));
}

static const char *word(const json_t *row, const char *key)
{
	const char *text = json_string_value(json_object_get(row, key));

	return text ? text : "?";
}

void lost_text(const struct run *r, size_t n, char text[n])
{
	size_t all = lost_files(r), i;
	struct wording w = wording_begin(n, text);

	for (i = 0; i < all && i < NAMED_MOST; i++) {
		const json_t *row = json_array_get(list_of(r), i);
		const json_t *until = json_object_get(row, "until_s");

		wording_add(&w, "%s%s of rank %lld %s", i ? "; " : "", word(row, "file"),
			    (long long)json_integer_value(json_object_get(row, "rank")),
			    word(row, "why"));
		if (json_is_number(until))
			wording_add(&w, ": events end at %.4g s", json_number_value(until));
		else
			wording_add(&w, ": nothing of it is used");
	}
	if (all > NAMED_MOST)
		wording_add(&w, "; %zu files in all", all);
}
