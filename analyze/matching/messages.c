/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/matching/messages.h"

#include "analyze/matching/channels.h"
#include "analyze/matching/holes.h"
#include "analyze/matching/takers.h"
#include "analyze/matching/unanswered.h"
#include "analyze/matching/unsent.h"
#include "analyze/tools/share.h"
#include "analyze/tools/sorting.h"
#include "common/table.h"

#include <stdlib.h>
#include <string.h>

/* What is known of all, and const while receivers are matched, but for what is a receiver's own. */
struct matching {
	const struct trace *t;
	uint32_t *sends;  /* by receiver, then as they are in the trace */
	uint32_t *next;   /* per element of sends: the next of its channel. unanswered.h */
	uint32_t *before; /* messages missing before each of them */
	uint32_t *first;  /* ranks + 1: in sends, those to a rank */
	struct stretches stretches;
	uint8_t *pauses; /* per rank: does its recording, or is there none? See match() */
	struct message *m;
	uint32_t *room; /* ranks + 1: in m, those that a rank can have at most */
	uint32_t *n;    /* per rank: how many it has */
	int is_whole;   /* takers_see_all(), if there are any */
	struct matcher *hand;
};

/* One hand. */
struct matcher {
	const struct matching *all;
	struct channels channels;
	struct holes holes; /* of the receiver at work */
	struct takers takers;
	uint32_t n_passed; /* messages that takers took */
	struct message *m; /* the receiver's */
	uint32_t n;
	struct messages found; /* what it counted */
};

static const struct send *send_at(const struct matching *m, uint32_t i)
{
	return &m->t->ends.sends[m->sends[i]];
}

/* The sends by receiver, otherwise in their order. Those to nowhere are left out. */
static int order_sends(struct matching *m)
{
	const struct endpoints *e = &m->t->ends;
	uint32_t n = m->t->n_ranks, i, r;
	uint32_t *at = calloc((size_t)n + 1, sizeof(*at));

	if (!at)
		return -1;
	for (i = 0; i < e->n_sends; i++) {
		if (e->sends[i].dst < n)
			m->first[e->sends[i].dst + 1]++;
		else
			m->hand->found.unmatched_sends++;
	}
	for (r = 0; r < n; r++)
		m->first[r + 1] += m->first[r];
	memcpy(at, m->first, (size_t)n * sizeof(*at));
	for (i = 0; i < e->n_sends; i++) {
		if (e->sends[i].dst < n)
			m->sends[at[e->sends[i].dst]++] = i;
	}
	free(at);
	return 0;
}

static void add_message(struct matcher *m, const struct send *send, uint32_t dst,
			const struct recv *recv)
{
	const struct trace *t = m->all->t;
	const struct call *call = &t->calls[send->call];
	uint64_t cut = send->bytes - recv->bytes;

	m->takers.is_torn |= takers_cannot_be(t, send, recv);
	m->m[m->n++] = (struct message){
		.bytes = send->bytes,
		.src = call->rank,
		.dst = dst,
		.comm = send->comm,
		.tag = send->tag,
		.send_call = send->call,
		.send_done = send->done,
		.recv_call = recv->call,
		.recv_done = recv->done,
		.place = trace_place(t, send->call),
		.cut = cut < MESSAGE_CUT_UNKNOWN ? (uint32_t)cut : MESSAGE_CUT_UNKNOWN,
		.sent_ns = call->enter_ns,
		.done_ns = recv->done_ns,
		.send_done_ns = send->done_ns,
		.not_here_ns = recv->not_here_ns,
	};
}

/* Pass over what takers took before recv. 1: it is one, or has none that is known. */
static int passed_by_takers(struct matcher *m, const struct recv *recv, struct channel_key key)
{
	uint32_t n = takers_passed(&m->takers, recv);

	if (recv->taker || n >= TAKERS_NONE)
		return 1;
	if (n)
		m->n_passed += channels_skip(&m->channels, key, m->all->next, m->all->before, n);
	return 0;
}

/* Finds a receiver's takers; marks: of its sends' channels. Returns 0, or -1: out of memory. */
static int place_takers(struct matcher *m, uint32_t rank, uint64_t marks)
{
	const struct matching *all = m->all;

	m->n_passed = 0;
	m->takers.t = all->t;
	m->takers.rank = rank;
	m->takers.n_sends = all->first[rank + 1] - all->first[rank];
	m->takers.sends = all->sends + all->first[rank];
	m->takers.is_whole = all->is_whole;
	m->takers.stretches = &all->stretches;
	m->takers.marks = marks;
	return takers_place(&m->takers);
}

/*
 * Join a receive with the oldest send that it can have taken, when both ends can be timed. A
 * missing end is no surprise where its rank's recording paused: what is left at the end of full
 * logs cannot be written. A message that was matched and never received is taken all the same.
 */
static void match(struct matcher *m, uint32_t rank, const struct recv *recv)
{
	struct channel_key key = {recv->comm, recv->src, recv->tag};
	uint32_t send = CHANNELS_NONE;
	const struct matching *all = m->all;
	int expected = recv->src != TRACE_NONE && all->pauses[recv->src];

	if (passed_by_takers(m, recv, key))
		return;
	if (recv->done == TRACE_NONE && all->pauses[rank])
		expected = 1;
	if (recv->window >= m->holes.lost) {
		send = CHANNELS_GAP;
	} else if (recv_takes_next(recv)) {
		m->found.one_ended +=
			holes_pass(&m->holes, recv, &m->channels, all->next, all->before);
		send = channels_pop(&m->channels, key, all->next, all->before,
				    recv->done == TRACE_NONE ? CHANNELS_NONE
							     : all->t->calls[recv->done].thread);
	}
	if (send < CHANNELS_GAP)
		all->next[send] = UNANSWERED_NOT;
	if (send < CHANNELS_GAP && recv->done == TRACE_NONE)
		*(expected ? &m->found.one_ended : &m->found.unmatched_sends) += 1;
	else if (send < CHANNELS_GAP && !recv->unseen)
		add_message(m, send_at(all, send), rank, recv);
	else if (send == CHANNELS_NONE && !recv->unseen && !expected)
		m->found.unmatched_recvs++;
	else
		m->found.one_ended++;
}

/* What is left of a receiver's, if its messages are known. Returns 0, or -1: out of memory. */
static int find_loose(struct matcher *m, uint32_t rank)
{
	const struct matching *all = m->all;
	struct loose_search s = {all->t, rank, &m->channels, all->sends, all->next, all->pauses};

	return m->takers.n_unknown ? 0 : loose_find(&m->found.loose, &s);
}

/* The sends to one receiver lie far from each other, and so do their calls. */
static void fetch_ahead(const struct matching *m, uint32_t i)
{
	uint32_t last = m->first[m->t->n_ranks];

	if (last - i > 2 * MESSAGES_AHEAD)
		prefetch(send_at(m, i + 2 * MESSAGES_AHEAD));
	if (last - i > MESSAGES_AHEAD)
		trace_fetch_call(m->t, send_at(m, i + MESSAGES_AHEAD)->call);
}

static int by_completion(const void *a, const void *b)
{
	const struct message *x = a, *y = b;

	if (x->done_ns != y->done_ns)
		return x->done_ns < y->done_ns ? -1 : 1;
	if (x->send_call != y->send_call)
		return x->send_call < y->send_call ? -1 : 1;
	return 0;
}

/* Join all of a receiver's sends and receives. Returns 0, or -1: out of memory. */
static int join_ends(struct matcher *m, uint32_t rank)
{
	const struct matching *all = m->all;
	const struct endpoints *e = &all->t->ends;
	uint64_t marks = 0;

	m->n = 0;
	for (uint32_t i = all->first[rank]; i < all->first[rank + 1]; i++) {
		const struct send *s = send_at(all, i);
		const struct call *call = &all->t->calls[s->call];
		struct channel_key key = {s->comm, call->rank, s->tag};

		fetch_ahead(all, i);
		all->before[i] = s->skipped;
		marks += channel_key_mark(key);
		if (channels_push(&m->channels, key, i, all->next, call->thread))
			return -1;
	}
	holes_order(&m->holes, e, rank);
	if (place_takers(m, rank, marks))
		return -1;
	for (uint32_t i = e->of[rank].recv; i < e->of[rank + 1].recv; i++)
		match(m, rank, &e->recvs[i]);
	return 0;
}

static int match_receiver(struct matcher *m, uint32_t rank)
{
	const struct matching *all = m->all;
	struct messages found = m->found;
	uint32_t left = 0, paused = all->pauses[rank];

	m->takers.is_torn = 0;
	if (join_ends(m, rank))
		return -1;
	if (m->takers.is_torn) { /* once more, without those channels */
		channels_clear(&m->channels, all->next, &left, &left);
		m->found = found;
		left = 0;
	}
	if ((m->takers.is_torn && join_ends(m, rank)) || find_loose(m, rank))
		return -1;
	channels_clear(&m->channels, all->next, &left, &m->found.ambiguous);
	left += m->n_passed;
	left -= m->takers.n_unknown < left ? m->takers.n_unknown : left;
	m->found.untold += m->takers.n_unknown;
	m->found.unmatched_recvs += paused ? 0 : m->takers.n_without;
	m->found.unmatched_sends += paused ? 0 : left;
	m->found.one_ended += m->takers.n_paused + (paused ? left + m->takers.n_without : 0);
	sort(m->m, m->n, sizeof(*m->m), by_completion);
	return 0;
}

static int match_one(void *matching, unsigned hand, uint32_t rank, struct err *err)
{
	struct matching *all = matching;
	struct matcher *m = &all->hand[hand];

	m->m = all->m + all->room[rank];
	if (match_receiver(m, rank))
		return err_set(err, "%s: out of memory while matching its messages",
			       all->t->anchor);
	all->n[rank] = m->n;
	return 0;
}

/* How many messages each rank can have, as many as come to it and as it receives; and pauses. */
static void find_room(struct matching *m)
{
	const struct endpoints *e = &m->t->ends;

	for (uint32_t r = 0; r < m->t->n_ranks; r++) {
		uint32_t sends = m->first[r + 1] - m->first[r], completed = 0;

		for (uint32_t i = e->of[r].recv; i < e->of[r + 1].recv; i++)
			completed += e->recvs[i].done != TRACE_NONE;
		m->room[r + 1] = m->room[r] + (sends < completed ? sends : completed);
		m->pauses[r] = (uint8_t)trace_is_unseen_at_times(m->t, r);
	}
}

/* All but the room for the messages themselves. Returns 0, or -1: out of memory. */
static int allocate(struct matching *m, unsigned hands)
{
	const struct trace *t = m->t;
	size_t sends = t->ends.n_sends, ranks = (size_t)t->n_ranks + 1;

	m->hand = calloc(hands, sizeof(*m->hand));
	m->sends = table_alloc(sends + 1, sizeof(*m->sends));
	m->next = table_alloc(sends + 1, sizeof(*m->next));
	m->before = table_alloc(sends + 1, sizeof(*m->before));
	m->pauses = calloc(ranks, 1);
	m->first = calloc(ranks, sizeof(*m->first));
	m->room = calloc(ranks, sizeof(*m->room));
	m->n = calloc(ranks, sizeof(*m->n));
	if (stretches_find(&m->stretches, t) || !m->hand || !m->sends || !m->next || !m->before ||
	    !m->pauses || !m->first || !m->room || !m->n)
		return -1;
	for (unsigned k = 0; k < hands; k++) {
		m->hand[k].all = m;
		if (holes_init(&m->hand[k].holes, &t->ends))
			return -1;
	}
	return 0;
}

/* Close the gaps between the ranks' messages, and sum up. Returns 0, or -1: out of memory. */
static int put_together(struct matching *m, unsigned hands, struct messages *out)
{
	uint32_t *by_dst = m->room, end = 0;

	*out = (struct messages){.cancelled = m->t->ends.n_cancelled};
	for (unsigned k = 0; k < hands; k++) {
		out->unmatched_sends += m->hand[k].found.unmatched_sends;
		out->unmatched_recvs += m->hand[k].found.unmatched_recvs;
		out->one_ended += m->hand[k].found.one_ended;
		out->ambiguous += m->hand[k].found.ambiguous;
		out->untold += m->hand[k].found.untold;
		if (loose_append(&out->loose, &m->hand[k].found.loose)) {
			loose_release(&out->loose);
			return -1;
		}
	}
	loose_sort(&out->loose);
	for (uint32_t r = 0; r < m->t->n_ranks; r++) {
		if (end < m->room[r])
			memmove(m->m + end, m->m + m->room[r], m->n[r] * sizeof(*m->m));
		by_dst[r] = end;
		end += m->n[r];
	}
	by_dst[m->t->n_ranks] = end;
	out->n = end;
	out->m = m->m;
	out->by_dst = by_dst;
	m->m = NULL;
	m->room = NULL;
	return 0;
}

static int match_all(struct matching *m, unsigned hands, struct messages *out, struct err *err)
{
	if (allocate(m, hands) || order_sends(m))
		goto no_memory;
	find_room(m);
	m->is_whole = m->t->ends.n_takers && takers_see_all(m->t);
	m->m = table_alloc((size_t)m->room[m->t->n_ranks] + 1, sizeof(*m->m));
	if (!m->m)
		goto no_memory;
	if (share_run(hands, m->t->n_ranks, match_one, m, err))
		return -1;
	if (!put_together(m, hands, out) &&
	    !unanswered_find(&(struct unanswered){m->t, m->sends, m->first, m->next}, out) &&
	    !unsent_find(m->t, out))
		return 0;
no_memory:
	return err_set(err, "%s: out of memory while matching its messages", m->t->anchor);
}

int messages_match(const struct trace *t, struct messages *out, struct err *err)
{
	struct matching m = {.t = t};
	unsigned hands = share_hands();
	int ret = match_all(&m, hands, out, err);

	for (unsigned k = 0; m.hand && k < hands; k++) {
		channels_release(&m.hand[k].channels);
		holes_release(&m.hand[k].holes);
		takers_release(&m.hand[k].takers);
		loose_release(&m.hand[k].found.loose);
	}
	free(m.hand);
	table_free(m.m);
	free(m.room);
	free(m.n);
	table_free(m.sends);
	table_free(m.next);
	table_free(m.before);
	stretches_release(&m.stretches);
	free(m.pauses);
	free(m.first);
	return ret;
}

uint32_t messages_most(const struct messages *m, uint32_t ranks)
{
	uint32_t most = 0;

	for (uint32_t r = 0; r < ranks; r++)
		if (m->by_dst[r + 1] - m->by_dst[r] > most)
			most = m->by_dst[r + 1] - m->by_dst[r];
	return most;
}

void messages_release(struct messages *m)
{
	table_free(m->m);
	table_free(m->unanswered);
	unsent_release(m);
	free(m->by_dst);
	loose_release(&m->loose);
	*m = (struct messages){0};
}
