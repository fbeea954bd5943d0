/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/attribution/booking.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/attribution/ledger.h"
#include "analyze/attribution/leeway.h"
#include "common/table.h"

#define OVERHEADS_MOST 5 /* so many times its overhead, a call was not at work all the time */

/* Of a tally, see doubt_beyond(). */
struct overhead {
	int64_t ns, less_ns;
};

struct overheads {
	struct overhead send, receive;
};

/* The default scenario does. */
static int fills_tables(const struct hand *h)
{
	return h->flow.scenario == SCENARIO_MID;
}

/*
 * Book one call into its rank's sums. covered: what another thread's calls have booked of it
 * already; that is taken off again so that the rank's time adds up.
 */
static void book_call(struct hand *h, uint32_t call, int64_t covered, struct tally *x,
		      struct tally *ranks)
{
	const struct trace *t = h->b->scene.t;

	if (fills_tables(h))
		h->failed |= slices_put(&h->b->out->call, &h->call, call, x->has, x->ns, h->err);
	/* The user's own regions may hold MPI calls. */
	if (trace_call_kind(t, call) == REGION_OTHER || trace_is_before_recording(t, call))
		return;
	tally_cut(x, covered);
	tally_merge(&ranks[t->calls[call].rank], x);
}

/*
 * A rank that waits for a core looks like a busy handler or a busy port, like buffers that are full
 * or as if a message were on its way: all of that may be anything else.
 */
static void doubt_contention(struct tally *t)
{
	int64_t *more_ns = &t->more_ns[COST_not_identifiable];

	for (uint32_t left = t->has & COSTS_OF_CONTENTION; left; left &= left - 1) {
		unsigned c = (unsigned)__builtin_ctz(left);

		*more_ns += t->ns[c] - t->less_ns[c];
		t->less_ns[c] = t->ns[c];
	}
	t->has |= 1u << COST_not_identifiable;
	t->within_ns = 0;
}

/* Is it longer than a call at work takes? */
static int is_beyond(int64_t ns, int64_t usual_ns)
{
	return ns > OVERHEADS_MOST * usual_ns;
}

/* Of what the part has more than before, what is beyond usual may be anything else. */
static void doubt_beyond(struct tally *t, enum cost c, struct overhead before, int64_t usual_ns)
{
	int64_t ns = t->ns[c] - before.ns, more_ns = t->less_ns[c] - before.less_ns;

	more_ns = ns - usual_ns - more_ns;
	if (!is_beyond(ns, usual_ns) || more_ns <= 0)
		return;
	t->has |= 1u << COST_not_identifiable;
	t->more_ns[COST_not_identifiable] += more_ns;
	t->less_ns[c] += more_ns;
}

static struct overheads overheads_of(const struct tally *t)
{
	return (struct overheads){{t->ns[COST_send_overhead], t->less_ns[COST_send_overhead]},
				  {t->ns[COST_receive_overhead],
				   t->less_ns[COST_receive_overhead]}};
}

/*
 * Calls (and polls) of ranks without a core may have been interrupted. before: what t had of
 * others; p: NULL, or their message's.
 */
static void doubt_overheads(struct tally *t, struct overheads before, const struct price *p,
			    int64_t calls)
{
	doubt_beyond(t, COST_send_overhead, before.send,
		     calls * (LEDGER_OVERHEAD_NS + (p ? p->o_s_ns : 0)));
	doubt_beyond(t, COST_receive_overhead, before.receive,
		     calls * (LEDGER_OVERHEAD_NS + (p ? p->o_r_ns : 0)));
}

/* The same of a call that no message released. */
static void doubt_other(const struct hand *h, uint32_t call, struct tally *t)
{
	const struct scene *s = &h->b->scene;
	const struct call *c = &s->t->calls[call];
	const struct flood *flood = trace_flood(s->t, c);
	const struct lines *posted = &s->by_send;
	const struct price *p = NULL;
	int64_t calls = flood ? (int64_t)flood->polls : 1, least_ns = calls * LEDGER_OVERHEAD_NS;

	if (!trace_lacks_core(s->t, c->rank) ||
	    (!is_beyond(t->ns[COST_send_overhead], least_ns) &&
	     !is_beyond(t->ns[COST_receive_overhead], least_ns)))
		return; /* before its message's price is read, which is far from here in memory */
	if (posted->first[call + 1] > posted->first[call])
		p = flow_price(&h->flow, posted->message[posted->first[call]]);
	doubt_overheads(t, (struct overheads){0}, p, calls);
}

/* All doubts of what is booked for message i. */
static void doubt(const struct hand *h, uint32_t i, const struct walk *w, struct tally *t)
{
	unsigned flags = h->b->scene.facts[i].flags;

	if (flags & MESSAGE_SHARES_CORE)
		doubt_contention(t);
	if (flags & MESSAGE_LACKS_CORE)
		doubt_overheads(t, (struct overheads){0}, w->price, 1);
}

/* Split a call by message i into its parts: adds to t, exactly the call. */
typedef void split(const struct scene *s, uint32_t i, uint32_t call, const struct walk *w,
		   struct tally *t);

/* Where what is booked for message i is summed up as it is. */
static struct sums *sums_of(const struct hand *h, uint32_t i)
{
	return &h->sums[!!(h->b->scene.facts[i].flags & MESSAGE_SHARES_CORE)];
}

/* Call, which message i ended, of which no more is to be said: into its rank's sums. */
static void book_plainly(struct hand *h, uint32_t i, uint32_t call, const struct walk *w,
			 split *split)
{
	const struct scene *s = &h->b->scene;
	struct tally *t = &sums_of(h, i)->rank[s->t->calls[call].rank];
	struct overheads before = overheads_of(t);

	split(s, i, call, w, t);
	if (s->facts[i].flags & MESSAGE_LACKS_CORE)
		doubt_overheads(t, before, w->price, 1);
}

/* Is it known that message i, and none that came nearly as late, ended call? */
static int is_last(const struct scene *s, uint32_t i, uint32_t call)
{
	const struct release *r;

	if (!(s->facts[i].flags & MESSAGE_NETWORK))
		return 1; /* before release is read, which is far from here in memory */
	r = &s->release[call];
	return !r->sooner_ns && !r->later_ns;
}

/* Call, which message i ended: split it, into its rank's sums. */
static void book_release(struct hand *h, uint32_t i, uint32_t call, const struct walk *w,
			 split *split)
{
	const struct scene *s = &h->b->scene;
	int64_t covered = presence_covered_ns(s->presence, call);
	struct tally *t = &h->own;

	if (!fills_tables(h) && covered == 0 && w->clock_error_ns == 0 && is_last(s, i, call)) {
		book_plainly(h, i, call, w, split);
		return;
	}
	split(s, i, call, w, t);
	leeway_call(s, i, call, w, t);
	leeway_last(s, i, call, w, t);
	doubt(h, i, w, t);
	if (fills_tables(h))
		h->b->out->held_ns[i] += tally_contention_ns(t);
	book_call(h, call, covered, t, h->sums->rank);
	tally_clear(t);
}

/* The calls that message i ended: the receiver's, a Probe before it, the sender's, and polls. */
static void book_calls_of(struct hand *h, uint32_t i, const struct walk *w)
{
	const struct facts *x = &h->b->scene.facts[i];
	const struct pollers *polls = &h->b->polls;

	if (x->flags & MESSAGE_ENDS_RECEIVE)
		book_release(h, i, x->recv_done, w, ledger_receive);
	if (x->flags & MESSAGE_ENDS_PROBE)
		book_release(h, i, x->recv_done - 1, w, ledger_receive);
	if (x->flags & MESSAGE_ENDS_SEND)
		book_release(h, i, x->send_done, w, ledger_send);
	for (uint32_t c = pollers_last(polls, i); c != TRACE_NONE; c = polls->next[c])
		book_release(h, i, c, w, pollers_book);
}

/* What the tables keep of message i: the default scenario. */
static void keep_message(struct hand *h, uint32_t i, const struct walk *w, const struct tally *t)
{
	struct attribution *out = h->b->out;

	h->failed |= slices_put(&out->message, &h->message, i, t->has, t->ns, h->err);
	out->wait_caused_ns[h->b->scene.facts[i].dst] += tally_contention_ns(t);
	out->arrival_ns[i] = walk_arrival_ns(w);
}

/* Is no overhead of message i's beyond what it needs, or does nothing interrupt its calls? */
static int has_usual_overheads(const struct hand *h, uint32_t i, const struct walk *w)
{
	if (!(h->b->scene.facts[i].flags & MESSAGE_LACKS_CORE))
		return 1;
	return !is_beyond(walk_part_ns(w, COST_send_overhead),
			  LEDGER_OVERHEAD_NS + w->price->o_s_ns) &&
	       !is_beyond(walk_part_ns(w, COST_receive_overhead),
			  LEDGER_OVERHEAD_NS + w->price->o_r_ns);
}

/* One message's own time. */
static void book_message(struct hand *h, uint32_t i, const struct walk *w)
{
	const struct scene *s = &h->b->scene;
	struct tally *t = &h->own;

	if (w->clock_error_ns == 0 && !fills_tables(h) && has_usual_overheads(h, i, w)) {
		walk_add(w, &sums_of(h, i)->legs);
		return;
	}
	walk_clip(w, w->n, w->start_ns, w->end_ns, t);
	leeway_message(s, i, w, t);
	doubt(h, i, w, t);
	tally_merge(&h->sums->blame, t);
	if (fills_tables(h))
		keep_message(h, i, w, t);
	tally_clear(t);
}

int booking_others(struct hand *h, uint32_t rank, struct err *err)
{
	struct booking *b = h->b;
	const struct scene *s = &b->scene;
	const struct rank *r = &s->t->ranks[rank];

	h->err = err;
	h->failed = 0;
	h->flow = b->flow;
	for (uint32_t c = r->first_call; c < r->first_call + r->calls; c++) {
		if (s->release[c].message != TRACE_NONE)
			continue;
		ledger_other(s, &b->gathering, &b->out->onesided, c, &h->own);
		doubt_other(h, c, &h->own);
		book_call(h, c, presence_covered_ns(s->presence, c), &h->own, b->other);
		tally_clear(&h->own);
	}
	return h->failed;
}

/* Fetch the calls that a message to come ended, and when its receiver was inside MPI. */
static void fetch(const struct scene *s, uint32_t i)
{
	const struct facts *x = &s->facts[i + MESSAGES_AHEAD];

	if (s->m->n - i <= MESSAGES_AHEAD)
		return;
	prefetch(&s->t->calls[x->recv_done]);
	prefetch(&s->presence->outside_ns[x->recv_done]);
	if (x->flags & MESSAGE_ENDS_SEND)
		prefetch(&s->t->calls[x->send_done]);
}

/* A piece of a receiver's messages, in the lane at work. */
static void book_lane(struct hand *h, uint32_t first, uint32_t n)
{
	const struct scene *s = &h->b->scene;
	struct walk w = {0};

	if (!h->flow.passage) {
		h->flow.passage = h->passage;
		flow_receive(&h->flow, first, n);
	}
	handler_run(&h->handler, first, n);
	arrivals_run(&h->arrivals);
	handlings_run(&h->handlings);
	for (uint32_t i = first; i < first + n; i++) {
		fetch(s, i);
		walk_message(&h->handlings, i, &w);
		book_message(h, i, &w);
		book_calls_of(h, i, &w);
	}
}

int booking_receiver(struct hand *h, uint32_t rank, struct err *err)
{
	const struct scene *s = &h->b->scene;
	uint32_t end = s->m->by_dst[rank + 1], next;

	h->err = err;
	h->failed = 0;
	for (uint32_t i = s->m->by_dst[rank]; i < end; i = next) {
		next = scene_piece_end(s, i, end);
		for (unsigned k = 0; k < h->b->lanes; k++) {
			h->flow = h->b->lane[k];
			h->sums = h->sum[k];
			book_lane(h, i, next - i);
		}
	}
	return h->failed;
}

/* What of the sums is still to be doubted. */
static void doubt_sums(struct sums *x, size_t ranks)
{
	doubt_contention(&x->blame);
	for (size_t r = 0; r < ranks; r++)
		doubt_contention(&x->rank[r]);
}

void booking_end(struct hand *h, unsigned lane)
{
	size_t ranks = h->b->scene.t->n_ranks;
	struct sums *x = h->sum[lane];

	for (int k = 0; k < SUMS; k++)
		tally_add_pairs(&x[k].blame, &x[k].legs);
	if (h->b->is_crowded)
		doubt_sums(&x[SUMS_CROWDED], ranks);
}

static void release_sums(struct hand *h, unsigned lane)
{
	for (int k = 0; k < SUMS; k++)
		free(h->sum[lane][k].rank);
	memset(h->sum[lane], 0, sizeof(h->sum[lane]));
}

int booking_begin(struct hand *h, struct err *err)
{
	size_t ranks = h->b->scene.t->n_ranks;

	for (unsigned k = 0; k < h->b->lanes; k++) {
		release_sums(h, k);
		for (int x = 0; x < (h->b->is_crowded ? SUMS : 1); x++)
			if (!(h->sum[k][x].rank = calloc(ranks + 1, sizeof(struct tally))))
				return err_set(err, "out of memory for %zu ranks", ranks);
	}
	return 0;
}

int booking_init(struct hand *h, struct booking *b, struct err *err)
{
	uint32_t most = b->scene.most;

	memset(h, 0, sizeof(*h));
	h->b = b;
	h->flow = b->flow;
	h->passage = table_alloc((size_t)most + 1, sizeof(*h->passage));
	if (!h->passage)
		return err_set(err, "out of memory for %u messages of a receiver", most);
	if (handler_init(&h->handler, &h->flow, err) ||
	    arrivals_init(&h->arrivals, &h->handler, err) ||
	    handlings_init(&h->handlings, &h->arrivals, err))
		return -1;
	return 0;
}

void booking_release(struct hand *h)
{
	handlings_release(&h->handlings);
	arrivals_release(&h->arrivals);
	handler_release(&h->handler);
	for (unsigned k = 0; k < SCENARIO_COUNT; k++)
		release_sums(h, k);
	table_free(h->passage);
	memset(h, 0, sizeof(*h));
}
