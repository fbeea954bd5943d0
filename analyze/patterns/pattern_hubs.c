/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One or a few ranks have to do with all the others: scatter, gather (incast), servers with
 * their clients. Permuted ranks are no matter.
 */
#include "analyze/patterns/pattern_fit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Hubs are at most this share of the ranks, and have this share of all messages. A few may be more,
 * but fewer than the others, if each of them has to do with each of those: no neighbourhood is so.
 */
#define HUBS_MAX  0.25
#define HUBS_FEW  8
#define COVER_MIN 0.9

/*
 * Requests and replies: of a client and a server, the rarer are at least so many of the more
 * frequent, over all of them.
 */
#define REPLIES_MIN 0.4

/* With so many replies among the messages that are no hub's, those are another server's. */
#define BESIDE_MAX 0.2

/* The largest volume to a rank is no more than so many times the least. */
#define EVEN_MAX 1.05

/* Does the root give the others as much each? Then it may be the same that all get. */
static int is_even(const struct traffic *t, uint32_t root)
{
	double least = INFINITY, most = 0;

	for (uint32_t i = 0; i < t->n_edges; i++) {
		if (t->edges[i].src != root)
			continue;
		least = fmin(least, t->edges[i].volume);
		most = fmax(most, t->edges[i].volume);
	}
	return most <= EVEN_MAX * least;
}

/* Edges of one row (or column): which of them is that of the root? */
static int propose_root(const struct traffic *t, int gather, struct candidates *out,
			struct err *err)
{
	struct candidate c = {.regular = 1, .length = 1, .time = 1};
	double *volume = calloc((size_t)t->ranks + 1, sizeof(*volume));
	struct fit f = {0};
	uint32_t root = 0;
	uint32_t i;
	int ret = -1;

	if (!volume) {
		err_set(err, "out of memory for %u ranks", t->ranks);
		goto out;
	}
	if (fit_init(&f, t, t->ranks, err))
		goto out;
	for (i = 0; i < t->n_edges; i++)
		volume[gather ? t->edges[i].dst : t->edges[i].src] += t->edges[i].volume;
	for (i = 0; i < t->ranks; i++)
		if (volume[i] > volume[root])
			root = i;
	for (i = 0; i < t->n_edges; i++)
		if ((gather ? t->edges[i].dst : t->edges[i].src) == root)
			fit_add(&f, t->edges[i].count, t->edges[i].volume, t->edges[i].volume);
	fit_group(&f, t->ranks - 1);
	fit_result(&f, &c);
	snprintf(c.name, sizeof(c.name), gather ? "gather to %u (incast)" : "scatter from %u",
		 root);
	if (!gather && is_even(t, root))
		snprintf(c.equivalent, sizeof(c.equivalent), "linear broadcast from %u", root);
	ret = candidates_add(out, &c, err);
out:
	fit_release(&f);
	free(volume);
	return ret;
}

int pattern_scatter(const struct traffic *t, struct candidates *out, struct err *err)
{
	return propose_root(t, 0, out, err);
}

int pattern_gather(const struct traffic *t, struct candidates *out, struct err *err)
{
	return propose_root(t, 1, out, err);
}

struct busy {
	double messages;
	uint32_t rank;
};

static int by_messages(const void *pa, const void *pb)
{
	const struct busy *a = pa;
	const struct busy *b = pb;

	if (a->messages != b->messages)
		return a->messages > b->messages ? -1 : 1;
	return a->rank < b->rank ? -1 : a->rank > b->rank;
}

/* Messages between a hub and a rank that is none; replies: the rarer way of each such two. */
struct cover {
	double messages;
	double replies;
	double volume;
	double edges;
};

static struct cover cover_of(const struct traffic *t, const uint8_t *is_hub)
{
	struct cover x = {0};
	uint32_t i;

	for (i = 0; i < t->n_edges; i++) {
		const struct edge *e = &t->edges[i];
		const struct edge *back;

		if (is_hub[e->src] == is_hub[e->dst])
			continue;
		x.edges++;
		x.messages += e->count;
		x.volume += e->volume;
		back = is_hub[e->dst] ? traffic_edge(t, e->dst, e->src) : NULL;
		if (back)
			x.replies += fmin(e->count, back->count);
	}
	return x;
}

/* Busiest ranks until nearly all messages are between them and others. Returns how many. */
static uint32_t choose_hubs(const struct traffic *t, struct busy *busy, uint8_t *is_hub,
			    struct cover *cover)
{
	uint32_t most = (uint32_t)(HUBS_MAX * t->active), few = t->active ? (t->active - 1) / 2 : 0;
	uint32_t i;

	if (few > HUBS_FEW)
		few = HUBS_FEW;
	for (i = 0; i < t->ranks; i++)
		busy[i].rank = i;
	for (i = 0; i < t->n_edges; i++) {
		busy[t->edges[i].src].messages += t->edges[i].count;
		busy[t->edges[i].dst].messages += t->edges[i].count;
	}
	qsort(busy, t->ranks, sizeof(*busy), by_messages);
	/* What is gained by one more hub is at most its messages: no need to try many. */
	for (i = 0; i < most || i < few; i++) {
		is_hub[busy[i].rank] = 1;
		*cover = cover_of(t, is_hub);
		if (cover->messages >= COVER_MIN * t->messages)
			return i < most || cover->edges >= 2.0 * (i + 1) * (t->active - i - 1)
				       ? i + 1
				       : 0;
		if (i >= 8 && cover->messages < 0.1 * t->messages)
			return 0;
	}
	return 0;
}

/*
 * Half of the ranks, if they only answer, and each the other half: but for the order in time those
 * may as well swap with their neighbours. Returns how many.
 */
static uint32_t choose_half(const struct traffic *t, uint8_t *is_hub, struct cover *cover)
{
	uint32_t hubs = 0;

	for (uint32_t r = 0; r < t->ranks; r++)
		hubs += is_hub[r] = t->answers[r];
	if (2 * hubs != t->active || hubs > HUBS_FEW)
		return 0;
	*cover = cover_of(t, is_hub);
	return cover->messages >= COVER_MIN * t->messages && cover->edges >= 2.0 * hubs * hubs
		       ? hubs
		       : 0;
}

/* Are the hubs the first ranks, or the last, as who numbers servers has it? */
static int are_together(const struct traffic *t, const uint8_t *is_hub, uint32_t hubs)
{
	uint32_t first = 0, last = 0;

	while (first < t->ranks && is_hub[first])
		first++;
	while (last < t->ranks && is_hub[t->ranks - 1 - last])
		last++;
	return first == hubs || last == hubs;
}

/* Messages between two that are no hubs, of each such two the rarer way: strays have no replies. */
static double replies_beside(const struct traffic *t, const uint8_t *is_hub)
{
	double sum = 0;

	for (uint32_t i = 0; i < t->n_edges; i++) {
		const struct edge *e = &t->edges[i];
		const struct edge *back;

		if (is_hub[e->src] || is_hub[e->dst])
			continue;
		back = traffic_edge(t, e->dst, e->src);
		sum += back ? 0.5 * fmin(e->count, back->count) : 0;
	}
	return sum;
}

/*
 * Clients that are due: all of them; but with few requests it is chance who has none so far. That
 * holds for ranks that do nothing, and if the rest of the messages are strays, no other server's.
 */
static double clients_due(const struct traffic *t, const uint8_t *is_hub, const struct cover *cover,
			  double clients)
{
	double requests = cover->messages / 2;
	double idle = t->ranks - t->active;

	if (replies_beside(t, is_hub) > BESIDE_MAX * (t->messages - cover->messages))
		return clients;
	return fmax(clients - idle, clients * -expm1(-requests / clients));
}

/* Do the others all answer the hubs, each of them? Then they may serve those few as well. */
static int may_serve(const struct traffic *t, const uint8_t *is_hub, uint32_t hubs,
		     const struct cover *cover)
{
	for (uint32_t r = 0; r < t->ranks; r++)
		if (is_hub[r] == t->answers[r])
			return 0;
	return hubs > 1 && cover->edges >= 2.0 * hubs * (t->ranks - hubs);
}

static int propose_server(const struct traffic *t, struct busy *busy, uint8_t *is_hub,
			  double *of_client, struct candidates *out, struct err *err)
{
	struct candidate c = {.regular = 1, .length = 2, .time = t->time.replying};
	struct cover cover = {0};
	uint32_t hubs = choose_hubs(t, busy, is_hub, &cover);
	uint32_t served = 0;
	uint32_t i;

	if (!hubs && (hubs = choose_half(t, is_hub, &cover)) > 0) {
		c.of_any_order = 1;
		c.length -= are_together(t, is_hub, hubs); /* else neighbours are as likely */
		c.time = 1;
	}
	if (!hubs || cover.replies < REPLIES_MIN * (cover.messages - cover.replies))
		return 0;
	for (i = 0; i < t->n_edges; i++)
		if (is_hub[t->edges[i].src] != is_hub[t->edges[i].dst])
			of_client[is_hub[t->edges[i].src] ? t->edges[i].dst : t->edges[i].src] +=
				t->edges[i].count;
	for (i = 0; i < t->ranks; i++)
		if (of_client[i] > 0)
			of_client[served++] = of_client[i];
	c.explained = cover.volume / t->volume;
	c.of_messages = cover.messages / t->messages;
	c.presence = fmin(1, served / clients_due(t, is_hub, &cover, t->ranks - hubs));
	c.lacking = 1 - c.presence;
	/* Requests and replies: of few it is chance which servers they are sent to. */
	c.expected = 2.0 * hubs * (t->ranks - hubs);
	if (c.of_any_order) /* pairs, as neighbours have */
		c.expected /= 2;
	/* Clients that ask when they have nothing to do ask unequally often. */
	c.uniformity = sqrt(fit_uniformity(served, of_client));
	snprintf(c.name, sizeof(c.name), "client-server, %u server%s", hubs, hubs > 1 ? "s" : "");
	snprintf(c.equivalent, sizeof(c.equivalent), "work-pile, %u server%s", hubs,
		 hubs > 1 ? "s" : "");
	if (may_serve(t, is_hub, hubs, &cover))
		snprintf(c.equivalent, sizeof(c.equivalent), "client-server, %u servers",
			 t->ranks - hubs);
	if (c.of_any_order && hubs == 2 && c.length == 1) { /* whom a ring of four has beside it */
		struct candidate twin = c;

		snprintf(twin.name, sizeof(twin.name), "%s", c.equivalent);
		strcpy(twin.equivalent, "ring, ranks permuted");
		twin.length = 3;
		if (candidates_add(out, &twin, err))
			return -1;
	}
	return candidates_add(out, &c, err);
}

int pattern_server(const struct traffic *t, struct candidates *out, struct err *err)
{
	struct busy *busy = calloc((size_t)t->ranks + 1, sizeof(*busy));
	uint8_t *is_hub = calloc((size_t)t->ranks + 1, 1);
	double *of_client = calloc((size_t)t->ranks + 1, sizeof(*of_client));
	int ret;

	if (busy && is_hub && of_client)
		ret = propose_server(t, busy, is_hub, of_client, out, err);
	else
		ret = err_set(err, "out of memory for %u ranks", t->ranks);
	free(of_client);
	free(is_hub);
	free(busy);
	return ret;
}
