/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/unseen.h"

#include "analyze/instants.h"
#include "analyze/sorting.h"
#include "analyze/walk.h"
#include "common/table.h"

#include <assert.h>
#include <stdlib.h>

static int by_time(const void *a, const void *b)
{
	const struct op *x = *(const struct op *const *)a, *y = *(const struct op *const *)b;

	if (x->time_ns != y->time_ns)
		return x->time_ns < y->time_ns ? -1 : 1;
	return x < y ? -1 : x > y;
}

/* One thread may end what another began: their records together, in the order of time. */
static uint32_t pauses_of(const struct trace *t, uint32_t rank, const struct op **marks,
			  struct pause *out)
{
	const struct rank *r = &t->ranks[rank];
	uint32_t i, n = 0, pauses = 0;
	int open = 0;

	for (i = r->first_op; i < r->first_op + r->ops; i++)
		if (t->ops[i].kind == OP_PAUSE || t->ops[i].kind == OP_RESUME)
			marks[n++] = &t->ops[i];
	sort(marks, n, sizeof(*marks), by_time);
	for (i = 0; i < n; i++) {
		if (marks[i]->kind == OP_RESUME)
			open = 0;
		else if (!open++)
			out[pauses++].from_ns = marks[i]->time_ns;
		if (pauses)
			out[pauses - 1].until_ns = open ? INT64_MAX : marks[i]->time_ns;
	}
	return pauses;
}

int unseen_init(struct unseen *u, const struct trace *t, struct err *err)
{
	const struct op **marks;
	uint32_t i, r, n = 0;

	u->n = 0;
	for (i = 0; i < t->n_ops; i++)
		n += t->ops[i].kind == OP_PAUSE || t->ops[i].kind == OP_RESUME;
	marks = table_calloc((size_t)n + 1, sizeof(*marks));
	u->pauses = table_calloc((size_t)n + 1, sizeof(*u->pauses));
	u->first = calloc((size_t)t->n_ranks + 1, sizeof(*u->first));
	if (!marks || !u->pauses || !u->first) {
		table_free(marks);
		unseen_release(u);
		return err_set(err, "out of memory for %u pauses", n);
	}
	for (r = 0; r < t->n_ranks && n; r++)
		u->first[r + 1] = u->first[r] + pauses_of(t, r, marks, u->pauses + u->first[r]);
	u->n = n;
	table_free(marks);
	return 0;
}

void unseen_release(struct unseen *u)
{
	free(u->first);
	table_free(u->pauses);
	*u = (struct unseen){0};
}

/* Make the hull wider by a rank's pauses between from and until. */
static void widen(const struct unseen *u, uint32_t rank, int64_t from, int64_t until,
		  struct pause *hull)
{
	uint32_t low = u->first[rank], high = u->first[rank + 1], end = high;

	while (low < high) { /* the first pause that ends after from */
		uint32_t mid = low + (high - low) / 2;

		if (u->pauses[mid].until_ns <= from)
			low = mid + 1;
		else
			high = mid;
	}
	for (; low < end && u->pauses[low].from_ns < until; low++) {
		hull->from_ns = earlier(hull->from_ns, later(from, u->pauses[low].from_ns));
		hull->until_ns = later(hull->until_ns, earlier(until, u->pauses[low].until_ns));
	}
}

/* What a recorded call proves stays: when a send was called, a receive posted or a call left. */
static int is_inferred(enum cost part)
{
	switch (part) {
	case COST_inattention:
	case COST_uncollected:
	case COST_back_pressure:
	case COST_handler_contention:
	case COST_network_contention:
		return 1;
	default:
		return 0;
	}
}

static void add_leg(struct walk *w, int64_t end_ns, struct leg leg)
{
	if (end_ns <= w->at_ns)
		return;
	assert(w->n < WALK_LEGS);
	leg.end_ns = end_ns;
	w->leg[w->n++] = leg;
	w->at_ns = end_ns;
}

void unseen_judge(const struct unseen *u, uint32_t src, uint32_t dst, struct walk *w)
{
	struct pause hull = {INT64_MAX, INT64_MIN};
	struct walk seen;
	int k;

	if (u->first[src] == u->first[src + 1] && u->first[dst] == u->first[dst + 1])
		return; /* neither ever pauses, as in most runs */
	widen(u, src, w->start_ns, w->end_ns, &hull);
	widen(u, dst, w->start_ns, w->end_ns, &hull);
	if (hull.until_ns <= hull.from_ns)
		return;
	seen = *w;
	w->n = w->sender_n = 0;
	w->at_ns = w->start_ns;
	for (k = 0; k < seen.n; k++) {
		struct leg leg = seen.leg[k], hidden = {0, COST_not_identifiable, leg.part};

		if (is_inferred(leg.part)) {
			add_leg(w, earlier(leg.end_ns, hull.from_ns), leg);
			add_leg(w, earlier(leg.end_ns, hull.until_ns), hidden);
		}
		add_leg(w, leg.end_ns, leg);
		if (k + 1 == seen.sender_n)
			w->sender_n = w->n;
	}
}
