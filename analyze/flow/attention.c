/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/flow/attention.h"

#include "analyze/flow/gathering.h"
#include "analyze/tools/dated.h"
#include "analyze/tools/sorting.h"
#include "common/table.h"

#include <string.h>

struct attention {
	const struct trace *t;
	const struct presence *p;
	/*
	 * Room for the ranks of one collective: each is back inside then, with that call;
	 * TRACE_NONE: it was never outside.
	 */
	struct dated *comers;
	uint32_t *back;
};

static int moves_alone(const struct machine *machine)
{
	int known = 0;

	for (int k = 0; k < LOCALITY_COUNT; k++) {
		const struct machine_class *c = &machine->classes[k];

		if (c->n > 0 && !progress_moves(c->progress.receiver))
			return 0;
		known |= c->n > 0;
	}
	return known;
}

static struct dated comer_of(const struct attention *a, const struct collective_start *x,
			     int64_t started_ns)
{
	const struct call *start = &a->t->calls[x->start];
	int64_t from_ns = later(started_ns, start->leave_ns);
	int64_t ns = presence_next_ns(a->p, start->rank, x->done, from_ns);
	struct dated comer = {ns, TRACE_NONE};

	if (ns == from_ns)
		comer.ns = started_ns;
	else if (ns < INT64_MAX)
		comer.number = presence_call_before(a->p, start->rank, x->done, ns);
	return comer;
}

static int64_t back_ns(const struct attention *a, uint32_t call)
{
	return call == TRACE_NONE ? INT64_MIN : a->t->calls[call].enter_ns;
}

/* The n starts of one collective. */
static void find_of(const struct attention *a, const struct collective *c,
		    const struct collective_start *x, uint32_t n)
{
	struct instants back = {&a->comers->ns, sizeof(*a->comers), n};

	if (!collective_is_whole(a->t, c) || gathering_needs_some(a->t->regions[c->region].name))
		return;
	for (uint32_t i = 0; i < n; i++)
		a->comers[i] = comer_of(a, &x[i], c->last_enter_ns);
	sort(a->comers, n, sizeof(*a->comers), dated_order);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t rank = a->t->calls[x[i].start].rank;
		uint32_t k = instants_until(back, n, a->t->calls[x[i].done].leave_ns);
		uint32_t call = k > 0 ? a->comers[k - 1].number : TRACE_NONE;

		if (gathering_whom(a->t, c, rank) == WAITS_FOR_ALL &&
		    back_ns(a, call) > back_ns(a, a->back[x[i].done]))
			a->back[x[i].done] = call;
	}
}

int attention_find(const struct trace *t, const struct collectives *c, const struct presence *p,
		   const struct machine *machine, uint32_t **back, struct err *err)
{
	struct attention a = {.t = t, .p = p};
	uint32_t n;

	*back = NULL;
	if (!c->n_starts || moves_alone(machine))
		return 0;
	a.back = table_alloc((size_t)t->n_calls + 1, sizeof(*a.back));
	a.comers = table_alloc((size_t)c->n_starts + 1, sizeof(*a.comers));
	if (!a.back || !a.comers) {
		table_free(a.comers);
		table_free(a.back);
		return err_set(err, "out of memory for %u calls", t->n_calls);
	}
	memset(a.back, 0xff, ((size_t)t->n_calls + 1) * sizeof(*a.back)); /* TRACE_NONE */
	for (uint32_t i = 0; i < c->n_starts; i += n) {
		uint32_t k = c->starts[i].collective;

		for (n = 1; i + n < c->n_starts && c->starts[i + n].collective == k; n++)
			;
		find_of(&a, &c->c[k], &c->starts[i], n);
	}
	table_free(a.comers);
	*back = a.back;
	return 0;
}
