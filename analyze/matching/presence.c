/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/matching/presence.h"

#include "analyze/tools/share.h"
#include "common/table.h"

/* What a rank's calls say of all. */
struct found {
	int overlaps, has_others;
	int differs; /* one reaches farther, or less far, than to its own leave */
};

static struct found find_of_rank(struct presence *p, const struct rank *rank)
{
	int64_t reach = rank->begin_ns, outside = 0;
	struct found found = {0};

	for (uint32_t i = rank->first_call; i < rank->first_call + rank->calls; i++) {
		const struct call *c = &p->t->calls[i];
		const struct flood *flood = trace_flood(p->t, c);
		int64_t before = c->enter_ns > reach ? c->enter_ns - reach : 0;

		found.overlaps |= c->enter_ns < reach;
		p->outside_ns[i] = outside + before;
		if (trace_call_kind(p->t, i) == REGION_OTHER) {
			found.has_others = 1; /* as if the call were not there */
		} else {
			outside += before;
			reach = later(reach, c->leave_ns - (flood ? flood->asleep_ns : 0));
		}
		found.differs |= reach != c->leave_ns;
		if (p->reach_ns)
			p->reach_ns[i] = reach;
	}
	return found;
}

/* A piece. */
static int take_rank(void *presence, unsigned hand, uint32_t rank, struct err *err)
{
	struct presence *p = presence;
	struct found found = find_of_rank(p, &p->t->ranks[rank]);

	(void)hand, (void)err;
	if (found.overlaps)
		__atomic_store_n(&p->overlaps, 1, __ATOMIC_RELAXED);
	if (found.has_others)
		__atomic_store_n(&p->has_others, 1, __ATOMIC_RELAXED);
	if (found.differs)
		__atomic_store_n(&p->differs, 1, __ATOMIC_RELAXED);
	return 0;
}

/* Each call's own leave is as far as any reaches, but for those of threads and in user regions. */
int presence_init(struct presence *p, const struct trace *t, struct err *err)
{
	size_t n = (size_t)t->n_calls + 1;

	*p = (struct presence){.t = t, .outside_ns = table_alloc(n, sizeof(*p->outside_ns))};
	if (!p->outside_ns)
		goto no_memory;
	if (share_run(share_hands(), t->n_ranks, take_rank, p, err))
		return -1;
	if (!p->differs) {
		p->reach = (struct instants){&t->calls->leave_ns, sizeof(*t->calls), t->n_calls};
		return 0;
	}
	p->reach_ns = table_alloc(n, sizeof(*p->reach_ns));
	if (!p->reach_ns)
		goto no_memory;
	p->reach = (struct instants){p->reach_ns, sizeof(*p->reach_ns), t->n_calls};
	return share_run(share_hands(), t->n_ranks, take_rank, p, err);
no_memory:
	return err_set(err, "out of memory for %u calls", t->n_calls);
}

void presence_release(struct presence *p)
{
	table_free(p->outside_ns);
	table_free(p->reach_ns);
	p->outside_ns = p->reach_ns = NULL;
}

uint32_t presence_call_before(const struct presence *p, uint32_t rank, uint32_t near, int64_t when)
{
	const struct rank *r = &p->t->ranks[rank];
	const struct call *calls = p->t->calls + r->first_call;
	struct instants enters = {&calls->enter_ns, sizeof(*calls), r->calls};
	uint32_t n = instants_until(enters, near - r->first_call, when);

	return n == 0 ? TRACE_NONE : r->first_call + n - 1;
}

/* Time outside MPI from the rank's begin to when; i = presence_call_before(when). */
static int64_t outside_until(const struct presence *p, uint32_t rank, uint32_t i, int64_t when)
{
	int64_t enter, reach, outside;

	if (i == TRACE_NONE)
		return when - p->t->ranks[rank].begin_ns; /* before the begin: outside as well */
	enter = p->t->calls[i].enter_ns;
	reach = presence_reach_ns(p, i);
	outside = p->outside_ns[i];
	if (reach < enter) /* a user region: nothing was inside MPI at its enter */
		return outside + when - enter;
	return outside + later(0, when - reach);
}

int64_t presence_outside_again_ns(const struct presence *p, uint32_t rank,
				  struct presence_near *near, int64_t from, int64_t to)
{
	uint32_t i;

	if (to <= from)
		return 0;
	i = near->from = presence_call_before(p, rank, near->from, from);
	if (i != TRACE_NONE && presence_reach_ns(p, i) >= to &&
	    p->t->calls[i].enter_ns <= presence_reach_ns(p, i))
		return 0; /* all inside one call: no second search */
	near->to = presence_call_before(p, rank, near->to, to);
	return outside_until(p, rank, near->to, to) - outside_until(p, rank, i, from);
}

int64_t presence_outside_ns(const struct presence *p, uint32_t rank, uint32_t near, int64_t from,
			    int64_t to)
{
	return presence_outside_again_ns(p, rank, &(struct presence_near){near, near}, from, to);
}

int64_t presence_covered_ns(const struct presence *p, uint32_t call)
{
	const struct call *c;

	if (!p->overlaps)
		return 0;
	c = &p->t->calls[call];
	if (call == p->t->ranks[c->rank].first_call)
		return 0;
	return later(0, earlier(presence_reach_ns(p, call - 1), c->leave_ns) - c->enter_ns);
}

int64_t presence_between_ns(const struct presence *p, uint32_t call, uint32_t next)
{
	const struct call *c = &p->t->calls[call];

	return presence_outside_ns(p, c->rank, call, c->leave_ns, p->t->calls[next].enter_ns);
}

int64_t presence_next_ns(const struct presence *p, uint32_t rank, uint32_t near, int64_t from)
{
	const struct rank *r = &p->t->ranks[rank];
	uint32_t i = presence_call_before(p, rank, near, from);

	if (i != TRACE_NONE && presence_reach_ns(p, i) > from)
		return from;
	for (i = i == TRACE_NONE ? r->first_call : i + 1; i < r->first_call + r->calls; i++)
		/* what kind it is is far from here in memory */
		if (!p->has_others || trace_call_kind(p->t, i) != REGION_OTHER)
			return p->t->calls[i].enter_ns;
	return INT64_MAX;
}
