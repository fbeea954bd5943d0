/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/gains/replay_events.h"

static int before(const struct replay_event *a, const struct replay_event *b)
{
	return a->s != b->s ? a->s < b->s : a->serial < b->serial;
}

void replay_events_push(struct replay_events *q, double s, enum replay_event_kind kind,
			uint32_t rank, uint32_t send)
{
	struct replay_event e = {s, q->serial++, kind, rank, send};
	size_t at = q->n++;

	for (; at > 0 && before(&e, &q->heap[(at - 1) / 2]); at = (at - 1) / 2)
		q->heap[at] = q->heap[(at - 1) / 2];
	q->heap[at] = e;
}

struct replay_event replay_events_pop(struct replay_events *q)
{
	struct replay_event first = q->heap[0], last = q->heap[--q->n];
	size_t at = 0, child;

	while ((child = 2 * at + 1) < q->n) {
		if (child + 1 < q->n && before(&q->heap[child + 1], &q->heap[child]))
			child++;
		if (!before(&q->heap[child], &last))
			break;
		q->heap[at] = q->heap[child];
		at = child;
	}
	q->heap[at] = last;
	return first;
}
