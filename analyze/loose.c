/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/loose.h"

#include <string.h>

#include "analyze/growing.h"
#include "analyze/sorting.h"

struct finding {
	struct loose_ends *l;
	const struct loose_search *s;
	size_t first; /* of the receiver's rows: at first those of sends, their call the next in its queue */
	size_t receives;
};

/* NULL: out of memory. */
static struct loose *add_row(struct loose_ends *l, struct loose row)
{
	if (GROW(l->row, l->n, l->cap))
		return NULL;
	l->row[l->n] = row;
	return &l->row[l->n++];
}

static int note_channel(void *user, struct channel_key key, uint32_t send)
{
	struct finding *f = user;
	struct loose row = {.rank = key.src,
			    .peer = f->s->rank,
			    .comm = key.comm,
			    .tag = key.tag,
			    .call = send,
			    .is_send = 1};

	if (key.src < f->s->t->n_ranks && f->s->pauses[key.src])
		return 0;
	return add_row(f->l, row) ? 0 : -1;
}

/* May a message for it come from a rank of which not everything is recorded? */
static int is_from_unseen(const struct loose_search *s, uint32_t src)
{
	return src == TRACE_NONE ? memchr(s->pauses, 1, s->t->n_ranks) != NULL : s->pauses[src];
}

/* The oldest send of a channel that recv fits is its own. Returns whether there is one. */
static int takes_send(struct finding *f, const struct recv *recv)
{
	size_t k;

	for (k = f->first; k < f->receives; k++) {
		struct loose *row = &f->l->row[k];

		if (row->call == CHANNELS_NONE || row->comm != recv->comm ||
		    (recv->src != TRACE_NONE && recv->src != row->rank) ||
		    (recv->tag >= 0 && recv->tag != row->tag))
			continue;
		row->call = f->s->next[row->call];
		return 1;
	}
	return 0;
}

struct loose loose_receive(uint32_t rank, const struct recv *recv)
{
	return (struct loose){.rank = rank,
			      .peer = recv->src,
			      .comm = recv->comm,
			      .tag = recv->tag < 0 ? -1 : recv->tag,
			      .n = 1,
			      .open = 1,
			      .call = recv->call};
}

static int add_receive(struct finding *f, const struct recv *recv)
{
	struct loose row = loose_receive(f->s->rank, recv);
	size_t k;

	for (k = f->receives; k < f->l->n; k++) {
		struct loose *same = &f->l->row[k];

		if (same->peer != row.peer || same->comm != row.comm || same->tag != row.tag)
			continue;
		same->n++;
		same->open++;
		return 0;
	}
	return add_row(f->l, row) ? 0 : -1;
}

static int note_receives(struct finding *f)
{
	const struct loose_search *s = f->s;
	const struct endpoints *e = &s->t->ends;
	uint32_t i;

	for (i = e->of[s->rank].recv; i < e->of[s->rank + 1].recv; i++) {
		const struct recv *recv = &e->recvs[i];

		if (recv->done != TRACE_NONE || recv->comm == TRACE_NONE || recv->matched ||
		    recv->taker || recv->call == TRACE_NONE || takes_send(f, recv) ||
		    is_from_unseen(s, recv->src))
			continue;
		if (add_receive(f, recv))
			return -1;
	}
	return 0;
}

/* How many are left in its queue, and the first of them; 0: none. */
static int count_sends(const struct loose_search *s, struct loose *row)
{
	uint32_t i = row->call;

	for (; i != CHANNELS_NONE; i = s->next[i]) {
		const struct send *send = &s->t->ends.sends[s->sends[i]];
		int is_open = send->done == TRACE_NONE;

		if (!row->n || (is_open && !row->open))
			row->call = send->call;
		row->n++;
		row->open += (uint32_t)is_open;
	}
	return row->n > 0;
}

int loose_find(struct loose_ends *l, const struct loose_search *s)
{
	struct finding f = {.l = l, .s = s, .first = l->n};
	size_t k, kept;

	if (s->pauses[s->rank])
		return 0;
	if (channels_left(s->left, note_channel, &f))
		return -1;
	f.receives = l->n;
	if (note_receives(&f))
		return -1;
	for (k = kept = f.first; k < l->n; k++)
		if (k >= f.receives || count_sends(s, &l->row[k]))
			l->row[kept++] = l->row[k];
	l->n = kept;
	return 0;
}

int loose_append(struct loose_ends *l, const struct loose_ends *more)
{
	if (GROW_BY(l->row, l->n, more->n, l->cap))
		return -1;
	if (more->n)
		memcpy(l->row + l->n, more->row, more->n * sizeof(*l->row));
	l->n += more->n;
	return 0;
}

static int by_call(const void *a, const void *b)
{
	const struct loose *x = a, *y = b;
	struct channel_key k = {x->comm, x->peer, x->tag}, l = {y->comm, y->peer, y->tag};

	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	if (x->call != y->call)
		return x->call < y->call ? -1 : 1;
	return channel_key_order(&k, &l);
}

void loose_sort(struct loose_ends *l)
{
	sort(l->row, l->n, sizeof(*l->row), by_call);
}

void loose_release(struct loose_ends *l)
{
	table_free(l->row);
	*l = (struct loose_ends){0};
}
