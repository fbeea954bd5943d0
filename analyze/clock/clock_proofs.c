/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/clock/clock_proofs.h"

#include "analyze/tools/growing.h"
#include "common/table.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum flow {
	FLOW_UNKNOWN, /* or not between all members: those with a count for each may be 0 */
	FLOW_ALL,
	FLOW_FROM_ROOT,
	FLOW_TO_ROOT,
};

struct search {
	const struct trace *t;
	const struct collectives *c;
	struct clock_proofs *out;
	size_t room;
	uint8_t *flow;           /* by region: enum flow */
	struct clock_proof *hub; /* by collective: of its last member, or its root */
};

static enum flow flow_of(const char *name)
{
	static const struct {
		const char *name;
		enum flow flow;
	} known[] = {
		{"Barrier", FLOW_ALL},
		{"Allgather", FLOW_ALL},
		{"Allreduce", FLOW_ALL},
		{"Alltoall", FLOW_ALL},
		{"Reduce_scatter_block", FLOW_ALL},
		{"Bcast", FLOW_FROM_ROOT},
		{"Scatter", FLOW_FROM_ROOT},
		{"Gather", FLOW_TO_ROOT},
		{"Reduce", FLOW_TO_ROOT},
	};

	if (strncmp(name, "MPI_", 4))
		return FLOW_UNKNOWN;
	name += 4 + (name[4] == 'I');
	for (size_t k = 0; k < sizeof(known) / sizeof(*known); k++)
		if (!strcasecmp(name, known[k].name))
			return known[k].flow;
	return FLOW_UNKNOWN;
}

/* How what a collective moves flows; unknown where nothing may have. */
static enum flow flow_at(const struct search *s, uint32_t collective)
{
	const struct collective *c = &s->c->c[collective];
	enum flow flow = (enum flow)s->flow[c->region];

	if (s->t->comms[c->comm].inter || (flow != FLOW_ALL && c->root < 0))
		return FLOW_UNKNOWN;
	if (c->bytes == 0 && strcasecmp(s->t->regions[c->region].name, "MPI_Barrier") &&
	    strcasecmp(s->t->regions[c->region].name, "MPI_Ibarrier"))
		return FLOW_UNKNOWN;
	return flow;
}

static int add(struct search *s, uint32_t entered, uint32_t left)
{
	struct clock_proofs *out = s->out;

	if (GROW(out->p, out->n, s->room))
		return -1;
	out->p[out->n++] = (struct clock_proof){entered, left};
	return 0;
}

/* Is a member the one that the others are compared with? */
static int find_hub(struct search *s, uint32_t collective, struct clock_proof own)
{
	const struct collective *c = &s->c->c[collective];
	uint32_t rank = s->t->calls[own.entered].rank;
	uint32_t hub = flow_at(s, collective) == FLOW_ALL ? c->last_rank : (uint32_t)c->root;

	if (rank == hub)
		s->hub[collective] = own;
	return 0;
}

static int compare(struct search *s, uint32_t collective, struct clock_proof own)
{
	struct clock_proof hub = s->hub[collective];
	const struct rank *ranks = s->t->ranks;
	enum flow flow = flow_at(s, collective);

	if (flow == FLOW_UNKNOWN || hub.entered == TRACE_NONE ||
	    ranks[s->t->calls[hub.entered].rank].clock ==
		    ranks[s->t->calls[own.entered].rank].clock)
		return 0;
	if (flow != FLOW_TO_ROOT && add(s, hub.entered, own.left))
		return -1;
	return flow != FLOW_FROM_ROOT ? add(s, own.entered, hub.left) : 0;
}

/* Calls visit for each part that a rank has in a collective. */
static int each(struct search *s, int (*visit)(struct search *, uint32_t, struct clock_proof))
{
	const struct collectives *c = s->c;

	for (uint32_t i = 0; i < s->t->n_calls; i++)
		if (call_collective(&s->t->calls[i]) != TRACE_NONE &&
		    visit(s, call_collective(&s->t->calls[i]), (struct clock_proof){i, i}))
			return -1;
	for (uint32_t i = 0; i < c->n_starts; i++)
		if (visit(s, c->starts[i].collective,
			  (struct clock_proof){c->starts[i].start, c->starts[i].done}))
			return -1;
	return 0;
}

int clock_proofs_find(const struct trace *t, const struct collectives *c, struct clock_proofs *out)
{
	struct search s = {.t = t, .c = c, .out = out};
	int ret = -1;

	*out = (struct clock_proofs){NULL};
	if (t->clocks < 2 || !c || c->n == 0)
		return 0;
	s.flow = calloc(t->n_regions + 1, sizeof(*s.flow));
	s.hub = table_alloc(c->n, sizeof(*s.hub));
	if (!s.flow || !s.hub)
		goto out;
	for (uint32_t k = 0; k < t->n_regions; k++)
		s.flow[k] = (uint8_t)flow_of(t->regions[k].name);
	memset(s.hub, 0xff, c->n * sizeof(*s.hub)); /* TRACE_NONE */
	if (!each(&s, find_hub) && !each(&s, compare))
		ret = 0;
out:
	free(s.flow);
	table_free(s.hub);
	return ret;
}

void clock_proofs_release(struct clock_proofs *x)
{
	table_free(x->p);
	*x = (struct clock_proofs){NULL};
}
