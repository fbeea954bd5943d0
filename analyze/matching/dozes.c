/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/matching/dozes.h"

#include <string.h>

#include "analyze/tools/instants.h"
#include "common/table.h"

#define SLEEP_LEAST_NS 20000 /* a shorter gap is no sleep: it takes a system call and a timer */
#define MOST_OF_IT     0.8   /* of the gaps' time, and of their number */

/* The time between a rank's polls in vain and the next ones. */
struct gaps {
	uint32_t n;
	int64_t ns;
	int64_t outside_ns; /* all of the rank's time outside MPI */
};

/* What is known of a call, a bit each. */
#define FOUND       1 /* it completed something, */
#define MESSAGE     2 /* a message, */
#define FOR_MESSAGE 4 /* or it is a poll in vain before one that did, or before a receive */

/*
 * From a poll in vain for a message to the next poll of the rank r, if it may have slept; else 0.
 */
static int64_t gap_ns(const struct trace *t, const uint8_t *known, const struct rank *r,
		      uint32_t call)
{
	int64_t ns;

	if (call + 1 >= r->first_call + r->calls || known[call] != FOR_MESSAGE ||
	    !trace_is_poll(t, call + 1))
		return 0;
	ns = t->calls[call + 1].enter_ns - t->calls[call].leave_ns;
	return ns >= SLEEP_LEAST_NS ? ns : 0;
}

static struct gaps gaps_of(const struct trace *t, const uint8_t *known, const struct rank *r)
{
	struct gaps g = {0};
	int64_t reach_ns = r->begin_ns;

	for (uint32_t c = r->first_call; c < r->first_call + r->calls; c++) {
		const struct call *x = &t->calls[c];
		int64_t ns = gap_ns(t, known, r, c);

		g.n += ns > 0;
		g.ns += ns;
		if (trace_call_kind(t, c) == REGION_OTHER)
			continue;
		g.outside_ns += later(0, x->enter_ns - reach_ns);
		reach_ns = later(reach_ns, x->leave_ns);
	}
	g.outside_ns += later(0, r->end_ns - reach_ns);
	return g;
}

/*
 * Outside MPI the rank was asleep for so long at least, as if MPI's own time had been none in which
 * it ran. If it was so elsewhere as long as it can have been, the rest was between polls. Or it was
 * asleep for so long, and so often, as it polled.
 */
static int sleeps(const struct rank *r, const struct gaps *g)
{
	double asleep_ns = (double)(g->outside_ns - r->core_used_ns - r->core_awaited_ns);
	double elsewhere_ns = (double)(g->outside_ns - g->ns), most_ns = MOST_OF_IT * (double)g->ns;

	if (asleep_ns < most_ns)
		return 0;
	return asleep_ns - elsewhere_ns >= most_ns ||
	       (double)r->core_left >= MOST_OF_IT * (double)g->n;
}

static uint32_t dozes_of(const struct trace *t, const uint8_t *known, const struct rank *r)
{
	struct gaps g;

	if (r->core_used_ns <= 0 || r->is_threaded)
		return 0;
	g = gaps_of(t, known, r);
	return g.n > 0 && sleeps(r, &g) ? g.n : 0;
}

static void learn(const struct trace *t, const struct messages *m, uint8_t *known)
{
	for (uint32_t i = 0; i < m->n; i++) {
		known[m->m[i].recv_done] |= FOUND | MESSAGE;
		if (m->m[i].send_done != TRACE_NONE)
			known[m->m[i].send_done] |= FOUND | MESSAGE;
	}
	for (uint32_t i = 0; i < t->n_ops; i++)
		if (t->ops[i].call != TRACE_NONE)
			known[t->ops[i].call] |= FOUND;
	for (uint32_t c = t->n_calls; c-- > 1;)
		if (t->calls[c].rank == t->calls[c - 1].rank && trace_is_poll(t, c - 1) &&
		    !known[c - 1] && known[c] & (MESSAGE | FOR_MESSAGE))
			known[c - 1] = FOR_MESSAGE;
}

static void doze(struct trace *t, uint32_t call, int64_t ns)
{
	struct call *c = &t->calls[call];

	if (!c->is_flood) {
		t->floods[t->n_floods] =
			(struct flood){.polls = 1, .inside_ns = c->leave_ns - c->enter_ns};
		c->part = t->n_floods++;
		c->is_flood = 1;
	}
	t->floods[c->part].inside_ns += ns;
	t->floods[c->part].asleep_ns = ns;
	c->leave_ns += ns;
}

static int mark(struct trace *t, const uint8_t *known, uint32_t n, struct err *err)
{
	struct flood *all = table_alloc((size_t)t->n_floods + n + 1, sizeof(*all));

	if (!all)
		return err_set(err, "out of memory for %u polls", n);
	if (t->n_floods)
		memcpy(all, t->floods, t->n_floods * sizeof(*all));
	table_free(t->floods);
	t->floods = all;
	for (const struct rank *r = t->ranks; r < t->ranks + t->n_ranks; r++) {
		if (!dozes_of(t, known, r))
			continue;
		for (uint32_t c = r->first_call; c < r->first_call + r->calls; c++) {
			int64_t ns = gap_ns(t, known, r, c);

			if (ns > 0)
				doze(t, c, ns);
		}
	}
	return 0;
}

static uint32_t count(const struct trace *t, const uint8_t *known)
{
	uint32_t n = 0;

	for (uint32_t k = 0; k < t->n_ranks; k++)
		n += dozes_of(t, known, &t->ranks[k]);
	return n;
}

int dozes_mark(struct trace *t, const struct messages *m, struct err *err)
{
	uint8_t *known;
	uint32_t n;
	int ret = 0;

	if (!trace_has_polls(t))
		return 0;
	known = table_calloc((size_t)t->n_calls + 1, 1);
	if (!known)
		return err_set(err, "out of memory for %u calls", t->n_calls);
	learn(t, m, known);
	n = count(t, known);
	if (n)
		ret = mark(t, known, n, err);
	table_free(known);
	return ret;
}

int64_t dozes_of_rank_ns(const struct trace *t, const struct rank *r)
{
	int64_t ns = 0;

	for (uint32_t c = r->first_call; c < r->first_call + r->calls; c++)
		if (dozes_at(t, c))
			ns += dozes_at(t, c)->asleep_ns;
	return ns;
}
