/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who sends to whom, for a picture: of many ranks, neighbours together. */
#include "analyze/document/document_parts.h"

#include <stdlib.h>

#define SIDE_MOST 32 /* cells */

struct cell {
	uint64_t messages, bytes;
	int64_t contention_ns;
};

static json_t *cell_json(const struct cell *c, uint32_t from, uint32_t to)
{
	return json_pack("{s:I, s:I, s:I, s:f, s:f}", "from", (json_int_t)from, "to",
			 (json_int_t)to, "messages", (json_int_t)c->messages, "bytes",
			 (double)c->bytes, "contention_s", (double)c->contention_ns / NS_PER_S);
}

json_t *document_traffic(const struct analysis *a)
{
	const struct messages *m = a->messages;
	uint32_t ranks = a->trace->n_ranks, per = (ranks + SIDE_MOST - 1) / SIDE_MOST;
	json_t *list;
	struct cell *cell;

	if (!m->n)
		return json_null();
	cell = calloc((size_t)SIDE_MOST * SIDE_MOST, sizeof(*cell));
	if (!cell)
		return NULL;
	for (uint32_t i = 0; i < m->n; i++) {
		struct cell *c = &cell[m->m[i].src / per * SIDE_MOST + m->m[i].dst / per];

		c->messages++;
		c->bytes += m->m[i].bytes;
		c->contention_ns += attribution_contention_ns(a->attribution, i);
	}
	list = json_array();
	for (uint32_t k = 0; k < SIDE_MOST * SIDE_MOST; k++)
		if (cell[k].messages)
			json_array_append_new(list, cell_json(&cell[k], k / SIDE_MOST * per,
							      k % SIDE_MOST * per));
	free(cell);
	return json_pack("{s:I, s:o}", "ranks_per_cell", (json_int_t)per, "cells", list);
}
