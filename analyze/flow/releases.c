/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/flow/releases.h"

#include "analyze/tools/instants.h"
#include "analyze/tools/radix.h"
#include "analyze/tools/share.h"
#include "common/table.h"

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
		r->later_ns = (int32_t)earlier(later_ns, INT32_MAX);
	if (-later_ns > r->sooner_ns)
		r->sooner_ns = (int32_t)earlier(-later_ns, INT32_MAX);
}

/*
 * Message i could end call, of that kind, as its receiver or sender at score; the latest is kept.
 * Of those that come at the same time the last is, as that is the order in which they are handled.
 * Those that come within near_ns of each other may have come the other way round.
 */
static void offer(struct scene *s, uint32_t call, enum region_kind kind, struct release r,
		  int64_t near_ns)
{
	struct release *kept = &s->release[call], was = *kept;
	int64_t after_ns; /* what is kept */

	if (!may_wait(kind))
		return;
	if (was.message == TRACE_NONE || r.score_ns - near_ns > was.score_ns) {
		*kept = r;
		return;
	}
	if (r.score_ns + near_ns < was.score_ns)
		return;
	after_ns = s->facts[r.message].sent_ns - s->facts[was.message].sent_ns;
	if (r.score_ns < was.score_ns || (r.score_ns == was.score_ns && after_ns < 0)) {
		note_other(kept, after_ns);
		return;
	}
	*kept = r;
	note_other(kept, was.later_ns - after_ns);
	note_other(kept, -was.sooner_ns - after_ns);
}

/* When message i's send could end, and how near to others' that is to have come last with them. */
static int64_t send_score_ns(const struct scene *s, const struct flow *f, uint32_t i,
			     int64_t *near_ns)
{
	const struct facts *x = &s->facts[i];
	int64_t seen_ns = s->m->m[i].send_done_ns;

	*near_ns = 0;
	if (seen_ns < s->t->calls[x->send_done].leave_ns)
		return seen_ns;
	if (!(x->flags & MESSAGE_SYNCHRONOUS))
		return x->sent_ns; /* eager: waits for no receiver */
	*near_ns = flow_price(f, i)->wire_ns;
	return later(flow_at(f, i)->arrive_ns, x->posted_ns);
}

/* Message i could end the call that completed its receive. */
static void offer_receive(struct scene *s, const struct flow *f, uint32_t i)
{
	const struct facts *x = &s->facts[i];
	struct release r = {.message = i, .score_ns = flow_at(f, i)->arrive_ns};
	int64_t near_ns = flow_price(f, i)->wire_ns;

	if (x->flags & MESSAGE_DATED) {
		r.score_ns = x->done_ns;
		near_ns = 0;
	}
	offer(s, x->recv_done, x->taken_in, r, near_ns);
}

/* The same of the call that completed its send. */
static void offer_send(struct scene *s, const struct flow *f, uint32_t i)
{
	uint32_t done = s->facts[i].send_done;
	struct release r = {.message = i, .as_sender = 1};
	int64_t near_ns;

	if (done == TRACE_NONE)
		return;
	r.score_ns = send_score_ns(s, f, i, &near_ns);
	offer(s, done, trace_call_kind(s->t, done), r, near_ns);
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
