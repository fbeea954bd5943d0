/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/matching/takers_lines.h"

#include "analyze/tools/sorting.h"
#include "common/table.h"

#include <string.h>

const struct recv *takers_lines_recv(const struct takers_lines *w, uint32_t i)
{
	return &w->of->t->ends.recvs[i];
}

static const struct send *send_at(const struct takers_lines *w, uint32_t i)
{
	return &w->of->t->ends.sends[w->of->sends[i]];
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
static void list(struct takers_lines *w)
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
		else if (recv_takes_next(r))
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
static void merge(struct takers_lines *w, struct line *l, const struct channel_key *key)
{
	uint32_t r = 0, k;

	l->items = w->items;
	for (k = 0; k < w->n_takers; k++) {
		if (!may_take(takers_lines_recv(w, w->takers[k]), key))
			continue;
		while (r < l->n_recvs && l->recvs[r].i < w->takers[k])
			l->items[l->n_items++] = l->recvs[r++].i;
		l->items[l->n_items++] = w->takers[k];
		l->n_takers++;
	}
	while (r < l->n_recvs)
		l->items[l->n_items++] = l->recvs[r++].i;
}

int takers_lines_next(struct takers_lines *w, struct line *l)
{
	const struct channel_key *key;

	*l = (struct line){.sends = w->sends + w->at_send};
	if (w->at_send == w->n_sends) {
		w->at_send = w->at_recv = 0;
		return 0;
	}
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

int takers_lines_can_be(const struct takers_lines *w, const struct line *l, const struct recv *r,
			uint32_t nth)
{
	uint64_t sent;

	if (r->done == TRACE_NONE)
		return 1;
	sent = send_at(w, l->sends[nth].i)->bytes;
	return says_its_room(w->of->t, r) ? sent <= r->bytes : sent == r->bytes;
}

int takers_lines_are_torn(const struct takers_lines *w, const struct line *l)
{
	for (uint32_t i = 0; l->n_sends == l->n_recvs && i < l->n_sends; i++)
		if (takers_cannot_be(w->of->t, send_at(w, l->sends[i].i),
				     takers_lines_recv(w, l->recvs[i].i)))
			return 1;
	return 0;
}

int takers_lines_have_gaps(const struct takers_lines *w, const struct line *l)
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

static uint32_t stretch_of_send(const struct takers_lines *w, const struct line *l, uint32_t i)
{
	const struct call *call = &w->of->t->calls[send_at(w, l->sends[i].i)->call];

	return stretches_at(w->of->stretches, l->sends->key.src, call->enter_ns);
}

static uint32_t stretch_of_recv(const struct takers_lines *w, const struct line *l, uint32_t i)
{
	return takers_lines_recv(w, l->recvs[i].i)->window;
}

/* How many of n from the begin, or from the end, are in that stretch. */
static uint32_t count_in(const struct takers_lines *w, const struct line *l, uint32_t n,
			 uint32_t (*of)(const struct takers_lines *, const struct line *, uint32_t),
			 uint32_t stretch)
{
	uint32_t i, in = 0;

	for (i = 0; i < n; i++)
		in += of(w, l, i) == stretch;
	return in;
}

static uint32_t lesser(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

struct line_pauses takers_lines_pauses(const struct takers_lines *w, const struct line *l)
{
	const struct trace *t = w->of->t;
	uint32_t src = l->sends->key.src, dst = w->of->rank, i = 0;
	struct line_pauses p = {.sender = stretches_pauses(w->of->stretches, src),
				.receiver = stretches_pauses(w->of->stretches, dst)};

	if (!p.sender && !p.receiver)
		return p;
	p.first = lesser(count_in(w, l, l->n_sends, stretch_of_send, 0),
			 count_in(w, l, l->n_recvs, stretch_of_recv, 0));
	if (t->ranks[src].has_ended && t->ranks[dst].has_ended)
		p.last = lesser(count_in(w, l, l->n_sends, stretch_of_send, p.sender),
				count_in(w, l, l->n_recvs, stretch_of_recv, p.receiver));
	p.are_alike = l->n_sends == l->n_recvs;
	if (p.sender && p.receiver)
		while (p.are_alike && i < l->n_sends) {
			p.are_alike = stretch_of_send(w, l, i) == stretch_of_recv(w, l, i);
			i++;
		}
	return p;
}

int takers_lines_init(struct takers_lines *w, const struct takers *k)
{
	const struct endpoints_of *of = &k->t->ends.of[k->rank];
	size_t all = (size_t)(of[1].recv - of->recv) + 1;

	*w = (struct takers_lines){.of = k};
	w->sends = table_alloc((size_t)k->n_sends + 1, sizeof(*w->sends));
	w->recvs = table_alloc(all, sizeof(*w->recvs));
	w->takers = table_alloc(all, sizeof(*w->takers));
	w->items = table_alloc(all, sizeof(*w->items));
	if (!w->sends || !w->recvs || !w->takers || !w->items)
		return -1;
	list(w);
	return 0;
}

void takers_lines_release(struct takers_lines *w)
{
	table_free(w->sends);
	table_free(w->recvs);
	table_free(w->takers);
	table_free(w->items);
}
