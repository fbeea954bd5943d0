/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/patterns/selections.h"

#include "common/table.h"

#include <stdlib.h>
#include <string.h>

int selections_init(struct selections *x, const struct trace *t, const struct messages *m,
		    const struct phases *phases, struct err *err)
{
	size_t n = (size_t)m->n + 1, keys = trace_places(t);

	keys = keys > phases->n ? keys : phases->n;
	keys = keys > t->n_comms ? keys : t->n_comms;
	*x = (struct selections){.t = t, .m = m, .phases = phases};
	x->order = table_alloc(n, sizeof(*x->order));
	x->room = table_alloc(n, sizeof(*x->room));
	x->at = calloc(keys + 2, sizeof(*x->at));
	x->s = table_alloc(n, sizeof(*x->s));
	if (x->order && x->room && x->at && x->s)
		return 0;
	selections_release(x);
	return err_set(err, "out of memory for the patterns of %u messages", m->n);
}

void selections_release(struct selections *x)
{
	table_free(x->s);
	free(x->at);
	table_free(x->room);
	table_free(x->order);
	*x = (struct selections){0};
}

static int by_bytes(const void *pa, const void *pb)
{
	const struct selection *a = pa;
	const struct selection *b = pb;

	if (a->bytes != b->bytes)
		return a->bytes > b->bytes ? -1 : 1;
	return a->first < b->first ? -1 : a->first > b->first;
}

/* What tells selections of a scope apart: the smaller numbers first. */
typedef uint32_t key_of(const struct selections *x, uint32_t message);

static uint32_t phase_of(const struct selections *x, uint32_t message)
{
	uint32_t phase = x->phases->of_message[message];

	return phase == TRACE_NONE ? x->phases->n : phase;
}

static uint32_t place_of(const struct selections *x, uint32_t message)
{
	return x->m->m[message].place;
}

static uint32_t comm_of(const struct selections *x, uint32_t message)
{
	uint32_t comm = x->m->m[message].comm;

	return comm < x->t->n_comms ? comm : x->t->n_comms;
}

/* Put the order in order of keys, otherwise as it is: a counting sort. */
static void sort_by(struct selections *x, key_of *key, uint32_t keys)
{
	uint32_t n = x->m->n, *sorted = x->room;

	memset(x->at, 0, ((size_t)keys + 1) * sizeof(*x->at));
	for (uint32_t i = 0; i < n; i++)
		x->at[key(x, i) + 1]++;
	if (x->at[key(x, 0) + 1] == n)
		return; /* all the same */
	for (uint32_t k = 0; k < keys; k++)
		x->at[k + 1] += x->at[k];
	for (uint32_t i = 0; i < n; i++)
		sorted[x->at[key(x, x->order[i])]++] = x->order[i];
	x->room = x->order;
	x->order = sorted;
}

static void set_order(struct selections *x, enum pattern_scope scope)
{
	for (uint32_t i = 0; i < x->m->n; i++)
		x->order[i] = i;
	if (scope == PATTERN_CALLSITE)
		sort_by(x, place_of, trace_places(x->t));
	if (scope == PATTERN_CALLSITE || scope == PATTERN_PHASE)
		sort_by(x, phase_of, x->phases->n + 1);
	if (scope == PATTERN_COMMUNICATOR)
		sort_by(x, comm_of, x->t->n_comms + 1);
}

/* Are messages a and b of one selection? */
static int belong(const struct selections *x, enum pattern_scope scope, uint32_t a, uint32_t b)
{
	switch (scope) {
	case PATTERN_PHASE:
		return phase_of(x, a) == phase_of(x, b);
	case PATTERN_CALLSITE:
		return phase_of(x, a) == phase_of(x, b) && place_of(x, a) == place_of(x, b);
	case PATTERN_COMMUNICATOR:
		return comm_of(x, a) == comm_of(x, b);
	default:
		return 1;
	}
}

int selections_are_one_phase(const struct selections *x)
{
	for (uint32_t i = 1; i < x->m->n; i++)
		if (phase_of(x, i) != phase_of(x, 0))
			return 0;
	return 1;
}

void selections_all(struct selections *x)
{
	x->n = 1;
	x->s[0] = (struct selection){.n = x->m->n};
	for (uint32_t i = 0; i < x->m->n; i++) {
		x->order[i] = i;
		x->s[0].bytes += (double)x->m->m[i].bytes;
	}
}

void selections_make(struct selections *x, enum pattern_scope scope)
{
	uint32_t n = 0;

	set_order(x, scope);
	for (uint32_t i = 0; i < x->m->n; i++) {
		uint32_t message = x->order[i];

		if (!i || !belong(x, scope, x->order[i - 1], message))
			x->s[n++] = (struct selection){.first = i};
		x->s[n - 1].n++;
		x->s[n - 1].bytes += (double)x->m->m[message].bytes;
	}
	qsort(x->s, n, sizeof(*x->s), by_bytes);
	x->n = n;
}
