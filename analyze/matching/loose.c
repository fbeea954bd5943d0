/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/matching/loose.h"

#include <string.h>

#include "analyze/tools/growing.h"
#include "analyze/tools/sorting.h"

/* One of the rows of sends. */
struct named {
	struct channel_key key;
	uint32_t row; /* from first on */
};

struct finding {
	struct loose_ends *l;
	const struct loose_search *s;
	size_t first; /* the receiver's rows: first those of sends, call: the next in its queue */
	size_t receives;
	struct named *named; /* those of sends in order of their keys */
	uint32_t *skip; /* per row of sends: one that is not before the next with a send left */
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

static int by_name(const void *a, const void *b)
{
	return channel_key_order(a, b);
}

/* Tables of the rows of sends, none of which is used up. Returns 0, or -1: out of memory. */
static int name_sends(struct finding *f)
{
	uint32_t n = (uint32_t)(f->receives - f->first), k;

	f->named = table_alloc((size_t)n + 1, sizeof(*f->named));
	f->skip = table_alloc((size_t)n + 1, sizeof(*f->skip));
	if (!f->named || !f->skip)
		return -1;
	for (k = 0; k < n; k++) {
		const struct loose *row = &f->l->row[f->first + k];

		f->named[k] = (struct named){{row->comm, row->rank, row->tag}, k};
	}
	for (k = 0; k <= n; k++)
		f->skip[k] = k;
	sort(f->named, n, sizeof(*f->named), by_name);
	return 0;
}

/* The first row of sends from k on that has one left, or as many as there are rows. */
static uint32_t row_left(const struct finding *f, uint32_t k)
{
	while (f->skip[k] != k)
		k = f->skip[k] = f->skip[f->skip[k]];
	return k;
}

static int fits(const struct loose *row, const struct recv *recv)
{
	return row->comm == recv->comm && (recv->src == TRACE_NONE || recv->src == row->rank) &&
	       (recv->tag < 0 || recv->tag == row->tag);
}

/* The first row of sends that recv fits and that has one left, or as many as there are rows. */
static uint32_t row_for(const struct finding *f, const struct recv *recv)
{
	uint32_t n = (uint32_t)(f->receives - f->first), k;
	struct channel_key key = {recv->comm, recv->src, recv->tag};
	const struct named *found;

	if (recv->src != TRACE_NONE && recv->tag >= 0) {
		found = bsearch(&key, f->named, n, sizeof(*f->named), by_name);
		return found && f->skip[found->row] == found->row ? found->row : n;
	}
	for (k = row_left(f, 0); k < n; k = row_left(f, k + 1))
		if (fits(&f->l->row[f->first + k], recv))
			return k;
	return n;
}

/* The oldest send of a channel that recv fits is its own. Returns whether there is one. */
static int takes_send(struct finding *f, const struct recv *recv)
{
	uint32_t k = row_for(f, recv);
	struct loose *row;

	if (f->first + k == f->receives)
		return 0;
	row = &f->l->row[f->first + k];
	row->call = f->s->next[row->call];
	if (row->call == CHANNELS_NONE)
		f->skip[k] = k + 1;
	return 1;
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
		if (!add_row(f->l, loose_receive(s->rank, recv)))
			return -1;
	}
	return 0;
}

static int by_peer(const void *a, const void *b)
{
	const struct loose *x = a, *y = b;
	struct channel_key k = {x->comm, x->peer, x->tag}, l = {y->comm, y->peer, y->tag};

	return channel_key_order(&k, &l);
}

/* One row for all receives of one kind: its first one's, which is before the others. */
static void join_receives(struct finding *f)
{
	size_t n = f->l->n - f->receives, kept = 0, k;
	struct loose *row;

	if (!n)
		return;
	row = &f->l->row[f->receives];
	sort(row, n, sizeof(*row), by_peer);
	for (k = 1; k < n; k++) {
		if (by_peer(&row[kept], &row[k])) {
			row[++kept] = row[k];
			continue;
		}
		row[kept].n++;
		row[kept].open++;
	}
	f->l->n = f->receives + kept + 1;
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

static int find_all(struct finding *f)
{
	struct loose_ends *l = f->l;
	size_t k, kept;

	if (channels_left(f->s->left, note_channel, f))
		return -1;
	f->receives = l->n;
	if (name_sends(f) || note_receives(f))
		return -1;
	join_receives(f);
	for (k = kept = f->first; k < l->n; k++)
		if (k >= f->receives || count_sends(f->s, &l->row[k]))
			l->row[kept++] = l->row[k];
	l->n = kept;
	return 0;
}

int loose_find(struct loose_ends *l, const struct loose_search *s)
{
	struct finding f = {.l = l, .s = s, .first = l->n};
	int ret = s->pauses[s->rank] ? 0 : find_all(&f);

	table_free(f.named);
	table_free(f.skip);
	return ret;
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

	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	if (x->call != y->call)
		return x->call < y->call ? -1 : 1;
	return by_peer(a, b);
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
