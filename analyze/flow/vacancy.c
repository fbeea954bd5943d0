/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/flow/vacancy.h"

#include "analyze/tools/find_first.h"
#include "analyze/tools/sorting.h"
#include "common/table.h"

#include <string.h>

static int by_time(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static uint64_t bytes_of(const struct vacancy *r, uint32_t i)
{
	return r->s->sizes->size[r->s->facts[i].size].bytes;
}

int vacancy_init(struct vacancy *r, const struct scene *s, const struct machine *machine,
		 struct err *err)
{
	size_t n = (size_t)s->most + 1;
	int known = 0;

	*r = (struct vacancy){.s = s, .machine = machine};
	for (int k = 0; k < LOCALITY_COUNT; k++)
		known |= machine->classes[k].n_credits > 0;
	if (!known)
		return 0;
	r->sent_ns = table_alloc(n, sizeof(*r->sent_ns));
	return r->sent_ns ? 0 : err_set(err, "out of memory for %zu messages of a receiver", n);
}

void vacancy_release(struct vacancy *r)
{
	table_free(r->sent_ns);
	memset(r, 0, sizeof(*r));
}

void vacancy_run(struct vacancy *r, uint32_t first, uint32_t n)
{
	r->first = first;
	r->n = n;
	r->largest = 0;
	if (!r->sent_ns)
		return;
	for (uint32_t i = first; i < first + n; i++) {
		const struct facts *x = &r->s->facts[i];

		r->sent_ns[i - first] = x->sent_ns;
		if (!(x->flags & MESSAGE_RENDEZVOUS) && bytes_of(r, i) > r->largest)
			r->largest = bytes_of(r, i);
	}
	sort(r->sent_ns, r->n, sizeof(*r->sent_ns), by_time);
}

/* How many were sent before, by anybody. */
static uint32_t sent_before(const struct vacancy *r, int64_t when)
{
	uint32_t at = 0;

	FIND_FIRST(at, r->n, r->sent_ns[at] >= when);
	return at;
}

/* How many the receiver had by then; they are in the order of their completion. */
static uint32_t done_by(const struct vacancy *r, int64_t when)
{
	uint32_t at = r->first;

	FIND_FIRST(at, r->first + r->n, r->s->facts[at].done_ns > when);
	return at - r->first;
}

/* In a line to a receiver. */
static int is_sent_before(const struct facts *y, const struct facts *x)
{
	return y->src < x->src || (y->src == x->src && y->sent_ns < x->sent_ns);
}

/* The place of message i in the line to its receiver, which is in order of source, then send. */
static uint32_t place_of(const struct vacancy *r, uint32_t i)
{
	const struct facts *x = &r->s->facts[i];
	uint32_t at = r->first;

	FIND_FIRST(at, r->first + r->n, !is_sent_before(&r->s->facts[r->s->to[at]], x));
	return at;
}

/* Had its sender sent so many no smaller ones before while the receiver was outside MPI? */
static int is_full(const struct vacancy *r, uint32_t i, uint32_t depth)
{
	const struct scene *s = r->s;
	const struct facts *x = &s->facts[i], *first;
	uint32_t at = place_of(r, i);

	if (at - r->first < depth)
		return 0;
	for (uint32_t k = at - depth; k < at; k++)
		if (bytes_of(r, s->to[k]) < bytes_of(r, i))
			return 0;
	first = &s->facts[s->to[at - depth]];
	return first->src == x->src && first->sent_ns < x->sent_ns &&
	       presence_outside_ns(s->presence, x->dst, x->recv_done, first->sent_ns, x->sent_ns) ==
		       x->sent_ns - first->sent_ns;
}

enum vacancy_says vacancy_for(const struct vacancy *r, uint32_t i)
{
	const struct facts *x = &r->s->facts[i];
	const struct machine_class *c = &r->machine->classes[!!(x->flags & MESSAGE_NETWORK)];
	struct machine_credit k;

	if (!r->sent_ns)
		return VACANCY_UNKNOWN;
	k = machine_credit_at(c, bytes_of(r, i));
	if (k.most > 0 && k.most != CREDIT_UNKNOWN && is_full(r, i, k.most))
		return VACANCY_FULL;
	k = machine_credit_at(c, r->largest); /* of which there may be some */
	if (sent_before(r, x->sent_ns) < done_by(r, x->sent_ns) + k.least)
		return VACANCY_FREE;
	return VACANCY_UNKNOWN;
}
