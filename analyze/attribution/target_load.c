/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/attribution/target_load.h"

#include <stdlib.h>

static void add_operations(struct target_load *l, const struct trace *t)
{
	for (uint32_t r = 0; r < t->n_ranks; r++) {
		const struct op *op = &t->ops[t->ranks[r].first_op], *end = op + t->ranks[r].ops;

		for (; op < end; op++) {
			uint32_t target;

			if (op->kind != OP_PUT && op->kind != OP_GET && op->kind != OP_ATOMIC)
				continue;
			target = trace_world_rank(t, op->comm, op->peer);
			if (target == TRACE_NONE || target == r)
				continue;
			l->operations[target]++;
			l->bytes[target] += (double)op_bytes(op);
			l->all_operations++;
			l->all_bytes += (double)op_bytes(op);
		}
	}
}

static void add_locks(struct target_load *l, const struct trace *t, const struct onesided *o)
{
	for (uint32_t i = 0; i < o->n; i++) {
		const struct onesided_call *x = &o->calls[i];
		double s = (double)(x->until_ns - t->calls[x->call].enter_ns) * 1e-9;

		if (x->cause != ONESIDED_LOCKED || x->target == TRACE_NONE)
			continue;
		l->lock_s[x->target] += s;
		l->all_lock_s += s;
	}
}

/* Do more operations go to a than to b, or else is more waited for locks on it? */
static int is_busier(const struct target_load *l, uint32_t a, uint32_t b)
{
	if (l->operations[a] != l->operations[b])
		return l->operations[a] > l->operations[b];
	return l->lock_s[a] > l->lock_s[b];
}

int target_load_find(struct target_load *out, const struct trace *t, const struct onesided *o,
		     struct err *err)
{
	struct target_load l = {0};

	l.operations = calloc(t->n_ranks + 1u, sizeof(*l.operations));
	l.bytes = calloc(t->n_ranks + 1u, sizeof(*l.bytes));
	l.lock_s = calloc(t->n_ranks + 1u, sizeof(*l.lock_s));
	if (!l.operations || !l.bytes || !l.lock_s) {
		target_load_release(&l);
		return err_set(err, "out of memory for %u ranks", t->n_ranks);
	}
	if (o->n) {
		add_operations(&l, t);
		add_locks(&l, t, o);
	}
	for (uint32_t r = 1; r < t->n_ranks; r++)
		if (is_busier(&l, r, l.most))
			l.most = r;
	*out = l;
	return 0;
}

void target_load_release(struct target_load *l)
{
	free(l->lock_s);
	free(l->bytes);
	free(l->operations);
	*l = (struct target_load){0};
}
