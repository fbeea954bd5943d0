/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/moments.h"

#include <stdio.h>
#include <string.h>

#include "common/number.h"
#include "report/legend.h"
#include "report/pick.h"

#define WORTH  0.02 /* of rank time: less is not looked at */
#define HALF   0.5
#define NARROW 0.25 /* of the time between MPI's start and end */

static double at(const json_t *list, size_t k)
{
	return json_number_value(json_array_get(list, k));
}

/* Pieces of the run, from one to before another. */
struct stretch {
	size_t from, to;
};

/* The fewest in a row that have half of it. */
static struct stretch narrowest(const json_t *part)
{
	size_t n = json_array_size(part), from = 0;
	struct stretch best = {0, n};
	double all = 0.0, sum = 0.0;

	for (size_t k = 0; k < n; k++)
		all += at(part, k);
	for (size_t k = 0; k < n; k++) {
		sum += at(part, k);
		while (sum - at(part, from) >= HALF * all)
			sum -= at(part, from++);
		if (sum >= HALF * all && k + 1 - from < best.to - best.from)
			best = (struct stretch){from, k + 1};
	}
	return best;
}

/* Of ranks' time without MPI's start and end, that in the stretch. */
static double share_of(const json_t *parts, struct stretch x)
{
	double all = 0.0, within = 0.0;

	for (size_t i = 0; i < LEGEND_PARTS; i++) {
		const char *name = legend_at(i)->name;
		const json_t *part = strcmp(name, "start_end") ? pick(parts, name) : NULL;

		for (size_t k = 0; part && k < json_array_size(part); k++) {
			all += at(part, k);
			within += k >= x.from && k < x.to ? at(part, k) : 0.0;
		}
	}
	return all > 0.0 ? within / all : 1.0;
}

const char *moments_of_largest(const json_t *document, size_t size, char text[size])
{
	const char *largest = pick_text(document, "summary.largest", "");
	const json_t *parts = pick(document, "timeline.parts"), *part = pick(parts, largest);
	double piece_s = pick_number(document, "timeline.piece_s", 0.0);
	const json_t *budget = json_object_get(pick(document, "budget.parts"), largest);
	struct stretch x;

	*text = '\0';
	if (!part || pick_number(budget, "share", 0.0) < WORTH)
		return text;
	x = narrowest(part);
	if (share_of(parts, x) <= NARROW)
		snprintf(text, size, "half of the %s is between %s and %s of the run",
			 legend_label(largest), number_seconds((double)x.from * piece_s).text,
			 number_seconds((double)x.to * piece_s).text);
	return text;
}
