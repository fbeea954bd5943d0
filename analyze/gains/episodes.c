/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/gains/episodes.h"

#include "analyze/tools/growing.h"
#include "analyze/tools/share.h"
#include "common/table.h"

#include <stdlib.h>
#include <string.h>

/*
 * Calls that end an episode: collectives, and whatever completed a receive. And what calls of each
 * key there are.
 */
static void look_at_calls(struct senders *s)
{
	for (uint32_t i = 0; i < s->m->n; i++)
		s->breaks[s->m->m[i].recv_done] = 1;
	for (uint32_t c = 0; c < s->t->n_calls; c++) {
		enum region_kind kind = trace_call_kind(s->t, c);

		s->kinds[trace_place(s->t, c)] |= UINT32_C(1) << kind;
		if (kind == REGION_COLLECTIVE || kind == REGION_RECV)
			s->breaks[c] = 1;
		if (kind == REGION_TEST) /* polling that found something is no wait */
			s->breaks[c] = 0;
		if (c > 0)
			s->breaks[c] += s->breaks[c - 1];
	}
}

/* A stable counting sort by key. */
static void sort_messages(struct senders *s)
{
	for (uint32_t i = 0; i < s->m->n; i++) {
		s->at[s->m->m[i].place + 1]++;
		s->of_rank[s->m->m[i].src + 1]++;
	}
	for (uint32_t r = 0; r < s->t->n_ranks; r++)
		s->of_rank[r + 1] += s->of_rank[r];
	for (uint32_t k = 0; k < s->keys; k++)
		s->at[k + 1] += s->at[k];
	for (uint32_t k = 0; k < s->m->n; k++) {
		messages_fetch_in(s->m, s->by_call, s->m->n, k);
		s->message[s->at[s->m->m[s->by_call[k]].place]++] = s->by_call[k];
	}
	memmove(s->at + 1, s->at, s->keys * sizeof(*s->at));
	s->at[0] = 0;
}

/* The calls or the messages: a piece each. */
static int look_at_one(void *senders, unsigned hand, uint32_t piece, struct err *err)
{
	(void)hand, (void)err;
	if (piece == 0)
		look_at_calls(senders);
	else
		sort_messages(senders);
	return 0;
}

int senders_init(struct senders *s, const struct trace *t, const struct messages *m,
		 const uint32_t *by_call, struct err *err)
{
	memset(s, 0, sizeof(*s));
	s->t = t;
	s->m = m;
	s->by_call = by_call;
	s->keys = trace_places(t);
	s->at = calloc((size_t)s->keys + 2, sizeof(*s->at));
	s->kinds = calloc((size_t)s->keys + 1, sizeof(*s->kinds));
	s->of_rank = calloc((size_t)t->n_ranks + 1, sizeof(*s->of_rank));
	s->message = table_alloc((size_t)m->n + 1, sizeof(*s->message));
	s->breaks = table_calloc((size_t)t->n_calls + 1, sizeof(*s->breaks));
	if (!s->kinds || !s->of_rank || !s->at || !s->message || !s->breaks) {
		senders_release(s);
		return err_set(err, "out of memory for %u messages", m->n);
	}
	return share_run(share_hands(), 2, look_at_one, s, err);
}

void senders_release(struct senders *s)
{
	table_free(s->breaks);
	table_free(s->message);
	free(s->of_rank);
	free(s->kinds);
	free(s->at);
	memset(s, 0, sizeof(*s));
}

int senders_have(const struct senders *s, enum region_kind kind)
{
	for (uint32_t k = 0; k < s->keys; k++)
		if (s->kinds[k] & UINT32_C(1) << kind)
			return 1;
	return 0;
}

uint32_t senders_site(const struct senders *s, uint32_t key)
{
	return key < s->t->n_sites ? key : TRACE_NONE;
}

uint32_t senders_region(const struct senders *s, uint32_t key)
{
	uint32_t first = s->message[s->at[key]];

	return s->t->calls[s->m->m[first].send_call].region;
}

/* What the cutting of one key needs. */
struct cutter {
	struct episodes *out;
	const struct senders *s;
	uint32_t *seen; /* per rank: 1 + the episode that last sent there */
	size_t room;
};

static const struct message *message_at(const struct senders *s, uint32_t k)
{
	return &s->m->m[s->message[k]];
}

/* Must message k, which follows k - 1 at the same site, begin a new episode? */
static int begins(const struct cutter *c, uint32_t k)
{
	const struct message *x = message_at(c->s, k), *before = message_at(c->s, k - 1);

	if (x->src != before->src || c->s->breaks[x->send_call] != c->s->breaks[before->send_call])
		return 1;
	return x->dst != before->dst && c->seen[x->dst] == c->out->n;
}

/* The wait right after an exchange's last send is part of the exchange. */
static void close_episode(const struct senders *s, struct episode *e)
{
	const struct trace *t = s->t;
	const struct message *last = message_at(s, e->first + e->n - 1);
	const struct rank *rank = &t->ranks[e->rank];
	uint32_t i = last->send_call + 1;
	int64_t left_ns = t->calls[last->send_call].leave_ns;

	e->end_ns = left_ns;
	while (i < rank->first_call + rank->calls &&
	       (trace_call_kind(t, i) == REGION_MPI_LOCAL ||
		trace_call_kind(t, i) == REGION_IRECV || trace_call_kind(t, i) == REGION_ISEND))
		i++;
	if (i == rank->first_call + rank->calls)
		return;
	switch (trace_call_kind(t, i)) {
	case REGION_WAIT:
	case REGION_WAITALL:
	case REGION_WAITSOME:
	case REGION_RECV: /* unless much was done in between */
		if (t->calls[i].enter_ns - left_ns <=
		    t->calls[i].leave_ns - t->calls[i].enter_ns + left_ns - e->begin_ns)
			e->end_ns = t->calls[i].leave_ns;
		break;
	default:
		break;
	}
}

static int add_episode(struct cutter *c, uint32_t k, struct err *err)
{
	struct episodes *out = c->out;
	const struct message *x = message_at(c->s, k);
	uint32_t phase = 0;

	if (GROW(out->e, out->n, c->room))
		return err_set(err, "out of memory for %u episodes", out->n);
	if (out->n > 0 && out->e[out->n - 1].rank == x->src)
		phase = out->e[out->n - 1].phase + 1;
	out->e[out->n++] = (struct episode){
		.rank = x->src,
		.phase = phase,
		.first = k,
		.begin_ns = x->sent_ns,
	};
	if (phase >= out->phases)
		out->phases = phase + 1;
	return 0;
}

int episodes_cut(struct episodes *out, const struct senders *s, uint32_t key, struct err *err)
{
	struct cutter c = {.out = out, .s = s};
	int ret = -1;

	memset(out, 0, sizeof(*out));
	c.seen = calloc((size_t)s->t->n_ranks + 1, sizeof(*c.seen));
	if (!c.seen)
		return err_set(err, "out of memory for %u ranks", s->t->n_ranks);
	for (uint32_t k = s->at[key]; k < s->at[key + 1]; k++) {
		const struct message *x = message_at(s, k);
		struct episode *e;

		messages_fetch_in(s->m, s->message, s->at[key + 1], k);
		if ((k == s->at[key] || begins(&c, k)) && add_episode(&c, k, err))
			goto out;
		e = &out->e[out->n - 1];
		if (e->n == 0 || x->dst != message_at(s, k - 1)->dst)
			e->steps++;
		e->n++;
		c.seen[x->dst] = out->n;
	}
	for (uint32_t k = 0; k < out->n; k++)
		close_episode(s, &out->e[k]);
	ret = 0;
out:
	if (ret)
		episodes_release(out);
	free(c.seen);
	return ret;
}

void episodes_release(struct episodes *e)
{
	table_free(e->e);
	memset(e, 0, sizeof(*e));
}
