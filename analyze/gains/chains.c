/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/gains/chains.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/gains/retime_order.h"
#include "analyze/tools/instants.h"
#include "common/table.h"

#define MESSAGES_MIN 3   /* of a chain: two that wait for others of it */
#define BETWEEN_MOST 0.5 /* of what a message takes: more is computation that it may need */

static int64_t enter_ns(const struct evidence_base *b, uint32_t call)
{
	return b->t->calls[call].enter_ns;
}

/*
 * What message i takes from end to end when nobody is in the way: its parts may not be known apart.
 */
static double idle_ns(const struct evidence_base *b, uint32_t i)
{
	const struct idle_price *p = evidence_price(b, i);

	return (p->at.o_s_s + evidence_way_s(p) + p->at.o_r_s) * 1e9; /* 0: not known */
}

/* Has its rank, between these two calls, only such that neither wait nor send, and little else? */
static int follows(const struct evidence_base *b, uint32_t call, uint32_t before, uint32_t i)
{
	if (before >= call || (double)(enter_ns(b, call) - b->t->calls[before].leave_ns) >
				      BETWEEN_MOST * idle_ns(b, i))
		return 0;
	for (uint32_t c = call; c > before + 1; c--) {
		enum region_kind kind = trace_call_kind(b->t, c - 1);

		if (kind != REGION_OTHER && kind != REGION_MPI_LOCAL && kind != REGION_IRECV)
			return 0;
	}
	return 1;
}

/* To one other rank, by a call that does not receive. */
static int is_sent_alone(const struct evidence_base *b, uint32_t i)
{
	const struct message *m = &b->m->m[i];
	enum region_kind kind = trace_call_kind(b->t, m->send_call);

	return m->src != m->dst && kind != REGION_SENDRECV && senders_is_send(kind);
}

/* Received by a call that does not send. */
static int is_taken_alone(const struct evidence_base *b, uint32_t i)
{
	return b->m->m[i].src != b->m->m[i].dst &&
	       trace_call_kind(b->t, b->m->m[i].recv_done) != REGION_SENDRECV;
}

/* Does a rank send message i right after it has taken the other one? */
static int is_sent_after(const struct evidence_base *b, uint32_t i, uint32_t taken)
{
	const struct message *m = &b->m->m[i], *x = &b->m->m[taken];

	return x->src != m->dst && is_sent_alone(b, i) && is_taken_alone(b, taken) &&
	       follows(b, m->send_call, x->recv_done, i);
}

/* Does a rank begin to receive message i, which waits for that, right after its other one is? */
static int is_taken_after(const struct evidence_base *b, uint32_t i, uint32_t sent)
{
	const struct message *m = &b->m->m[i], *x = &b->m->m[sent];

	return m->src != x->dst && is_sent_alone(b, sent) && is_taken_alone(b, i) &&
	       x->send_done == x->send_call && retime_waits_for_post(b, sent) &&
	       retime_waits_for_post(b, i) && follows(b, m->recv_call, x->send_call, i);
}

/*
 * Has its rank taken messages of others, too, with message i, one of those from first on, or since
 * it sent before? Then what it sends is of all of them, as in a tree.
 */
static int is_gathered(const struct messages *m, uint32_t i, uint32_t first, uint32_t sent)
{
	for (uint32_t k = i; k-- > first;) {
		if (m->m[k].recv_done != m->m[i].recv_done &&
		    (sent != TRACE_NONE && m->m[k].recv_done < sent))
			return 0;
		if (m->m[k].src != m->m[i].src)
			return 1;
	}
	return 0;
}

/* Does a rank send both at one place of the program, and receive nothing between? */
static int are_together(const struct evidence_base *b, uint32_t i, uint32_t next)
{
	const struct message *x = &b->m->m[i], *y = &b->m->m[next];

	return x->place == y->place &&
	       b->senders.breaks[x->send_call] == b->senders.breaks[y->send_call];
}

/* Is the k-th, in the order of calls, the only one that its rank sends there before it receives? */
static int is_only_send(const struct evidence_base *b, uint32_t k, uint32_t first, uint32_t end)
{
	const uint32_t *by_call = b->senders.by_call;

	return (k == first || !are_together(b, by_call[k - 1], by_call[k])) &&
	       (k + 1 == end || !are_together(b, by_call[k], by_call[k + 1]));
}

/* Each message has one after it at most. */
static void link_to(struct chains *c, uint32_t i, uint32_t before)
{
	if (c->goes_on[before])
		return;
	c->goes_on[before] = 1;
	c->link[i] = before;
}

/* What a rank sends, each after the last that it has taken before. */
static void link_sends(struct chains *c, uint32_t rank)
{
	const struct evidence_base *b = c->b;
	const struct messages *m = b->m;
	uint32_t first = m->by_dst[rank], end = m->by_dst[rank + 1], next = first;
	uint32_t from = b->senders.of_rank[rank], until = b->senders.of_rank[rank + 1];

	for (uint32_t k = from, sent = TRACE_NONE; k < until; k++) {
		uint32_t i = b->senders.by_call[k];

		while (next < end && m->m[next].recv_done < m->m[i].send_call)
			next++;
		if (next > first && is_sent_after(b, i, next - 1) &&
		    is_only_send(b, k, from, until) && !is_gathered(m, next - 1, first, sent))
			link_to(c, i, next - 1);
		sent = m->m[i].send_call;
	}
}

/* What a rank receives, each after the last that it has sent before. */
static void link_receives(struct chains *c, uint32_t rank)
{
	const struct evidence_base *b = c->b;
	const struct messages *m = b->m;
	uint32_t first = b->senders.of_rank[rank], end = b->senders.of_rank[rank + 1], next = first;

	for (uint32_t i = m->by_dst[rank]; i < m->by_dst[rank + 1]; i++) {
		if (m->m[i].recv_call == TRACE_NONE)
			continue;
		while (next < end && m->m[b->senders.by_call[next]].send_call < m->m[i].recv_call)
			next++;
		if (next > first && is_taken_after(b, i, b->senders.by_call[next - 1]))
			link_to(c, i, b->senders.by_call[next - 1]);
	}
}

/*
 * How many messages there are in the chain that ends with that one, and the first of them. If they
 * are more than there are ranks, not all.
 */
static uint32_t length_of(const struct chains *c, uint32_t last, uint32_t *head)
{
	uint32_t n = 1;

	for (; c->link[last] != TRACE_NONE && n <= c->b->t->n_ranks; n++)
		last = c->link[last];
	*head = last;
	return n;
}

/* Those that no other one follows, of lines that are long enough. */
static void find_last(struct chains *c)
{
	uint32_t head, n;

	for (uint32_t i = 0; i < c->b->m->n; i++) {
		if (c->link[i] == TRACE_NONE || c->goes_on[i])
			continue;
		n = length_of(c, i, &head);
		if (n >= MESSAGES_MIN && n <= c->b->t->n_ranks)
			c->last[c->n++] = i;
	}
}

int chains_find(struct chains *c, const struct evidence_base *b, enum chains_way way,
		struct err *err)
{
	size_t messages = (size_t)b->m->n + 1, ranks = (size_t)b->t->n_ranks + 1;

	*c = (struct chains){.b = b, .way = way};
	c->link = table_alloc(messages, sizeof(*c->link));
	c->goes_on = table_calloc(messages, sizeof(*c->goes_on));
	c->last = table_alloc(messages / MESSAGES_MIN + 1, sizeof(*c->last));
	c->heads = calloc(ranks, sizeof(*c->heads));
	c->waited_s = calloc(ranks, sizeof(*c->waited_s));
	if (!c->link || !c->goes_on || !c->last || !c->heads || !c->waited_s)
		return err_set(err, "out of memory for %u messages", b->m->n);
	memset(c->link, 0xff, messages * sizeof(*c->link));
	for (uint32_t r = 0; r < b->t->n_ranks; r++)
		if (!b->t->ranks[r].is_threaded)
			(way == CHAINS_SENT_AFTER ? link_sends : link_receives)(c, r);
	find_last(c);
	if (!c->n)
		return 0;
	c->then = table_alloc(messages, sizeof(*c->then));
	if (way == CHAINS_TAKEN_AFTER)
		c->less_ns = table_alloc(messages, sizeof(*c->less_ns));
	if (!c->then || (way == CHAINS_TAKEN_AFTER && !c->less_ns))
		return err_set(err, "out of memory for %u messages", b->m->n);
	return 0;
}

void chains_release(struct chains *c)
{
	free(c->waited_s);
	free(c->heads);
	table_free(c->less_ns);
	table_free(c->then);
	table_free(c->last);
	table_free(c->goes_on);
	table_free(c->link);
}

/* What is waited for message i: by its receiver until it is sent, or by its sender for the post. */
static double wait_s(const struct chains *c, uint32_t i)
{
	const struct message *m = &c->b->m->m[i];

	if (c->way == CHAINS_SENT_AFTER)
		return (double)later(0, m->sent_ns - evidence_asked_ns(c->b, i)) * 1e-9;
	return (double)later(0, enter_ns(c->b, m->recv_call) - m->sent_ns) * 1e-9;
}

void chains_weigh(const struct chains *c, double *key_s)
{
	for (uint32_t k = 0; k < c->n; k++)
		for (uint32_t i = c->last[k]; c->link[i] != TRACE_NONE; i = c->link[i])
			key_s[c->b->m->m[c->last[k]].place] += wait_s(c, i);
}

/* Message i as if it did not wait for the one before. */
static void part(struct chains *c, uint32_t i, uint32_t before)
{
	const struct message *m = &c->b->m->m[i], *x = &c->b->m->m[before];

	c->waited_s[c->way == CHAINS_SENT_AFTER ? m->dst : m->src] += wait_s(c, i);
	if (c->way == CHAINS_TAKEN_AFTER) {
		c->then[i] = x->send_call;
		c->less_ns[i] = later(m->sent_ns, enter_ns(c->b, m->recv_call)) -
				later(m->sent_ns, enter_ns(c->b, x->send_call));
	} else if (c->b->a->arrival_ns[before] > evidence_asked_ns(c->b, before)) {
		c->then[i] = message_asked(c->b->t, x);
	}
}

static void take_chain(struct chains *c, uint32_t last, struct chains_at *out)
{
	const struct message *m = c->b->m->m;
	uint32_t head, n = length_of(c, last, &head);

	for (uint32_t i = last; c->link[i] != TRACE_NONE; i = c->link[i])
		part(c, i, c->link[i]);
	c->heads[c->way == CHAINS_SENT_AFTER ? m[head].src : m[head].dst]++;
	out->chains++;
	out->messages += n;
	out->longest = n > out->longest ? n : out->longest;
	out->call = m[last].send_call;
	out->links += n - 1;
	out->by_tree += n - ceil(log2(n + 1));
}

void chains_take(struct chains *c, uint32_t key, struct chains_at *out)
{
	const struct message *m = c->b->m->m;

	*out = (struct chains_at){.call = TRACE_NONE};
	for (uint32_t i = 0; i < c->b->m->n; i++) {
		c->then[i] = c->way == CHAINS_SENT_AFTER ? m[i].send_call : m[i].recv_call;
		if (c->less_ns)
			c->less_ns[i] = 0;
	}
	for (uint32_t r = 0; r < c->b->t->n_ranks; r++) {
		c->heads[r] = 0;
		c->waited_s[r] = 0;
	}
	for (uint32_t k = 0; k < c->n; k++)
		if (m[c->last[k]].place == key)
			take_chain(c, c->last[k], out);
	for (uint32_t r = 0; r < c->b->t->n_ranks; r++) {
		out->waited_s += c->waited_s[r];
		out->most_s = fmax(out->most_s, c->waited_s[r]);
		if (c->heads[r] > out->heads) {
			out->heads = c->heads[r];
			out->head = r;
		}
	}
}

int chains_save(const struct chains *c, double *saved_s, struct err *err)
{
	struct retime apart = {.sent = c->then};

	if (c->less_ns)
		apart = (struct retime){.posted = c->then, .less_ns = c->less_ns};
	return retime_run(c->b, &apart, saved_s, err);
}
