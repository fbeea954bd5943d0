/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Collectives by their name: what they move between ranks is what the standard says, by
 * whatever algorithm.
 */
#include "analyze/patterns/patterns.h"

#include "analyze/tools/growing.h"
#include "analyze/tools/sorting.h"
#include "common/table.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* The largest so many are told. */
#define COLLECTIVES_MAX 24

/* How a function's name begins, without MPI_ and the I of those that do not wait. */
static const struct row {
	const char *stem;
	const char *pattern;
} rows[] = {
	{"alltoall", "total exchange"},
	{"allgather", "all-gather"},
	{"allreduce", "all-reduce"},
	{"bcast", "broadcast tree"},
	{"gather", "gather (incast)"},
	{"reduce_scatter", "reduce-scatter"},
	{"reduce", "reduce tree"},
	{"scatter", "scatter"},
	{"scan", "1-D sweep (pipeline)"},
	{"exscan", "1-D sweep (pipeline)"},
	{"neighbor_", "neighbours of the communicator"},
};

static const char *pattern_of(const char *name)
{
	size_t i;

	if (strncasecmp(name, "MPI_", 4))
		return NULL;
	name += 4;
	/* No stem begins with i. */
	if (*name == 'I' || *name == 'i')
		name++;
	if (!strncasecmp(name, "reduce_local", 12))
		return NULL;
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (!strncasecmp(name, rows[i].stem, strlen(rows[i].stem)))
			return rows[i].pattern;
	return NULL;
}

/* One place's calls in one phase. */
struct use {
	uint32_t phase; /* from 1 */
	uint32_t call;  /* the first of them */
	double calls;
	double bytes;
};

static int by_place(const void *pa, const void *pb, void *trace)
{
	const struct trace *t = trace;
	const struct use *a = pa;
	const struct use *b = pb;
	uint32_t i = trace_place(t, a->call);
	uint32_t j = trace_place(t, b->call);

	if (a->phase != b->phase)
		return a->phase < b->phase ? -1 : 1;
	return i != j ? (i < j ? -1 : 1) : a->call < b->call ? -1 : a->call > b->call;
}

static int by_bytes(const void *pa, const void *pb)
{
	const struct use *a = pa;
	const struct use *b = pb;

	if (a->bytes != b->bytes)
		return a->bytes > b->bytes ? -1 : 1;
	return a->call < b->call ? -1 : a->call > b->call;
}

static size_t fold(const struct trace *t, struct use *use, size_t n)
{
	size_t kept = 0;
	size_t i;

	if (!n)
		return 0;
	sort_with(use, n, sizeof(*use), by_place, (void *)t);
	for (i = 0; i < n; i++) {
		struct use *last = &use[kept ? kept - 1 : 0];

		if (!kept || last->phase != use[i].phase ||
		    trace_place(t, last->call) != trace_place(t, use[i].call)) {
			use[kept++] = use[i];
			continue;
		}
		last->calls += use[i].calls;
		last->bytes += use[i].bytes;
	}
	sort(use, kept, sizeof(*use), by_bytes);
	return kept;
}

/* The uses of collectives that move something, as they are found. */
struct uses {
	struct use *use;
	size_t n, cap;
};

/* Each call of such a collective; bytes: per call. Returns 0, or -1: out of memory. */
static int gather_uses(const struct trace *t, const struct phases *phases,
		       const char *const *pattern, const double *bytes, struct uses *out)
{
	for (uint32_t i = 0; i < t->n_calls; i++) {
		if (!pattern[t->calls[i].region])
			continue;
		if (GROW(out->use, out->n, out->cap))
			return -1;
		out->use[out->n++] = (struct use){
			.phase = phases->of_call[i] == TRACE_NONE ? 0 : phases->of_call[i] + 1,
			.call = i,
			.calls = 1,
			.bytes = bytes[i],
		};
	}
	return 0;
}

static int add_uses(const struct trace *t, const char *const *pattern, const struct use *use,
		    size_t n, struct patterns *out, struct err *err)
{
	size_t i;

	for (i = 0; i < n && i < COLLECTIVES_MAX; i++) {
		const struct call *call = &t->calls[use[i].call];
		struct found f = {.scope = PATTERN_COLLECTIVE,
				  .phase = use[i].phase,
				  .site = call->site,
				  .region = call->region,
				  .comm = TRACE_NONE,
				  .messages = use[i].calls,
				  .bytes = use[i].bytes};

		strcpy(f.p.best.name, pattern[call->region]);
		f.p.best.explained = f.p.best.presence = f.p.best.uniformity = f.p.score = 1;
		f.p.best.regular = 1;
		f.p.margin = 1;
		if (patterns_add(out, &f, err))
			return -1;
	}
	return 0;
}

int pattern_collectives(const struct trace *t, const struct collectives *c,
			const struct phases *phases, struct patterns *out, struct err *err)
{
	const char **pattern = calloc((size_t)t->n_regions + 1, sizeof(const char *));
	double *bytes = table_calloc((size_t)t->n_calls + 1, sizeof(*bytes));
	struct uses all = {0};
	uint32_t i;
	int ret = -1;

	if (!pattern || !bytes)
		goto out;
	for (i = 0; i < t->n_regions; i++)
		pattern[i] = pattern_of(t->regions[i].name);
	for (i = 0; i < t->n_ops; i++)
		if (t->ops[i].kind == OP_COLL && t->ops[i].call != TRACE_NONE)
			bytes[t->ops[i].call] += (double)t->ops[i].bytes;
	for (i = 0; i < c->n_starts; i++)
		bytes[c->starts[i].start] += (double)c->starts[i].sent;
	if (gather_uses(t, phases, pattern, bytes, &all))
		goto out;
	all.n = fold(t, all.use, all.n);
	ret = 0;
out:
	if (ret)
		err_set(err, "out of memory for %u calls", t->n_calls);
	else
		ret = add_uses(t, pattern, all.use, all.n, out, err);
	table_free(all.use);
	table_free(bytes);
	free(pattern);
	return ret;
}
