/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/matching/takers.h"

#include "analyze/matching/channels.h"
#include "analyze/tools/sorting.h"
#include "common/table.h"

#include <string.h>

/* A send or a receive on its channel. */
struct end {
	struct channel_key key;
	uint32_t i; /* of takers.sends, of t->ends.recvs */
};

/* Of how many messages takers may have been first: bit d is least + d. */
struct shifts {
	uint64_t set;
	uint32_t least;
};

#define SHIFTS_MOST (UINT64_C(1) << 63)

/* A channel: its sends, and its receives and takers in the order of their posts. */
struct line {
	const struct end *sends;
	const struct end *recvs;
	uint32_t n_sends, n_recvs;
	uint32_t *items; /* of t->ends.recvs */
	uint32_t n_items, n_takers;
};

struct work {
	const struct takers *of;
	struct end *sends, *recvs;
	uint32_t *takers; /* of t->ends.recvs */
	uint32_t n_sends, n_recvs, n_takers;
	uint32_t at_send, at_recv; /* of the next line */
	uint32_t *items;
	struct shifts *after; /* each item, as what came before allows */
	int64_t left;         /* messages that no receive has, on all lines with takers */
	int is_whole;
	uint32_t *passed;
};

static const struct recv *recv_at(const struct work *w, uint32_t i)
{
	return &w->of->t->ends.recvs[i];
}

static const struct send *send_at(const struct work *w, uint32_t i)
{
	return &w->of->t->ends.sends[w->of->sends[i]];
}

int takers_see_all(const struct trace *t)
{
	for (uint32_t r = 0; r < t->n_ranks; r++) {
		const struct rank *rank = &t->ranks[r];

		if (rank->absent || !rank->has_ended)
			return 0;
		for (uint32_t i = rank->first_op; i < rank->first_op + rank->ops; i++)
			if (t->ops[i].kind == OP_PAUSE)
				return 0;
	}
	return 1;
}

static int by_line(const void *a, const void *b)
{
	const struct end *x = a, *y = b;
	int order = channel_key_order(&x->key, &y->key);

	return order ? order : x->i < y->i ? -1 : x->i > y->i;
}

static int may_take(const struct recv *taker, const struct channel_key *key)
{
	return (taker->comm == TRACE_NONE || taker->comm == key->comm) &&
	       (taker->src == TRACE_NONE || taker->src == key->src) &&
	       (taker->tag < 0 || taker->tag == key->tag);
}

/* The receives that take messages, and the takers. */
static void list(struct work *w)
{
	const struct takers *k = w->of;
	const struct endpoints *e = &k->t->ends;
	uint32_t i;

	for (i = 0; i < k->n_sends; i++) {
		const struct send *s = send_at(w, i);

		w->sends[w->n_sends++] =
			(struct end){{s->comm, k->t->calls[s->call].rank, s->tag}, i};
	}
	for (i = e->of[k->rank].recv; i < e->of[k->rank + 1].recv; i++) {
		const struct recv *r = &e->recvs[i];

		if (r->taker)
			w->takers[w->n_takers++] = i;
		else if (r->src != TRACE_NONE && (r->done != TRACE_NONE || r->matched))
			w->recvs[w->n_recvs++] = (struct end){{r->comm, r->src, r->tag}, i};
	}
	sort(w->sends, w->n_sends, sizeof(*w->sends), by_line);
	sort(w->recvs, w->n_recvs, sizeof(*w->recvs), by_line);
}

static uint32_t run_of(const struct end *e, uint32_t n, const struct channel_key *key)
{
	uint32_t i = 0;

	while (i < n && !channel_key_order(&e[i].key, key))
		i++;
	return i;
}

/* The line's receives and takers together, by their posts. */
static void merge(struct work *w, struct line *l, const struct channel_key *key)
{
	uint32_t r = 0, k;

	l->items = w->items;
	for (k = 0; k < w->n_takers; k++) {
		if (!may_take(recv_at(w, w->takers[k]), key))
			continue;
		while (r < l->n_recvs && l->recvs[r].i < w->takers[k])
			l->items[l->n_items++] = l->recvs[r++].i;
		l->items[l->n_items++] = w->takers[k];
		l->n_takers++;
	}
	while (r < l->n_recvs)
		l->items[l->n_items++] = l->recvs[r++].i;
}

/* The next channel that has sends; 0: there is none. */
static int next_line(struct work *w, struct line *l)
{
	const struct channel_key *key;

	*l = (struct line){.sends = w->sends + w->at_send};
	if (w->at_send == w->n_sends)
		return 0;
	key = &l->sends->key;
	l->n_sends = run_of(l->sends, w->n_sends - w->at_send, key);
	w->at_send += l->n_sends;
	while (w->at_recv < w->n_recvs && channel_key_order(&w->recvs[w->at_recv].key, key) < 0)
		w->at_recv++;
	l->recvs = w->recvs + w->at_recv;
	l->n_recvs = run_of(l->recvs, w->n_recvs - w->at_recv, key);
	w->at_recv += l->n_recvs;
	merge(w, l, key);
	return 1;
}

/* Some MPI says of these what room there was. */
static int says_its_room(const struct trace *t, const struct recv *r)
{
	static const char name[] = "MPI_Isendrecv";

	return r->call != TRACE_NONE &&
	       !strncmp(t->regions[t->calls[r->call].region].name, name, sizeof(name) - 1);
}

/* Can r have the line's nth message? One that is not in the trace could have been any. */
static int can_be(const struct work *w, const struct line *l, const struct recv *r, uint32_t nth)
{
	uint64_t sent;

	if (nth >= l->n_sends)
		return !w->is_whole;
	if (r->done == TRACE_NONE)
		return 1;
	sent = send_at(w, l->sends[nth].i)->bytes;
	return says_its_room(w->of->t, r) ? sent <= r->bytes : sent == r->bytes;
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

/* Sends or receives of a line are missing because a recording paused. */
static int has_gaps(const struct work *w, const struct line *l)
{
	const struct endpoints_of *of = &w->of->t->ends.of[w->of->rank];
	uint32_t i;

	if (of[1].gap > of->gap)
		return 1;
	for (i = 0; i < l->n_sends; i++)
		if (send_at(w, l->sends[i].i)->skipped)
			return 1;
	return 0;
}

static void place_line(struct work *w, const struct line *l)
{
	uint32_t first = w->of->t->ends.of[w->of->rank].recv, gone = 0, i;
	int unknown = has_gaps(w, l) || forth(w, l) || back(w, l), taken = 0;

	for (i = 0; i < l->n_items; i++) {
		const struct shifts *s = &w->after[i];

		if (recv_at(w, l->items[i])->taker) {
			taken = 1;
		} else if (unknown ? taken : (s->set & (s->set - 1)) != 0) {
			w->passed[l->items[i] - first] = TAKERS_UNKNOWN;
			gone--; /* it takes one all the same, of those that the next one passes */
		} else if (!unknown) {
			uint32_t least = s->least + (uint32_t)__builtin_ctzll(s->set);

			w->passed[l->items[i] - first] = least - gone;
			gone = least;
		}
	}
}

static void place_lines(struct work *w)
{
	struct line l;

	w->is_whole = w->of->is_whole;
	while (next_line(w, &l)) {
		if (!l.n_takers)
			continue;
		w->left += (int64_t)l.n_sends - l.n_recvs;
		w->is_whole &= l.n_sends >= l.n_recvs;
	}
	w->at_send = w->at_recv = 0;
	while (next_line(w, &l))
		if (l.n_takers)
			place_line(w, &l);
}

int takers_place(const struct takers *k, uint32_t *passed)
{
	const struct endpoints_of *of = &k->t->ends.of[k->rank];
	size_t recvs = of[1].recv - of->recv, all = recvs + 1;
	struct work w = {.of = k, .passed = passed};
	int ret = -1;

	w.sends = table_alloc((size_t)k->n_sends + 1, sizeof(*w.sends));
	w.recvs = table_alloc(all, sizeof(*w.recvs));
	w.takers = table_alloc(all, sizeof(*w.takers));
	w.items = table_alloc(all, sizeof(*w.items));
	w.after = table_alloc(all, sizeof(*w.after));
	if (w.sends && w.recvs && w.takers && w.items && w.after) {
		memset(passed, 0, recvs * sizeof(*passed));
		list(&w);
		place_lines(&w);
		ret = 0;
	}
	table_free(w.sends);
	table_free(w.recvs);
	table_free(w.takers);
	table_free(w.items);
	table_free(w.after);
	return ret;
}
