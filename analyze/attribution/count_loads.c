/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/attribution/count_loads.h"

#include "analyze/attribution/attribution.h"
#include "analyze/attribution/count_parts.h"
#include "analyze/tools/sorting.h"
#include "common/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One collective: its parts, and whose it is. */
struct operation {
	uint32_t region, site, ranks;
	uint32_t first, n;
};

struct gather {
	const struct trace *t;
	const struct collectives *c;
	const struct slices *call;
	uint8_t *kind; /* per region: enum count_kind */
	struct count_parts parts;
	struct operation *op;
	uint32_t n_ops;
	/* of the place at work, per direction and rank: */
	double *bytes[COUNT_WAYS];
	double *excess[COUNT_WAYS]; /* beyond an even share, where it is the heaviest, */
	uint32_t *comm[COUNT_WAYS]; /* and whose the last of these is */
	struct count_loads out;
};

static enum count_kind kind_of(const char *name)
{
	int has_counts = strstr(name, "lltoallv") || strstr(name, "lltoallw");
	int is_gathered = strstr(name, "llgatherv") != NULL;

	if (strstr(name, "eighbor_") && (has_counts || is_gathered))
		return COUNT_NEIGHBOURS;
	if (has_counts || is_gathered)
		return is_gathered ? COUNT_GATHERED : COUNT_COUNTS;
	return strcmp(name, "MPI_Win_fence") ? COUNT_NONE : COUNT_TARGETS;
}

static int find_kinds(struct gather *g)
{
	int any = 0;

	for (uint32_t k = 0; k < g->t->n_regions; k++) {
		g->kind[k] = (uint8_t)kind_of(g->t->regions[k].name);
		any |= g->kind[k];
	}
	return any;
}

static int by_key(uint32_t a, uint32_t b)
{
	return (a > b) - (a < b);
}

static int by_place(const void *a, const void *b)
{
	const struct operation *x = a, *y = b;
	int order = by_key(x->region, y->region);

	order = order ? order : by_key(x->site, y->site);
	order = order ? order : by_key(x->ranks, y->ranks);
	return order ? order : by_key(x->first, y->first);
}

/* The parts of each operation that all its ranks called, of none of which we lack the bytes. */
static int find_operations(struct gather *g)
{
	size_t k, first = 0;

	g->op = table_calloc(g->parts.n + 1, sizeof(*g->op));
	if (!g->op)
		return -1;
	for (k = 1; k <= g->parts.n; k++) {
		const struct collective *c = &g->c->c[g->parts.p[first].collective];
		uint32_t call = g->parts.p[first].call;

		if (k < g->parts.n && g->parts.p[k].collective == g->parts.p[first].collective)
			continue;
		for (size_t i = first; call == TRACE_NONE && i < k; i++)
			call = g->parts.p[i].call;
		if (call != TRACE_NONE && collective_is_whole(g->t, c) && !c->is_short &&
		    !c->is_mixed)
			g->op[g->n_ops++] =
				(struct operation){c->region, g->t->calls[call].site,
						   g->t->comms[c->comm].size, (uint32_t)first,
						   (uint32_t)(k - first)};
		first = k;
	}
	sort(g->op, g->n_ops, sizeof(*g->op), by_place);
	return 0;
}

/* One direction of an operation. */
struct column {
	double bytes, most;
	uint32_t rank;  /* who has most */
	double moved_s; /* this one was at work */
};

/* One more operation of a place; returns how much is beyond an even share. */
static double add_load(struct count_column *l, uint32_t ranks, const struct column *x,
		       double longest_s)
{
	double excess = x->most - x->bytes / ranks;

	l->bytes += x->bytes;
	l->most += x->most;
	l->longest_s += longest_s;
	if (!(excess > 0))
		return 0;
	l->excess += excess;
	l->excess_s += x->moved_s * excess / x->most;
	l->longest_excess_s += longest_s * excess / x->most;
	return excess;
}

/* One that moves nothing is left out: its time is nobody's bytes', and means are of the others. */
static void add_operation(struct gather *g, struct count_load *u, const struct operation *op)
{
	struct column x[COUNT_WAYS] = {{0}};
	uint32_t i = op->first, end = op->first + op->n;
	uint32_t comm = g->c->c[g->parts.p[i].collective].comm;
	double longest_s = 0, all_s = 0;

	while (i < end) {
		double bytes[COUNT_WAYS] = {0}, moved_s = 0;
		uint32_t rank = g->parts.p[i].rank;

		for (; i < end && g->parts.p[i].rank == rank; i++) {
			const struct count_part *p = &g->parts.p[i];

			for (int k = 0; k < COUNT_WAYS; k++)
				bytes[k] += p->bytes[k];
			if (p->at != TRACE_NONE)
				moved_s += 1e-9 * (double)slices_part(g->call, p->at,
								      COST_collective_transfer);
		}
		all_s += moved_s;
		longest_s = fmax(longest_s, moved_s);
		for (int k = 0; k < COUNT_WAYS; k++) {
			g->bytes[k][rank] += bytes[k];
			x[k].bytes += bytes[k];
			if (bytes[k] <= x[k].most)
				continue;
			x[k] = (struct column){x[k].bytes, bytes[k], rank, moved_s};
		}
	}
	if (!(x[COUNT_GIVEN].bytes > 0) && !(x[COUNT_GOT].bytes > 0))
		return;
	u->count++;
	u->moved_s += all_s;
	for (int k = 0; k < COUNT_WAYS; k++) {
		struct count_column *l = &u->load[k];
		double excess = add_load(l, u->ranks, &x[k], longest_s);

		if (!(excess > 0))
			continue;
		l->ranks += !g->excess[k][x[k].rank];
		g->excess[k][x[k].rank] += excess;
		g->comm[k][x[k].rank] = comm;
	}
}

/* The operations of one place. */
static void add_place(struct gather *g, const struct operation *op, uint32_t n)
{
	struct count_load *u = &g->out.l[g->out.n++];

	*u = (struct count_load){.region = op->region,
				 .site = op->site,
				 .ranks = op->ranks,
				 .kind = g->kind[op->region]};
	for (int k = 0; k < COUNT_WAYS; k++) {
		memset(g->bytes[k], 0, g->t->n_ranks * sizeof(*g->bytes[k]));
		memset(g->excess[k], 0, g->t->n_ranks * sizeof(*g->excess[k]));
	}
	for (uint32_t i = 0; i < n; i++)
		add_operation(g, u, &op[i]);
	for (int k = 0; k < COUNT_WAYS; k++) {
		struct count_column *l = &u->load[k];

		for (uint32_t r = 1; r < g->t->n_ranks; r++)
			if (g->excess[k][r] > g->excess[k][l->rank])
				l->rank = r;
		l->rank_bytes = g->bytes[k][l->rank];
		l->rank_share = l->excess > 0 ? g->excess[k][l->rank] / l->excess : 0;
		l->comm = g->comm[k][l->rank];
	}
}

static int find_places(struct gather *g)
{
	uint32_t first = 0;

	g->out.l = calloc(g->n_ops + 1u, sizeof(*g->out.l));
	if (!g->out.l)
		return -1;
	for (uint32_t k = 1; k <= g->n_ops; k++) {
		const struct operation *x = &g->op[first], *y = &g->op[k];

		if (k < g->n_ops && x->region == y->region && x->site == y->site &&
		    x->ranks == y->ranks)
			continue;
		add_place(g, x, k - first);
		first = k;
	}
	return 0;
}

static int make_tables(struct gather *g)
{
	size_t n = g->t->n_ranks + 1u;

	for (int k = 0; k < COUNT_WAYS; k++) {
		g->bytes[k] = calloc(n, sizeof(*g->bytes[k]));
		g->excess[k] = calloc(n, sizeof(*g->excess[k]));
		g->comm[k] = calloc(n, sizeof(*g->comm[k]));
		if (!g->bytes[k] || !g->excess[k] || !g->comm[k])
			return -1;
	}
	return 0;
}

int count_loads_find(struct count_loads *out, const struct trace *t, const struct collectives *c,
		     const struct slices *call, struct err *err)
{
	struct gather g = {.t = t, .c = c, .call = call};
	int ret = 0;

	g.kind = calloc(t->n_regions + 1u, sizeof(*g.kind));
	if (!g.kind ||
	    (find_kinds(&g) && (count_parts_find(&g.parts, t, c, g.kind) || make_tables(&g) ||
				find_operations(&g) || find_places(&g))))
		ret = err_set(err, "out of memory for the counts of %u collectives", c->n);
	table_free(g.op);
	count_parts_release(&g.parts);
	for (int k = 0; k < COUNT_WAYS; k++) {
		free(g.comm[k]);
		free(g.excess[k]);
		free(g.bytes[k]);
	}
	free(g.kind);
	if (ret)
		count_loads_release(&g.out);
	*out = g.out;
	return ret;
}

void count_loads_release(struct count_loads *x)
{
	free(x->l);
	*x = (struct count_loads){0};
}

const struct count_load *count_loads_at(const struct count_loads *x, uint32_t region, uint32_t site,
					uint32_t ranks)
{
	const struct count_load *end = x->l + x->n;

	for (const struct count_load *u = x->l; u < end; u++)
		if (u->region == region && u->site == site && u->ranks == ranks)
			return u;
	return NULL;
}

double count_times(const struct count_load *u, enum count_way way)
{
	const struct count_column *l = &u->load[way];

	return l->bytes > 0 ? l->most * u->ranks / l->bytes : 0;
}

enum count_way count_way(const struct count_load *u)
{
	return count_times(u, COUNT_GIVEN) > count_times(u, COUNT_GOT) ? COUNT_GIVEN : COUNT_GOT;
}
