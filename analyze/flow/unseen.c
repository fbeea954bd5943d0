/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/flow/unseen.h"

#include "analyze/tools/find_first.h"
#include "analyze/tools/instants.h"
#include "analyze/tools/sorting.h"
#include "common/table.h"

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
	uint32_t at = u->first[rank], end = u->first[rank + 1];

	FIND_FIRST(at, end, u->pauses[at].until_ns > from);
	for (; at < end && u->pauses[at].from_ns < until; at++) {
		hull->from_ns = earlier(hull->from_ns, later(from, u->pauses[at].from_ns));
		hull->until_ns = later(hull->until_ns, earlier(until, u->pauses[at].until_ns));
	}
}

struct pause unseen_hull(const struct unseen *u, uint32_t src, uint32_t dst, int64_t from_ns,
			 int64_t until_ns)
{
	struct pause hull = {INT64_MAX, INT64_MIN};

	if (u->first[src] == u->first[src + 1] && u->first[dst] == u->first[dst + 1])
		return hull; /* neither ever pauses, as in most runs */
	widen(u, src, from_ns, until_ns, &hull);
	widen(u, dst, from_ns, until_ns, &hull);
	return hull;
}
