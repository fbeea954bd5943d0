/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/flow/releases.h"

#include "analyze/tools/instants.h"
#include "analyze/tools/radix.h"
#include "analyze/tools/share.h"
#include "common/table.h"

/* Added to the score of what holds a call only if nothing else does. */
#define BEFORE_ALL_NS (INT64_MIN / 2)

static int is_before_all(int64_t at_ns)
{
	return at_ns < BEFORE_ALL_NS / 2;
}

static int may_wait(enum region_kind kind)
{
	switch (kind) {
	case REGION_SEND:
	case REGION_SSEND:
	case REGION_RECV:
	case REGION_SENDRECV:
	case REGION_WAIT:
	case REGION_WAITALL:
	case REGION_WAITSOME:
	case REGION_TEST: /* to know that it completed something */
		return 1;
	default:
		return 0;
	}
}

/* Others of which one was sent so much later than r may have come last instead. */
static void note_other(struct release *r, int64_t later_ns)
{
	if (later_ns > r->later_ns)
		r->later_ns = (uint32_t)earlier(later_ns, RELEASE_MOST_NS);
	if (-later_ns > r->sooner_ns)
		r->sooner_ns = (uint32_t)earlier(-later_ns, RELEASE_MOST_NS);
}

/*
 * When a message could end its call, by the model if that was not seen: the latest does. near: so
 * near to others' that is to have come last with them.
 */
struct score {
	int64_t at_ns, near_ns;
};

static struct score score_of_send(const struct scene *s, const struct flow *f, uint32_t i)
{
	const struct facts *x = &s->facts[i];
	int64_t seen_ns = s->m->m[i].send_done_ns;

	if (seen_ns < s->t->calls[x->send_done].leave_ns)
		return (struct score){seen_ns, 0};
	/* eager: polls for it and a receive were for that; if it surely is, so was MPI_Sendrecv */
	if (!(x->flags & MESSAGE_SYNCHRONOUS) &&
	    (trace_call_kind(s->t, x->send_done) == REGION_TEST ||
	     (x->flags & (MESSAGE_OPEN | MESSAGE_SENDRECV)) == MESSAGE_SENDRECV))
		return (struct score){x->sent_ns + BEFORE_ALL_NS, 0};
	if (!(x->flags & MESSAGE_SYNCHRONOUS))
		return (struct score){x->sent_ns, 0}; /* it waits for no receiver */
	return (struct score){later(flow_at(f, i)->arrive_ns, x->posted_ns),
			      flow_price(f, i)->wire_ns};
}

static struct score score_of_receive(const struct scene *s, const struct flow *f, uint32_t i)
{
	const struct facts *x = &s->facts[i];

	if (x->flags & MESSAGE_DATED)
		return (struct score){x->done_ns, 0};
	return (struct score){flow_at(f, i)->arrive_ns, flow_price(f, i)->wire_ns};
}

static struct score score_of(const struct scene *s, const struct flow *f, struct release r)
{
	return r.as_sender ? score_of_send(s, f, r.message) : score_of_receive(s, f, r.message);
}

/*
 * A message could end call, of that kind, as its receiver or sender; the latest is kept. Of those
 * that come at the same time the last is, as that is the order in which they are handled. Those
 * that come near each other may have come the other way round; so may those of which each should
 * have been over when the call began: if it waited, that was for what the model does not know. What
 * certainly ends no call that has another is not among them.
 */
static void offer(struct scene *s, const struct flow *f, uint32_t call, enum region_kind kind,
		  struct release r)
{
	struct release *kept = &s->release[call], was = *kept;
	struct score score;
	int64_t was_ns, after_ns; /* what is kept */
	int is_near;

	if (!may_wait(kind))
		return;
	if (was.message == TRACE_NONE) {
		*kept = r;
		return;
	}
	was_ns = score_of(s, f, was).at_ns;
	score = score_of(s, f, r);
	is_near = later(was_ns, score.at_ns) <= s->t->calls[call].enter_ns &&
		  !is_before_all(earlier(was_ns, score.at_ns));
	if (!is_near && score.at_ns - score.near_ns > was_ns) {
		*kept = r;
		return;
	}
	if (!is_near && score.at_ns + score.near_ns < was_ns)
		return;
	after_ns = s->facts[r.message].sent_ns - s->facts[was.message].sent_ns;
	if (score.at_ns < was_ns || (score.at_ns == was_ns && after_ns < 0)) {
		note_other(kept, after_ns);
		return;
	}
	*kept = r;
	note_other(kept, (int64_t)was.later_ns - after_ns);
	note_other(kept, -(int64_t)was.sooner_ns - after_ns);
}

/* Message i could end the call that completed its receive. */
static void offer_receive(struct scene *s, const struct flow *f, uint32_t i)
{
	const struct facts *x = &s->facts[i];

	offer(s, f, x->recv_done, x->taken_in, (struct release){.message = i});
}

/* The same of the call that completed its send. */
static void offer_send(struct scene *s, const struct flow *f, uint32_t i)
{
	uint32_t done = s->facts[i].send_done;

	if (done != TRACE_NONE)
		offer(s, f, done, trace_call_kind(s->t, done),
		      (struct release){.message = i, .as_sender = 1});
}

/* What a thread needs to go over the messages that a rank sent, in the order of their table. */
struct room {
	struct radix *sends, *spare;
};

/* The ranks at work: each has the calls that only its own messages can end. */
struct releasing {
	struct scene *s;
	const struct flow *f;
	struct room room[SHARE_MOST];
	unsigned hands;
};

/* Fetch what is asked about a message to come, of n, and then the call that it may end. */
static void fetch(const struct releasing *x, const struct radix *sends, uint32_t n)
{
	uint32_t done;

	if (n <= 2 * MESSAGES_AHEAD)
		return;
	prefetch(&x->s->facts[sends[2 * MESSAGES_AHEAD].key]);
	prefetch(&x->s->m->m[sends[2 * MESSAGES_AHEAD].key].send_done_ns);
	done = x->s->facts[sends[MESSAGES_AHEAD].key].send_done;
	if (done == TRACE_NONE)
		return;
	prefetch(&x->s->release[done]);
	trace_fetch_call(x->s->t, done);
}

/*
 * Forget what released the calls that complete messages. Each of them will be released again;
 * Probes and polls keep theirs, which are not theirs by score.
 */
static void forget(struct scene *s, uint32_t rank, const struct radix *sends, uint32_t n)
{
	for (uint32_t i = s->m->by_dst[rank]; i < s->m->by_dst[rank + 1]; i++)
		if (s->facts[i].flags & MESSAGE_ENDS_RECEIVE)
			s->release[s->facts[i].recv_done] = RELEASE_BY_NOBODY;
	for (uint32_t k = 0; k < n; k++)
		if (s->facts[sends[k].key].flags & MESSAGE_ENDS_SEND)
			s->release[s->facts[sends[k].key].send_done] = RELEASE_BY_NOBODY;
}

/* How many messages a rank sent. */
static uint32_t sends_of(const struct scene *s, uint32_t rank)
{
	const struct rank *r = &s->t->ranks[rank];

	return s->by_send.first[r->first_call + r->calls] - s->by_send.first[r->first_call];
}

/* What released the calls of one rank: its messages are offered in the order of their table. */
static int find_of_rank(void *releasing, unsigned hand, uint32_t rank, struct err *err)
{
	struct releasing *x = releasing;
	struct scene *s = x->s;
	uint32_t from = s->by_send.first[s->t->ranks[rank].first_call], n = sends_of(s, rank);
	uint32_t k = 0;
	struct radix *sends = x->room[hand].sends;

	(void)err;
	for (uint32_t i = 0; i < n; i++)
		sends[i] = (struct radix){.key = s->by_send.message[from + i]};
	sends = radix_sort(sends, x->room[hand].spare, n, s->m->n);
	if (x->f->scenario != SCENARIO_MID)
		forget(s, rank, sends, n);
	for (uint32_t i = s->m->by_dst[rank]; i < s->m->by_dst[rank + 1]; i++) {
		if (s->m->n - i > MESSAGES_AHEAD)
			prefetch(&s->release[s->facts[i + MESSAGES_AHEAD].recv_done]);
		for (; k < n && sends[k].key < i; k++) {
			fetch(x, sends + k, n - k);
			offer_send(s, x->f, sends[k].key);
		}
		offer_receive(s, x->f, i);
	}
	for (; k < n; k++) {
		fetch(x, sends + k, n - k);
		offer_send(s, x->f, sends[k].key);
	}
	return 0;
}

/* Fetch what is asked about the sender's end of a message to come: soon, as each takes little. */
static void fetch_end(const struct scene *s, uint32_t i)
{
	const struct facts *x = &s->facts[i + 3 * MESSAGES_AHEAD];

	if (s->m->n - i > 3 * MESSAGES_AHEAD && x->send_done != TRACE_NONE)
		prefetch(&s->release[x->send_done]);
}

/* Mark what the messages to one receiver ended. */
static int mark_of_rank(void *releasing, unsigned hand, uint32_t rank, struct err *err)
{
	struct scene *s = ((struct releasing *)releasing)->s;

	(void)hand, (void)err;
	for (uint32_t i = s->m->by_dst[rank]; i < s->m->by_dst[rank + 1]; i++) {
		struct facts *x = &s->facts[i];
		const struct release *r = &s->release[x->recv_done];
		unsigned flags = 0;

		fetch_end(s, i);
		if (r->message == i && !r->as_sender)
			flags |= MESSAGE_ENDS_RECEIVE;
		if (x->recv_done > 0 && r[-1].message == i &&
		    trace_call_kind(s->t, x->recv_done - 1) == REGION_PROBE)
			flags |= MESSAGE_ENDS_PROBE;
		if (x->send_done != TRACE_NONE && s->release[x->send_done].message == i &&
		    s->release[x->send_done].as_sender)
			flags |= MESSAGE_ENDS_SEND;
		x->flags = (uint16_t)((x->flags & ~MESSAGE_ENDS) | flags);
	}
	return 0;
}

/* The most messages that a rank sent. */
static uint32_t most_sends(const struct scene *s)
{
	uint32_t most = 0;

	for (uint32_t rank = 0; rank < s->t->n_ranks; rank++)
		if (sends_of(s, rank) > most)
			most = sends_of(s, rank);
	return most;
}

static int make_rooms(struct releasing *x, struct err *err)
{
	size_t most = (size_t)most_sends(x->s) + 1;

	for (unsigned k = 0; k < x->hands; k++) {
		struct room *room = &x->room[k];

		room->sends = table_alloc(most, sizeof(*room->sends));
		room->spare = table_alloc(most, sizeof(*room->spare));
		if (!room->sends || !room->spare)
			return err_set(err, "out of memory for %zu messages of a rank", most);
	}
	return 0;
}

int releases_find(struct scene *s, const struct flow *f, struct err *err)
{
	struct releasing x = {.s = s, .f = f, .hands = share_hands()};
	int ret = make_rooms(&x, err) || share_run(x.hands, s->t->n_ranks, find_of_rank, &x, err) ||
				  share_run(x.hands, s->t->n_ranks, mark_of_rank, &x, err)
			  ? -1
			  : 0;

	for (unsigned k = 0; k < x.hands; k++) {
		table_free(x.room[k].sends);
		table_free(x.room[k].spare);
	}
	return ret;
}
