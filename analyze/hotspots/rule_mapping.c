/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Not contention: ranks that talk most sit on different nodes. With the machine's costs of a
 * message within and between nodes, another order of the ranks over the same places is
 * sought (rank_order.c). A message that then stays on its node costs less and is in nobody's way
 * between nodes: it waits there no more, and neither do those that wait for its ranks (retime.c).
 * That is likely; at most those that still go between nodes wait less in proportion.
 * Collectives are not in the matrix: which messages MPI makes of them is not known.
 */
#include "analyze/hotspots/rules.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/gains/rank_order.h"
#include "analyze/gains/retime.h"
#include "common/table.h"

#define RANKS_MAX 2048 /* the matrix is dense: 32 MiB */
#define LESS_MIN  0.1  /* of the cost between nodes: a smaller gain is not worth a new order */

struct mapping {
	const struct evidence_base *b;
	uint32_t *node;  /* per rank */
	uint32_t *first; /* per node: a rank of it */
	double *weight;
	double *near_s;   /* per price: what such a message's way takes within a node, */
	double *extra_s;  /* and more on its way between nodes: all where that is unknown, */
	double *take_s;   /* and more to be taken from another node, likewise */
	int64_t *less_ns; /* per message: its way is so much shorter, */
	int64_t *rest_ns; /* per call: and so is what it does with those that it takes; or < 0 */
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

/* What taking such a message costs, and its way if nobody is in it; 0 where that is not known. */
static double taking_s(const struct machine_class *c, double bytes)
{
	return c->n ? plogp_at((struct plogp){c->L_s, c->n, c->points}, bytes).o_r_s : 0;
}

static double way_s(const struct machine_class *c, double bytes)
{
	if (!c->n)
		return 0;
	return machine_latency_s(c, bytes) +
	       plogp_at((struct plogp){c->L_s, c->n, c->points}, bytes).g_s - taking_s(c, bytes);
}

static void fill_matrix(struct mapping *m)
{
	const struct messages *all = m->b->m;

	for (uint32_t k = 0; k < m->b->n_prices; k++) {
		const struct machine_class *c = m->b->machine->classes;
		double bytes = m->b->prices[k].at.bytes;

		m->near_s[k] = way_s(&c[LOCALITY_NODE], bytes);
		m->take_s[k] = fmax(0, taking_s(&c[LOCALITY_NETWORK], bytes) -
					       taking_s(&c[LOCALITY_NODE], bytes));
		m->extra_s[k] = fmax(0, way_s(&c[LOCALITY_NETWORK], bytes) - m->near_s[k]);
	}
	for (uint32_t i = 0; i < all->n; i++) {
		uint32_t a = all->m[i].src, b = all->m[i].dst;
		uint32_t k = m->b->a->sizes.of[i];
		double s = m->extra_s[k] + m->take_s[k];

		if (a == b)
			continue;
		m->weight[(size_t)a * m->x.ranks + b] += s;
		m->weight[(size_t)b * m->x.ranks + a] += s;
	}
}

/* How many bytes stay on a node in the new order. */
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
		*sent += apart ? x->bytes + 1.0 : 0;
		if (*sent > m->site_bytes) {
			m->site_bytes = *sent;
			m->site_call = x->send_call;
		}
	}
	free(by_key);
	return 0;
}

/* What message i gains: at least the idle network's way, and what it waited for others there. */
static double likely_ns(const struct mapping *m, uint32_t i, int then)
{
	static const unsigned others =
		1u << COST_sender_port | 1u << COST_receiver_port | 1u << COST_network_contention;
	const struct message *x = &m->b->m->m[i];
	int apart = m->node[x->src] != m->node[x->dst];
	double others_ns = apart && !then ? slices_sum(&m->b->a->message, i, others) : 0;

	return (apart - then) * m->extra_s[m->b->a->sizes.of[i]] * 1e9 + others_ns;
}

/*
 * At most: all that its way is longer than one within a node; less of it if it still goes between.
 */
static double most_ns(const struct mapping *m, uint32_t i, int then)
{
	const struct message *x = &m->b->m->m[i];
	double all_ns = retime_way_ns(m->b, i) - m->near_s[m->b->a->sizes.of[i]] * 1e9;

	if (m->node[x->src] == m->node[x->dst])
		return likely_ns(m, i, then);
	if (then)
		all_ns -= m->extra_s[m->b->a->sizes.of[i]] * 1e9;
	return fmax(all_ns, 0) * (then ? 1 - m->then / m->now : 1);
}

/* Taking a message within a node costs less, too; taking one that leaves it then, more. */
static double taken_sooner_ns(const struct mapping *m, uint32_t i, int then)
{
	const struct message *x = &m->b->m->m[i];
	int apart = m->node[x->src] != m->node[x->dst];

	return (apart - then) * m->take_s[m->b->a->sizes.of[i]] * 1e9;
}

static int save(struct mapping *m, double (*gain_ns)(const struct mapping *, uint32_t, int),
		double *saved_s, struct err *err)
{
	struct retime x = {.less_ns = m->less_ns, .rest_ns = m->rest_ns};

	memset(m->rest_ns, 0, m->b->t->n_calls * sizeof(*m->rest_ns));
	for (uint32_t i = 0; i < m->b->m->n; i++) {
		const struct message *one = &m->b->m->m[i];
		int then = m->node[m->place[one->src]] != m->node[m->place[one->dst]];

		m->rest_ns[one->recv_done] += (int64_t)taken_sooner_ns(m, i, then);
		m->less_ns[i] = (int64_t)fmin(gain_ns(m, i, then), retime_way_ns(m->b, i));
	}
	return retime_run(m->b, &x, saved_s, err);
}

static int report(struct mapping *m, struct findings *out, struct err *err)
{
	const struct evidence_base *b = m->b;
	struct hotspot h = {.kind = "mapping", .rank = TRACE_NONE};
	uint32_t moved = 0;

	for (uint32_t i = 0; i < m->x.ranks; i++)
		moved += m->order[i] != i;
	h.site = b->t->calls[m->site_call].site;
	h.region = b->t->calls[m->site_call].region;
	if (save(m, likely_ns, &h.saves_mid_s, err) || save(m, most_ns, &h.saves_high_s, err))
		return -1;
	h.saves_high_s = fmax(h.saves_mid_s, h.saves_high_s);
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
	m.near_s = table_calloc(3 * (b->n_prices + 1u), sizeof(*m.near_s));
	m.rest_ns = table_calloc(b->t->n_calls + 1u, sizeof(*m.rest_ns));
	m.less_ns = table_calloc(b->m->n, sizeof(*m.less_ns));
	m.order = calloc(ranks, sizeof(*m.order));
	m.place = calloc(ranks, sizeof(*m.place));
	m.x = (struct rank_order){.ranks = b->t->n_ranks, .node = m.node, .weight = m.weight};
	if (!m.node || !m.first || !m.weight || !m.near_s || !m.less_ns || !m.rest_ns || !m.order ||
	    !m.place)
		err_set(err, "out of memory for the matrix of %u ranks", b->t->n_ranks);
	else {
		m.extra_s = m.near_s + b->n_prices;
		m.take_s = m.extra_s + b->n_prices;
		ret = look(&m, out, err);
	}
	free(m.place);
	free(m.order);
	table_free(m.rest_ns);
	table_free(m.less_ns);
	table_free(m.near_s);
	free(m.weight);
	free(m.first);
	free(m.node);
	return ret;
}
