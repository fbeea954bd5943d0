/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/matching/takers.h"

#include "analyze/matching/takers_lines.h"
#include "analyze/matching/uneven.h"
#include "common/table.h"

#include <stdlib.h>
#include <string.h>

/* Of how many messages takers may have been first: bit d is least + d. */
struct shifts {
	uint64_t set;
	uint32_t least;
};

#define SHIFTS_MOST (UINT64_C(1) << 63)

struct work {
	struct takers *of;
	struct takers_lines lines;
	struct shifts *after; /* each item, as what came before allows */
	int64_t left;         /* messages that no receive has, on all lines with takers */
	int is_whole;
	uint32_t *send_of; /* each receive of an uneven line */
};

static const struct recv *recv_at(const struct work *w, uint32_t i)
{
	return takers_lines_recv(&w->lines, i);
}

int takers_see_all(const struct trace *t)
{
	for (uint32_t r = 0; r < t->n_ranks; r++)
		if (!t->ranks[r].has_ended || trace_is_unseen_at_times(t, r))
			return 0;
	return 1;
}

/* One that is not in the trace could have been any. */
static int can_be(const struct work *w, const struct line *l, const struct recv *r, uint32_t nth)
{
	return nth < l->n_sends ? takers_lines_can_be(&w->lines, l, r, nth) : !w->is_whole;
}

/* Those of s by which the line's kth receive can be late. */
static struct shifts that_can_be(const struct work *w, const struct line *l, struct shifts s,
				 uint32_t item, uint32_t k)
{
	uint64_t rest, set = 0;

	for (rest = s.set; rest; rest &= rest - 1) {
		uint32_t d = (uint32_t)__builtin_ctzll(rest);

		if (can_be(w, l, recv_at(w, item), k + s.least + d))
			set |= UINT64_C(1) << d;
	}
	s.set = set;
	if (set) {
		s.least += (uint32_t)__builtin_ctzll(set);
		s.set >>= __builtin_ctzll(set);
	}
	return s;
}

/* What each item allows after those before it. Returns 0, or -1: not to be known. */
static int forth(struct work *w, const struct line *l)
{
	struct shifts now = {1, 0};
	uint32_t i, k = 0;

	for (i = 0; i < l->n_items; i++) {
		if (!recv_at(w, l->items[i])->taker)
			now = that_can_be(w, l, now, l->items[i], k++);
		else if (now.set & SHIFTS_MOST)
			return -1;
		else
			now.set |= now.set << 1;
		if (!now.set)
			return -1;
		w->after[i] = now;
	}
	return 0;
}

static struct shifts of_both(struct shifts x, struct shifts y)
{
	uint32_t by = x.least < y.least ? y.least - x.least : x.least - y.least;

	if (by > 63)
		x.set = 0;
	else if (x.least < y.least)
		x = (struct shifts){x.set >> by & y.set, y.least};
	else
		x.set &= y.set >> by;
	return x;
}

/* A taker may have taken one, or none, before there were so many. */
static struct shifts before_taker(struct shifts s)
{
	if (s.least)
		return (struct shifts){s.set | s.set << 1, s.least - 1};
	return (struct shifts){s.set | s.set >> 1, 0};
}

/*
 * How many were taken in the end. One that is left over where a taker waits for it would be taken:
 * then all the line's takers had one each, and there would be more left than that.
 */
static int end_is_known(const struct work *w, const struct line *l, uint32_t *taken)
{
	*taken = l->n_sends - l->n_recvs;
	return w->is_whole && w->left <= l->n_takers;
}

/* What of it those that come after allow as well; then each item's is what there was before it. */
static int back(struct work *w, const struct line *l)
{
	struct shifts now = w->after[l->n_items - 1];
	uint32_t i, taken;

	if (end_is_known(w, l, &taken))
		now = of_both(now, (struct shifts){1, taken});
	for (i = l->n_items; i-- > 0;) {
		now = of_both(now, w->after[i]);
		if (!now.set)
			return -1;
		w->after[i] = now;
		if (recv_at(w, l->items[i])->taker)
			now = before_taker(now);
	}
	return 0;
}

static void place_line(struct work *w, const struct line *l)
{
	uint32_t first = w->of->t->ends.of[w->of->rank].recv, gone = 0, i;
	int unknown = takers_lines_have_gaps(&w->lines, l) || forth(w, l) || back(w, l), taken = 0;

	for (i = 0; i < l->n_items; i++) {
		const struct shifts *s = &w->after[i];

		if (recv_at(w, l->items[i])->taker) {
			taken = 1;
		} else if (unknown ? taken : (s->set & (s->set - 1)) != 0) {
			w->of->passed[l->items[i] - first] = TAKERS_UNKNOWN;
			w->of->n_unknown++;
			gone--; /* it takes one all the same, of those that the next one passes */
		} else if (!unknown) {
			uint32_t least = s->least + (uint32_t)__builtin_ctzll(s->set);

			w->of->passed[l->items[i] - first] = least - gone;
			gone = least;
		}
	}
}

/* What is missing is no tail that a rank did not come to, nor what a pause left out. */
static int is_uneven(const struct work *w, const struct line *l)
{
	const struct rank *ranks = w->of->t->ranks;

	return w->of->is_uneven && l->n_recvs && l->n_recvs != l->n_sends &&
	       ranks[w->of->rank].has_ended && ranks[l->sends->key.src].has_ended &&
	       !takers_lines_have_gaps(&w->lines, l);
}

struct on_line {
	const struct work *w;
	const struct line *l;
};

static int is_one_message(const void *user, uint32_t send, uint32_t recv)
{
	const struct on_line *on = user;

	return can_be(on->w, on->l, recv_at(on->w, on->l->items[recv]), send);
}

/* As many sends as receives are missing, and nobody knows which. */
static void place_torn(struct work *w, const struct line *l)
{
	uint32_t first = w->of->t->ends.of[w->of->rank].recv;

	for (uint32_t i = 0; i < l->n_recvs; i++)
		w->of->passed[l->items[i] - first] = TAKERS_UNKNOWN;
	w->of->n_unknown += l->n_recvs;
}

/* As uneven.h or, where both sides lack some, its ends say. */
static void place_by(struct work *w, const struct line *l, const struct uneven *u,
		     void (*place)(const struct uneven *, uint32_t *), uint32_t *without)
{
	uint32_t first = w->of->t->ends.of[w->of->rank].recv, next = 0, i;

	place(u, w->send_of);
	w->of->n_unknown += l->n_recvs < l->n_sends ? l->n_recvs : l->n_sends;
	*without += l->n_recvs < l->n_sends ? 0 : l->n_recvs - l->n_sends;
	for (i = 0; i < l->n_recvs; i++) {
		uint32_t *passed = &w->of->passed[l->items[i] - first], send = w->send_of[i];

		if (send == UNEVEN_NONE || send == UNEVEN_UNKNOWN) {
			*passed = send == UNEVEN_NONE ? TAKERS_NONE : TAKERS_UNKNOWN;
		} else {
			*passed = send - next;
			next = send + 1;
			w->of->n_unknown--;
		}
	}
}

static void place_uneven(struct work *w, const struct line *l)
{
	const struct on_line on = {w, l};
	const struct uneven u = {l->n_sends, l->n_recvs, &on, is_one_message, 0, 0};

	place_by(w, l, &u, uneven_place, &w->of->n_without);
}

/*
 * Ranks that paused may lack what the other has. If only one did, the line lacks some of its and
 * none of the other's. Returns whether it is placed.
 */
static int place_paused(struct work *w, const struct line *l)
{
	const struct line_pauses p = takers_lines_pauses(&w->lines, l);
	const struct on_line on = {w, l};
	const struct uneven u = {l->n_sends, l->n_recvs, &on, is_one_message, p.first, p.last};
	int lacks = p.sender ? l->n_sends < l->n_recvs : l->n_recvs < l->n_sends;

	if (!p.sender == !p.receiver ? !p.sender || p.are_alike : l->n_sends == l->n_recvs)
		return 0;
	if (l->n_takers)
		place_torn(w, l);
	else
		place_by(w, l, &u,
			 p.last && !(p.sender && p.receiver) && lacks ? uneven_place
								      : uneven_place_ends,
			 p.sender ? &w->of->n_paused : &w->of->n_without);
	return 1;
}

static void place_lines(struct work *w)
{
	struct line l;

	w->is_whole = w->of->is_whole;
	while (takers_lines_next(&w->lines, &l)) {
		if (!l.n_takers)
			continue;
		w->left += (int64_t)l.n_sends - l.n_recvs;
		w->is_whole &= l.n_sends >= l.n_recvs;
	}
	while (takers_lines_next(&w->lines, &l)) {
		if (place_paused(w, &l))
			continue;
		if (l.n_takers)
			place_line(w, &l);
		else if (is_uneven(w, &l))
			place_uneven(w, &l);
		else if (w->of->is_torn && takers_lines_are_torn(&w->lines, &l))
			place_torn(w, &l);
	}
}

/* Takers of which nothing is known but that they took a message. */
static uint32_t count_lost(const struct takers *k)
{
	const struct endpoints *e = &k->t->ends;
	uint32_t n = 0, i;

	for (i = e->of[k->rank].recv; i < e->of[k->rank + 1].recv; i++)
		n += e->recvs[i].taker && e->recvs[i].comm == TRACE_NONE &&
		     e->recvs[i].done == TRACE_NONE;
	return n;
}

/* Channels are even where what is sent and what is received is of the same ones. */
static int is_any_uneven(const struct takers *k)
{
	const struct endpoints *e = &k->t->ends;
	uint64_t marks = k->marks;

	for (uint32_t i = e->of[k->rank].recv; i < e->of[k->rank + 1].recv; i++) {
		const struct recv *r = &e->recvs[i];

		if (recv_takes_next(r))
			marks -= channel_key_mark((struct channel_key){r->comm, r->src, r->tag});
	}
	return marks != 0;
}

int takers_cannot_be(const struct trace *t, const struct send *send, const struct recv *recv)
{
	/* 0: some do not say how much */
	return !t->dated && recv->done != TRACE_NONE && recv->bytes && send->bytes > recv->bytes;
}

uint32_t takers_passed(const struct takers *k, const struct recv *recv)
{
	const struct endpoints *e = &k->t->ends;

	return k->are_placed ? k->passed[recv - &e->recvs[e->of[k->rank].recv]] : 0;
}

int takers_place(struct takers *k)
{
	const struct endpoints_of *of = &k->t->ends.of[k->rank];
	size_t recvs = of[1].recv - of->recv;
	struct work w = {.of = k};
	uint32_t *passed;
	int ret = -1;

	k->n_unknown = k->n_without = k->n_paused = 0;
	k->is_uneven = k->is_torn || stretches_any(k->stretches, k->t) ||
		       (!k->t->dated && is_any_uneven(k));
	k->are_placed = k->t->ends.n_takers || k->is_uneven;
	if (!k->are_placed)
		return 0;
	passed = reallocarray(k->passed, recvs + 1, sizeof(*passed));
	if (!passed)
		return -1;
	k->passed = passed;
	memset(passed, 0, recvs * sizeof(*passed));
	w.after = table_alloc(recvs + 1, sizeof(*w.after));
	w.send_of = table_alloc(recvs + 1, sizeof(*w.send_of));
	if (w.after && w.send_of && !takers_lines_init(&w.lines, k)) {
		place_lines(&w);
		k->n_without += count_lost(k);
		ret = 0;
	}
	takers_lines_release(&w.lines);
	table_free(w.after);
	table_free(w.send_of);
	return ret;
}

void takers_release(struct takers *k)
{
	free(k->passed);
}
