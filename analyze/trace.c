/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/trace.h"

#include "analyze/tools/clock_error.h"
#include "common/table.h"

#include <stdlib.h>
#include <string.h>

int64_t trace_paused_ns(const struct trace *t, uint32_t rank)
{
	const struct rank *r = &t->ranks[rank];
	int64_t sum = 0;
	int open = 0;
	uint32_t i;

	/* A thread may end what another began: only all of them together need an order. */
	for (i = r->first_op; i < r->first_op + r->ops; i++) {
		if (t->ops[i].kind == OP_PAUSE) {
			sum -= t->ops[i].time_ns;
			open++;
		} else if (t->ops[i].kind == OP_RESUME) {
			sum += t->ops[i].time_ns;
			open--;
		}
	}
	if (open > 0)
		sum += t->wall_ns; /* to the end */
	return sum < 0 ? 0 : sum > t->wall_ns ? t->wall_ns : sum;
}

int trace_has_polls(const struct trace *t)
{
	int defined = 0;

	for (uint32_t k = 0; k < t->n_regions; k++)
		defined |= region_polls(t->regions[k].kind);
	for (uint32_t c = 0; defined && c < t->n_calls; c++)
		if (trace_is_poll(t, c))
			return 1;
	return 0;
}

int64_t trace_launch_ns(const struct trace *t, uint32_t rank)
{
	const struct rank *r = &t->ranks[rank];

	if (r->calls == 0 || trace_call_kind(t, r->first_call) != REGION_INIT ||
	    t->calls[r->first_call].enter_ns > r->begin_ns)
		return 0;
	return r->begin_ns > 0 ? r->begin_ns : 0;
}

int trace_is_before_recording(const struct trace *t, uint32_t call)
{
	const struct rank *r = &t->ranks[t->calls[call].rank];

	return call == r->first_call && r->ops && trace_call_kind(t, call) == REGION_INIT &&
	       t->ops[r->first_op].kind == OP_PAUSE &&
	       t->ops[r->first_op].time_ns <= t->calls[call].enter_ns;
}

int trace_is_left_out(const struct trace *t, uint32_t rank)
{
	const struct rank *r = &t->ranks[rank];
	uint32_t i;

	if (r->absent)
		return 1;
	for (i = r->first_call; i < r->first_call + r->calls; i++)
		if (trace_call_kind(t, i) != REGION_INIT &&
		    trace_call_kind(t, i) != REGION_FINALIZE)
			return 0;
	return trace_paused_ns(t, rank) > 0;
}

int64_t trace_recorded_ns(const struct trace *t, uint32_t rank)
{
	return trace_is_left_out(t, rank) ? 0 : t->wall_ns - trace_paused_ns(t, rank);
}

int trace_is_unseen_at_times(const struct trace *t, uint32_t rank)
{
	const struct rank *r = &t->ranks[rank];

	for (uint32_t i = r->first_op; i < r->first_op + r->ops; i++)
		if (t->ops[i].kind == OP_PAUSE)
			return 1;
	return r->absent;
}

int trace_is_unseen_after(const struct trace *t, uint32_t rank, int64_t ns)
{
	const struct rank *r = &t->ranks[rank];
	uint32_t i;

	if (r->absent)
		return 1;
	for (i = r->ops; i > 0; i--) {
		const struct op *o = &t->ops[r->first_op + i - 1];

		if (o->kind == OP_PAUSE)
			return 1;
		if (o->kind == OP_RESUME)
			return o->time_ns > ns;
	}
	return 0;
}

static int by_host(const void *a, const void *b, void *ranks)
{
	const struct rank *x = (const struct rank *)ranks + *(const uint32_t *)a,
			  *y = (const struct rank *)ranks + *(const uint32_t *)b;

	if (x->host && y->host)
		return strcmp(x->host, y->host);
	return x->node != y->node ? (x->node > y->node) - (x->node < y->node)
				  : !!x->host - !!y->host;
}

int trace_number_homes(struct trace *t)
{
	uint32_t *order = calloc((size_t)t->n_ranks + 1, sizeof(*order));

	if (!order)
		return -1;
	for (uint32_t r = 0; r < t->n_ranks; r++)
		order[r] = r;
	qsort_r(order, t->n_ranks, sizeof(*order), by_host, t->ranks);
	t->homes = 0;
	for (uint32_t k = 0; k < t->n_ranks; k++) {
		t->homes += k > 0 && by_host(&order[k - 1], &order[k], t->ranks) != 0;
		t->ranks[order[k]].home = t->homes;
	}
	t->homes++;
	free(order);
	return 0;
}

int64_t trace_clock_ahead_ns(const struct trace *t, uint32_t a, uint32_t b)
{
	const struct rank *x = &t->ranks[a], *y = &t->ranks[b];
	int64_t ns;

	if (x->clock == y->clock)
		return 0;
	if (!t->pair_error_ns)
		return t->clock_error_ns;
	ns = t->pair_error_ns[(size_t)x->clock * t->clocks + y->clock];
	if (ns != 0)
		return clock_bound_ns(ns);
	/* nothing went from a to b */
	return x->clock_error_ns < 0 || y->clock_error_ns < 0
		       ? INT64_MAX
		       : x->clock_error_ns + y->clock_error_ns;
}

int trace_any_lacks_core(const struct trace *t)
{
	for (uint32_t r = 0; r < t->n_ranks; r++)
		if (trace_lacks_core(t, r))
			return 1;
	return 0;
}

int trace_any_shares_core(const struct trace *t)
{
	for (uint32_t r = 0; r < t->n_ranks; r++)
		if (trace_shares_core(t, r))
			return 1;
	return 0;
}

int trace_set_cores(struct trace *t, double cores)
{
	/* Per node: its ranks, and then 1 + its group. */
	uint32_t *ranks = calloc(2 * (size_t)t->nodes + 1, sizeof(*ranks));
	uint32_t *group = ranks ? ranks + t->nodes : NULL;
	int ret = ranks ? 0 : -1;

	for (uint32_t r = 0; !ret && cores > 0 && r < t->n_ranks; r++)
		if (t->ranks[r].node < t->nodes && !(t->ranks[r].crowd > 0))
			ranks[t->ranks[r].node]++;
	for (uint32_t r = 0; !ret && cores > 0 && r < t->n_ranks; r++) {
		struct rank *x = &t->ranks[r];
		struct core_group *g;

		if (x->node >= t->nodes || x->crowd > 0)
			continue;
		if (!group[x->node]) {
			g = core_groups_add(&t->core_groups,
					    &(struct core_group){.node = x->node,
								 .cores = cores,
								 .is_alike = 1,
								 .of_node = cores,
								 .open = cores},
					    ranks[x->node]);
			if (!g) {
				ret = -1;
				break;
			}
			group[x->node] = t->core_groups.n;
		}
		g = &t->core_groups.g[group[x->node] - 1];
		g->ranks[g->n++] = r;
		g->node_ranks = g->n;
		x->crowd = ranks[x->node] / cores;
	}
	free(ranks);
	return ret;
}

void site_release(struct site *s)
{
	free(s->path);
	free(s->file);
	free(s->function);
	free(s->callers);
}

void trace_release(struct trace *t)
{
	uint32_t i;

	for (i = 0; t->ranks && i < t->n_ranks; i++)
		free(t->ranks[i].host);
	for (i = 0; i < t->n_regions; i++)
		free(t->regions[i].name);
	for (i = 0; i < t->n_sites; i++)
		site_release(&t->sites[i]);
	for (i = 0; i < t->n_comms; i++) {
		free(t->comms[i].name);
		free(t->comms[i].members);
	}
	for (i = 0; i < t->n_groups; i++)
		free(t->groups[i].members);
	table_free(t->groups);
	free(t->pair_error_ns);
	free(t->creator);
	free(t->ranks);
	free(t->regions);
	table_free(t->sites);
	table_free(t->comms);
	table_free(t->calls);
	table_free(t->ops);
	table_free(t->floods);
	readings_release(&t->readings);
	endpoints_release(&t->ends);
	core_groups_release(&t->core_groups);
	free(t->anchor);
	*t = (struct trace){0};
}
