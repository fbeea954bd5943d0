/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/matching/presence.h"

#include "analyze/tools/instants.h"
#include "analyze/tools/share.h"
#include "common/table.h"

/* What a rank's calls say of all: it overlaps, or has others. */
static void find_of_rank(struct presence *p, const struct rank *rank, int *overlaps,
			 int *has_others)
{
	int64_t reach = rank->begin_ns, outside = 0;

	for (uint32_t i = rank->first_call; i < rank->first_call + rank->calls; i++) {
		const struct call *c = &p->t->calls[i];

		if (c->enter_ns > reach)
			outside += c->enter_ns - reach;
		if (c->enter_ns < reach)
			*overlaps = 1;
		p->entry[i].enter_ns = c->enter_ns;
		p->entry[i].outside_ns = outside;
		if (trace_call_kind(p->t, i) == REGION_OTHER) {
			/* as if the call were not there */
			*has_others = 1;
			if (c->enter_ns > reach)
				outside -= c->enter_ns - reach;
		} else if (c->leave_ns > reach) {
			reach = c->leave_ns;
		}
		p->entry[i].reach_ns = reach;
	}
}

/* A piece. */
static int take_rank(void *presence, unsigned hand, uint32_t rank, struct err *err)
{
	struct presence *p = presence;
	int overlaps = 0, has_others = 0;

	(void)hand, (void)err;
	find_of_rank(p, &p->t->ranks[rank], &overlaps, &has_others);
	if (overlaps)
		__atomic_store_n(&p->overlaps, 1, __ATOMIC_RELAXED);
	if (has_others)
		__atomic_store_n(&p->has_others, 1, __ATOMIC_RELAXED);
	return 0;
}

int presence_init(struct presence *p, const struct trace *t, struct err *err)
{
	p->t = t;
	p->overlaps = p->has_others = 0;
	p->entry = table_alloc((size_t)t->n_calls + 1, sizeof(*p->entry));
	if (!p->entry)
		return err_set(err, "out of memory for %u calls", t->n_calls);
	return share_run(share_hands(), t->n_ranks, take_rank, p, err);
}

void presence_release(struct presence *p)
{
	table_free(p->entry);
	p->entry = NULL;
}

uint32_t presence_call_before(const struct presence *p, uint32_t rank, uint32_t near, int64_t when)
{
	const struct rank *r = &p->t->ranks[rank];
	struct instants enters = {&p->entry[r->first_call].enter_ns, sizeof(*p->entry), r->calls};
	uint32_t n = instants_until(enters, near - r->first_call, when);

	return n == 0 ? TRACE_NONE : r->first_call + n - 1;
}

/* Time outside MPI from the rank's begin to when; i = presence_call_before(when). */
static int64_t outside_until(const struct presence *p, uint32_t rank, uint32_t i, int64_t when)
{
	int64_t enter, outside;

	if (i == TRACE_NONE)
		return when - p->t->ranks[rank].begin_ns; /* before the begin: outside as well */
	enter = p->entry[i].enter_ns;
	outside = p->entry[i].outside_ns;
	if (p->entry[i].reach_ns < enter) /* a user region: nothing was inside MPI at its enter */
		return outside + when - enter;
	return outside + (when > p->entry[i].reach_ns ? when - p->entry[i].reach_ns : 0);
}

int64_t presence_outside_ns(const struct presence *p, uint32_t rank, uint32_t near, int64_t from,
			    int64_t to)
{
	uint32_t i;

	if (to <= from)
		return 0;
	i = presence_call_before(p, rank, near, from);
	if (i != TRACE_NONE && p->entry[i].reach_ns >= to &&
	    p->entry[i].enter_ns <= p->entry[i].reach_ns)
		return 0; /* all inside one call: no second search */
	return outside_until(p, rank, presence_call_before(p, rank, near, to), to) -
	       outside_until(p, rank, i, from);
}

int64_t presence_between_ns(const struct presence *p, uint32_t call, uint32_t later)
{
	const struct call *c = &p->t->calls[call];

	return presence_outside_ns(p, c->rank, call, c->leave_ns, p->entry[later].enter_ns);
}

int64_t presence_next_ns(const struct presence *p, uint32_t rank, uint32_t near, int64_t from)
{
	const struct rank *r = &p->t->ranks[rank];
	uint32_t i = presence_call_before(p, rank, near, from);

	if (i != TRACE_NONE && p->entry[i].reach_ns > from)
		return from;
	for (i = i == TRACE_NONE ? r->first_call : i + 1; i < r->first_call + r->calls; i++)
		/* what kind it is is far from here in memory */
		if (!p->has_others || trace_call_kind(p->t, i) != REGION_OTHER)
			return p->entry[i].enter_ns;
	return INT64_MAX;
}
