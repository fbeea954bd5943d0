/* SPDX-License-Identifier: GPL-3.0-or-later */
/* When ranks' time went where. */
#include "analyze/attribution/over_time.h"
#include "analyze/document/document_parts.h"

#include <stdlib.h>

/* A part in each piece; NULL: none has any of it. */
static json_t *part_section(const struct over_time *x, int part)
{
	json_t *list = json_array();
	int64_t all = 0;

	for (uint32_t k = 0; k < x->n; k++) {
		json_array_append_new(list, json_real((double)x->ns[k][part] / NS_PER_S));
		all |= x->ns[k][part];
	}
	if (all)
		return list;
	json_decref(list);
	return NULL;
}

json_t *document_timeline(const struct analysis *a)
{
	struct over_time *x = malloc(sizeof(*x));
	json_t *parts, *section;

	if (!x)
		return NULL;
	over_time_find(x, a->trace, a->attribution);
	parts = json_object();
	for (int c = 0; c < COST_COUNT; c++) {
		json_t *list = part_section(x, c);

		if (list)
			json_object_set_new(parts, cost_rows[c].name, list);
	}
	section = json_pack("{s:I, s:f, s:o}", "pieces", (json_int_t)x->n, "piece_s",
			    (double)x->piece_ns / NS_PER_S, "parts", parts);
	free(x);
	return section;
}
