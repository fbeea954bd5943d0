/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/oporder.h"

#include "analyze/sorting.h"

#include <stdlib.h>

int oporder_init(struct oporder *o, const struct trace *t)
{
	size_t most = 1;
	uint32_t r;

	for (r = 0; r < t->n_ranks; r++) {
		if (t->ranks[r].ops > most)
			most = t->ranks[r].ops;
	}
	*o = (struct oporder){.t = t};
	o->ops = calloc(most, sizeof(*o->ops));
	return o->ops ? 0 : -1;
}

static int has_threads(const struct trace *t, uint32_t rank)
{
	const struct call *call = &t->calls[t->ranks[rank].first_call];
	uint32_t i;

	for (i = 0; i < t->ranks[rank].calls; i++) {
		if (call[i].thread)
			return 1;
	}
	return 0;
}

static int64_t order_ns(const struct trace *t, const struct op *op)
{
	return op->kind == OP_RECV && op->call != TRACE_NONE ? t->calls[op->call].enter_ns
							     : op->time_ns;
}

static int by_time(const void *a, const void *b, void *data)
{
	const struct op *x = *(const struct op *const *)a, *y = *(const struct op *const *)b;
	int64_t dx = order_ns(data, x), dy = order_ns(data, y);

	if (dx != dy)
		return dx < dy ? -1 : 1;
	return x < y ? -1 : x > y;
}

void oporder_set(struct oporder *o, uint32_t rank)
{
	const struct rank *r = &o->t->ranks[rank];
	uint32_t i;

	o->n = r->ops;
	for (i = 0; i < o->n; i++)
		o->ops[i] = &o->t->ops[r->first_op + i];
	if (has_threads(o->t, rank))
		sort_with(o->ops, o->n, sizeof(*o->ops), by_time, (void *)o->t);
}

void oporder_release(struct oporder *o)
{
	free(o->ops);
	*o = (struct oporder){0};
}
