/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/flow/lines.h"

#include <string.h>

#include "analyze/flow/scene.h"
#include "common/table.h"

#define AHEAD 32 /* so many messages ahead are fetched, where they come out of order */

/* A counting sort. */
int lines_init(struct lines *q, uint32_t n, line_of *of, const struct scene *s,
	       const uint32_t *from, struct err *err)
{
	uint32_t messages = s->m->n;

	q->n = n;
	q->message = table_alloc((size_t)messages + 1, sizeof(*q->message));
	q->first = table_calloc((size_t)n + 2, sizeof(*q->first));
	if (!q->message || !q->first) {
		lines_release(q);
		return err_set(err, "out of memory for the order of %u messages", messages);
	}
	for (uint32_t i = 0; i < messages; i++)
		q->first[of(s, i) + 2]++;
	for (uint32_t k = 1; k <= n; k++)
		q->first[k + 1] += q->first[k];
	for (uint32_t k = 0; k < messages; k++) {
		uint32_t i = from ? from[k] : k;

		if (from && messages - k > AHEAD)
			prefetch(&s->facts[from[k + AHEAD]]);
		q->message[q->first[of(s, i) + 1]++] = i;
	}
	return 0;
}

uint32_t lines_most(const struct lines *q)
{
	uint32_t most = 0;

	for (uint32_t k = 0; k < q->n; k++)
		if (q->first[k + 1] - q->first[k] > most)
			most = q->first[k + 1] - q->first[k];
	return most;
}

void lines_release(struct lines *q)
{
	table_free(q->message);
	table_free(q->first);
	memset(q, 0, sizeof(*q));
}
