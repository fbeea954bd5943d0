/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/attribution/late_waits.h"

#include <string.h>

#include "analyze/attribution/tally.h"
#include "analyze/flow/gathering.h"
#include "analyze/tools/instants.h"
#include "common/prefetch.h"
#include "common/table.h"

#define NOT_SEEN TRACE_NONE      /* none was offered */
#define NOT_LATE LATE_WAITS_NONE /* the call waits for no late one */

/* When the end of message i that call does not belong to was there. */
static int64_t other_end_ns(const struct late_waits *w, uint32_t i, uint32_t call)
{
	const struct message *x = &w->m->m[i];
	int is_receiver = w->t->calls[call].rank == x->dst;

	return is_receiver ? x->sent_ns : w->t->calls[x->recv_call].enter_ns;
}

/* Of the messages that a call completes the one whose other end came last is waited for. */
static void offer(struct late_waits *w, uint32_t call, uint32_t i)
{
	const struct message *x = &w->m->m[i];
	uint32_t *late = &w->late[call];

	if (*late == NOT_SEEN && slices_part(&w->a->call, call, COST_late_partner) <= 0)
		*late = NOT_LATE;
	if (*late == NOT_LATE || x->src == x->dst ||
	    (!message_is_posted(w->t, x) && w->t->calls[call].rank == x->src))
		return;
	if (*late == NOT_SEEN || other_end_ns(w, i, call) > other_end_ns(w, *late, call))
		*late = i;
}

/* A call of one-sided communication that waits for a rank's own call; NULL: it is not. */
static const struct onesided_call *late_sync(const struct late_waits *w, uint32_t call)
{
	const struct onesided_call *x =
		w->a->onesided.n ? onesided_at(&w->a->onesided, call) : NULL;

	return x && (x->cause == ONESIDED_LATE_POST || x->cause == ONESIDED_LATE_COMPLETE) ? x
											   : NULL;
}

int late_waits_is(const struct late_waits *w, uint32_t call)
{
	return w->late[call] < NOT_LATE || late_sync(w, call) ||
	       trace_awaits(w->t, call) != TRACE_NONE;
}

struct late_wait late_waits_at(const struct late_waits *w, uint32_t call)
{
	const struct call *c = &w->t->calls[call];
	const struct message *x;
	uint32_t rank;

	rank = trace_awaits(w->t, call);
	if (rank != TRACE_NONE)
		return (struct late_wait){rank, c->enter_ns, c->leave_ns};
	if (w->late[call] >= NOT_LATE) {
		const struct onesided_call *sync = late_sync(w, call);

		return (struct late_wait){sync->rank, c->enter_ns, sync->until_ns};
	}
	x = &w->m->m[w->late[call]];
	rank = c->rank == x->dst ? x->src : x->dst;
	return (struct late_wait){rank, c->enter_ns,
				  earlier(c->leave_ns, other_end_ns(w, w->late[call], call))};
}

struct late_wait late_waits_gathered(const struct late_waits *w, uint32_t call)
{
	const struct trace *t = w->t;
	const struct call *x = &t->calls[call];
	struct late_wait found = {TRACE_NONE, x->enter_ns, x->enter_ns};
	uint32_t k = call_collective(x), kept_by = attribution_kept_by(w->a, call);
	const struct collective *c;

	if (trace_call_kind(t, call) != REGION_COLLECTIVE || k == TRACE_NONE || !w->a->collectives)
		return found;
	c = &w->a->collectives->c[k];
	found.until_ns += slices_part(&w->a->call, call, COST_collective_wait);
	if (found.until_ns > x->enter_ns && !c->is_mixed &&
	    !gathering_needs_some(t->regions[c->region].name))
		found.rank =
			kept_by != TRACE_NONE ? t->calls[kept_by].rank : gathering_awaited(t, c);
	if (found.rank == x->rank)
		found.rank = TRACE_NONE;
	return found;
}

int64_t late_waits_ns(const struct late_waits *w, uint32_t call)
{
	int64_t covered_ns = presence_covered_ns(&w->a->presence, call);
	struct tally x = {0};

	if (covered_ns == 0)
		return slices_part(&w->a->call, call, COST_late_partner);
	slices_add(&w->a->call, call, x.ns);
	tally_cut(&x, covered_ns);
	return x.ns[COST_late_partner];
}

/* What is asked of a call. */
static void fetch_call(const struct late_waits *w, uint32_t call)
{
	trace_fetch_call(w->t, call);
	prefetch(&w->late[call]);
	prefetch(&w->a->call.first[call]);
}

/* What the calls of the messages to come wait for. */
static void fetch(const struct late_waits *w, uint32_t i)
{
	const struct message *x = &w->m->m[i + MESSAGES_AHEAD];

	if (w->m->n - i <= MESSAGES_AHEAD)
		return;
	fetch_call(w, x->recv_done);
	if (x->send_done != TRACE_NONE)
		fetch_call(w, x->send_done);
}

int late_waits_find(struct late_waits *out, const struct trace *t, const struct messages *m,
		    const struct attribution *a, struct err *err)
{
	uint32_t probe;

	*out = (struct late_waits){.t = t, .m = m, .a = a};
	out->late = table_alloc((size_t)t->n_calls + 1, sizeof(*out->late));
	if (!out->late)
		return err_set(err, "out of memory for %u calls", t->n_calls);
	memset(out->late, 0xff, ((size_t)t->n_calls + 1) * sizeof(*out->late));
	for (uint32_t i = 0; i < m->n; i++) {
		fetch(out, i);
		offer(out, m->m[i].recv_done, i);
		probe = message_probe(t, &m->m[i]);
		if (probe != TRACE_NONE)
			offer(out, probe, i);
		if (m->m[i].send_done != TRACE_NONE)
			offer(out, m->m[i].send_done, i);
	}
	for (uint32_t call = 0; a->polled && call < t->n_calls; call++)
		if (a->polled[call] != TRACE_NONE)
			offer(out, call, a->polled[call]);
	return 0;
}

void late_waits_release(struct late_waits *w)
{
	table_free(w->late);
	memset(w, 0, sizeof(*w));
}
