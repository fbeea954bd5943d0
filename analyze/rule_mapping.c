/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Not contention: ranks that talk most sit on different nodes. With the machine's costs of a
 * message within and between nodes, another order of the ranks over the same places is
 * sought (rank_order.c). What it saves on an idle machine is likely; at most it saves the same share
 * of what the ranks spend on the way of messages, as those that stay on a node are in nobody's way
 * between nodes. Collectives are not in the matrix: which messages MPI makes of them is not known.
 */
#include "analyze/rules.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "analyze/rank_order.h"
#include "common/number.h"

#define RANKS_MAX 2048 /* the matrix is dense: 32 MiB */
#define LESS_MIN  0.1  /* of the cost between nodes: a smaller gain is not worth a new order */

struct mapping {
	const struct evidence_base *b;
	uint32_t *node;  /* per rank */
	uint32_t *first; /* per node: a rank of it */
	double *weight;
	double *extra_s; /* per price: what such a message costs more between nodes */
	double *saved_s; /* per rank: of its messages, alone on the machine, */
	double *now_s;   /* of what they cost more now; */
	double *most_s;  /* of what it spends on their way */
	uint32_t *order;
	uint32_t *place; /* per rank: whose place it gets */
	struct rank_order x;
	double bytes, now, then; /* all, between nodes now, in the new order */
	double site_bytes;
	uint32_t site_call; /* of the place that sends most between nodes */
};

static void number_nodes(struct mapping *m)
{
	for (uint32_t r = 0; r < m->x.ranks; r++) {
		uint32_t n = 0;

		while (n < m->x.nodes && machine_locality(m->b->t, r, m->first[n]) != LOCALITY_NODE)
			n++;
		if (n == m->x.nodes)
			m->first[m->x.nodes++] = r;
		m->node[r] = n;
	}
}

static double cost_s(const struct machine_class *c, double bytes)
{
	return c->n ? machine_latency_s(c, bytes) +
			       plogp_at((struct plogp){c->L_s, c->n, c->points}, bytes).g_s
		    : 0;
}

/* What a message costs more between nodes than within one; all of it where that is unknown. */
static double extra_s(const struct machine *machine, double bytes)
{
	return fmax(0, cost_s(&machine->classes[LOCALITY_NETWORK], bytes) -
			       cost_s(&machine->classes[LOCALITY_NODE], bytes));
}

static void fill_matrix(struct mapping *m)
{
	const struct messages *all = m->b->m;

	for (uint32_t k = 0; k < m->b->n_prices; k++)
		m->extra_s[k] = extra_s(m->b->machine, m->b->prices[k].at.bytes);
	for (uint32_t i = 0; i < all->n; i++) {
		uint32_t a = all->m[i].src, b = all->m[i].dst;
		double s = m->extra_s[m->b->a->sizes.of[i]];

		if (a == b)
			continue;
		m->weight[(size_t)a * m->x.ranks + b] += s;
		m->weight[(size_t)b * m->x.ranks + a] += s;
	}
}

/* Who waits less in the new order, and how many bytes stay on a node. Uses saved_s[]. */
static int weigh(struct mapping *m, struct err *err)
{
	const struct messages *all = m->b->m;
	double *by_key = calloc(trace_places(m->b->t) + 1u, sizeof(*by_key));

	if (!by_key)
		return err_set(err, "out of memory for %u call sites", trace_places(m->b->t));
	for (uint32_t i = 0; i < m->x.ranks; i++)
		m->place[m->order[i]] = i;
	for (uint32_t i = 0; i < all->n; i++) {
		const struct message *x = &all->m[i];
		int apart = m->node[x->src] != m->node[x->dst];
		int then = m->node[m->place[x->src]] != m->node[m->place[x->dst]];
		double *sent = &by_key[x->place];

		m->bytes += x->bytes;
		m->now += apart ? x->bytes : 0;
		m->then += then ? x->bytes : 0;
		m->now_s[x->dst] += apart * m->extra_s[m->b->a->sizes.of[i]];
		m->saved_s[x->dst] += (apart - then) * m->extra_s[m->b->a->sizes.of[i]];
		*sent += apart ? x->bytes + 1.0 : 0;
		if (*sent > m->site_bytes) {
			m->site_bytes = *sent;
			m->site_call = x->send_call;
		}
	}
	free(by_key);
	return 0;
}

/* No rank saves more than its calls spend on the way of messages. */
static void bound(struct mapping *m)
{
	static const enum cost way[] = {COST_wire, COST_sender_port, COST_receiver_port,
					COST_network_contention};

	for (uint32_t r = 0; r < m->x.ranks; r++) {
		double spent_s = 0;

		for (size_t k = 0; k < sizeof(way) / sizeof(*way); k++)
			spent_s += m->b->a->rank_budget[r].parts[way[k]].ns * 1e-9;
		if (m->now_s[r] > 0)
			m->most_s[r] = fmax(m->saved_s[r], 0) / m->now_s[r] * spent_s;
		m->saved_s[r] = fmin(fmax(m->saved_s[r], 0), spent_s);
	}
}

static int report(struct mapping *m, struct findings *out, struct err *err)
{
	const struct evidence_base *b = m->b;
	struct hotspot h = {.kind = "mapping", .rank = TRACE_NONE};
	uint32_t moved = 0;
	double most_s = 0;

	for (uint32_t i = 0; i < m->x.ranks; i++) {
		moved += m->order[i] != i;
		most_s = fmax(most_s, m->most_s[i]);
	}
	h.site = b->t->calls[m->site_call].site;
	h.region = b->t->calls[m->site_call].region;
	rule_saves(b, m->saved_s, &h);
	h.saves_high_s = fmin(fmax(h.saves_high_s, most_s), b->wall_s);
	snprintf(h.title, sizeof(h.title),
		 "ranks on %u nodes: another order would keep more on a node", m->x.nodes);
	snprintf(h.why, sizeof(h.why),
		 "not contention: %.0f %% of the bytes go between nodes; %.0f %% would with %u "
		 "ranks "
		 "at other places",
		 100 * m->now / m->bytes, 100 * m->then / m->bytes, moved);
	snprintf(h.advice, sizeof(h.advice),
		 "start the ranks in the order that contend report --json gives for this hotspot "
		 "(a rankfile), or let rank i act as order[i] (MPI_Comm_split by that key)");
	hotspot_evidence(&h, "nodes", m->x.nodes);
	hotspot_evidence(&h, "bytes_between_nodes", m->now);
	hotspot_evidence(&h, "bytes_between_nodes_then", m->then);
	hotspot_evidence(&h, "share_between_nodes", m->now / m->bytes);
	hotspot_evidence(&h, "share_between_nodes_then", m->then / m->bytes);
	hotspot_evidence(&h, "ranks_moved", moved);
	h.order = m->order;
	h.n_order = m->x.ranks;
	if (findings_add(out, &h, err))
		return -1;
	m->order = NULL; /* the finding's now */
	return 0;
}

static int look(struct mapping *m, struct findings *out, struct err *err)
{
	double now_s;

	number_nodes(m);
	if (m->x.nodes < 2 || m->x.nodes == m->x.ranks)
		return 0;
	fill_matrix(m);
	now_s = rank_order_cost(&m->x, NULL);
	if (rank_order_find(&m->x, m->order, err))
		return -1;
	if (rank_order_cost(&m->x, m->order) > (1 - LESS_MIN) * now_s)
		return 0;
	if (weigh(m, err))
		return -1;
	bound(m);
	return m->then < (1 - LESS_MIN) * m->now ? report(m, out, err) : 0;
}

int rule_mapping(const struct evidence_base *b, struct findings *out, struct err *err)
{
	struct mapping m = {.b = b};
	size_t ranks = b->t->n_ranks;
	int ret = -1;

	if (ranks < 3 || ranks > RANKS_MAX || b->m->n == 0)
		return 0;
	m.node = calloc(ranks, sizeof(*m.node));
	m.first = calloc(ranks, sizeof(*m.first));
	m.weight = calloc(ranks * ranks, sizeof(*m.weight));
	m.extra_s = calloc(b->n_prices + 1u, sizeof(*m.extra_s));
	m.saved_s = calloc(3 * ranks, sizeof(*m.saved_s));
	m.order = calloc(ranks, sizeof(*m.order));
	m.place = calloc(ranks, sizeof(*m.place));
	m.x = (struct rank_order){.ranks = b->t->n_ranks, .node = m.node, .weight = m.weight};
	if (!m.node || !m.first || !m.weight || !m.extra_s || !m.saved_s || !m.order || !m.place)
		err_set(err, "out of memory for the matrix of %u ranks", b->t->n_ranks);
	else {
		m.now_s = m.saved_s + ranks;
		m.most_s = m.now_s + ranks;
		ret = look(&m, out, err);
	}
	free(m.place);
	free(m.order);
	free(m.saved_s);
	free(m.extra_s);
	free(m.weight);
	free(m.first);
	free(m.node);
	return ret;
}
