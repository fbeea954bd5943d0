/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Epochs that origin and target both open and close: the k-th MPI_Win_start of an origin
 * towards a target belongs to the k-th MPI_Win_post of this target towards it, and so do
 * the k-th complete and the k-th wait.
 */
#include "analyze/attribution/onesided.h"

#include "analyze/tools/sorting.h"
#include "common/table.h"

/* One end of an epoch between two ranks. */
struct end {
	uint32_t window;
	uint32_t origin;
	uint32_t target;
	uint32_t sync; /* enum onesided_sync */
	uint32_t number;
	struct onesided_call *x;
};

struct ends {
	struct end *e;
	size_t n;
};

static int compare(uint32_t a, uint32_t b)
{
	return (a > b) - (a < b);
}

static int by_pair(const struct end *x, const struct end *y)
{
	int order = compare(x->window, y->window);

	order = order ? order : compare(x->origin, y->origin);
	return order ? order : compare(x->target, y->target);
}

static int by_place(const void *a, const void *b)
{
	const struct end *x = a, *y = b;
	int order = by_pair(x, y);

	order = order ? order : compare(x->sync, y->sync);
	return order ? order : compare(x->number, y->number);
}

/* What a rank's record says of all the ranks of its group. */
static void add(struct ends *ends, const struct onesided *o, const struct trace *t, uint32_t rank,
		const struct op *op)
{
	struct onesided_call *x = op->call == TRACE_NONE ? NULL : onesided_at(o, op->call);
	const struct rank_group *g = &t->groups[op->request];
	int is_origin = x && (x->sync == ONESIDED_START || x->sync == ONESIDED_COMPLETE);

	for (uint32_t k = 0; x && k < g->size; k++) {
		uint32_t other = g->members[k];

		if (other == TRACE_NONE || other == rank)
			continue;
		ends->e[ends->n] = (struct end){.window = op->comm,
						.origin = is_origin ? rank : other,
						.target = is_origin ? other : rank,
						.sync = x->sync,
						.number = (uint32_t)ends->n,
						.x = x};
		ends->n++;
	}
}

static int is_epoch(const struct trace *t, const struct op *op)
{
	return op->kind == OP_EPOCH && op->request < t->n_groups;
}

static int collect(struct ends *ends, const struct onesided *o, const struct trace *t)
{
	size_t most = 0;

	for (uint32_t i = 0; i < t->n_ops; i++)
		if (is_epoch(t, &t->ops[i]))
			most += t->groups[t->ops[i].request].size;
	if (!most)
		return 0;
	ends->e = table_calloc(most, sizeof(*ends->e));
	if (!ends->e)
		return -1;
	for (uint32_t r = 0; r < t->n_ranks; r++) {
		const struct op *op = &t->ops[t->ranks[r].first_op], *end = op + t->ranks[r].ops;

		for (; op < end; op++)
			if (is_epoch(t, op))
				add(ends, o, t, r, op);
	}
	return 0;
}

static int64_t enter_ns(const struct trace *t, const struct end *e)
{
	return t->calls[e->x->call].enter_ns;
}

/* All epochs of one origin with one target on one window. */
static void join(const struct trace *t, const struct end *e, size_t n)
{
	const struct end *run[ONESIDED_GIVE + 1] = {NULL};
	size_t count[ONESIDED_GIVE + 1] = {0}, starts, waits, k;

	for (k = 0; k < n; k++)
		if (!count[e[k].sync]++)
			run[e[k].sync] = &e[k];
	starts = count[ONESIDED_START];
	waits = count[ONESIDED_WAIT];
	/* A rank that was killed lacks its last one; more than that were not recorded. */
	if (starts > count[ONESIDED_POST] + 1 || count[ONESIDED_POST] > starts + 1)
		return;
	for (k = 0; k < starts && k < count[ONESIDED_POST]; k++) {
		const struct end *post = &run[ONESIDED_POST][k];

		onesided_offer(t, run[ONESIDED_START][k].x, ONESIDED_LATE_POST, post->target,
			       enter_ns(t, post));
		if (k < count[ONESIDED_COMPLETE])
			onesided_offer(t, run[ONESIDED_COMPLETE][k].x, ONESIDED_LATE_POST,
				       post->target, enter_ns(t, post));
	}
	for (k = 0; k < waits && k < count[ONESIDED_COMPLETE]; k++) {
		const struct end *complete = &run[ONESIDED_COMPLETE][k];

		onesided_offer(t, run[ONESIDED_WAIT][k].x, ONESIDED_LATE_COMPLETE, complete->origin,
			       enter_ns(t, complete));
	}
}

int onesided_epochs(struct onesided *o, const struct trace *t)
{
	struct ends ends = {0};
	size_t first = 0, k;
	int ret = collect(&ends, o, t);

	if (!ret && ends.n) {
		sort(ends.e, ends.n, sizeof(*ends.e), by_place);
		for (k = 1; k <= ends.n; k++) {
			if (k < ends.n && !by_pair(&ends.e[k - 1], &ends.e[k]))
				continue;
			join(t, &ends.e[first], k - first);
			first = k;
		}
	}
	table_free(ends.e);
	return ret;
}
