/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/gains/mapping.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/gains/node_ports.h"
#include "analyze/gains/retime.h"
#include "common/table.h"

#define ROUNDS 6 /* until waits and when ranks come to them agree */

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

static int is_apart(const struct mapping *m, const struct message *x)
{
	return m->node[x->src] != m->node[x->dst];
}

static int is_apart_then(const struct mapping *m, const struct message *x)
{
	return m->node[m->place[x->src]] != m->node[m->place[x->dst]];
}

/* What taking such a message costs, and its way if nobody is in it; 0 where that is not known. */
static double taking_s(const struct machine_class *c, double bytes)
{
	return c->n ? plogp_at((struct plogp){c->L_s, c->n, c->points}, bytes).o_r_s : 0;
}

static double port_s(const struct machine_class *c, double bytes)
{
	return c->n ? plogp_at((struct plogp){c->L_s, c->n, c->points}, bytes).g_s : 0;
}

static double way_s(const struct machine_class *c, double bytes)
{
	if (!c->n)
		return 0;
	return machine_latency_s(c, bytes) + port_s(c, bytes) - taking_s(c, bytes);
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
		m->port_s[k] = port_s(&c[LOCALITY_NETWORK], bytes);
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

int mapping_weigh(struct mapping *m, struct err *err)
{
	const struct messages *all = m->b->m;
	double *by_key = calloc(trace_places(m->b->t) + 1u, sizeof(*by_key));

	if (!by_key)
		return err_set(err, "out of memory for %u call sites", trace_places(m->b->t));
	m->bytes = m->now = m->then = m->site_bytes = 0;
	for (uint32_t i = 0; i < m->x.ranks; i++)
		m->place[m->order[i]] = i;
	for (uint32_t i = 0; i < all->n; i++) {
		const struct message *x = &all->m[i];
		int apart = is_apart(m, x), then = is_apart_then(m, x);
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
	int apart = is_apart(m, x);
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

	if (!is_apart(m, x))
		return likely_ns(m, i, then);
	if (then)
		all_ns -= m->extra_s[m->b->a->sizes.of[i]] * 1e9;
	if (!then)
		return fmax(all_ns, 0);
	return m->now > 0 ? fmax(all_ns, 0) * fmax(0, 1 - m->then / m->now) : 0;
}

/* Taking a message within a node costs less, too; taking one that leaves it then, more. */
static double taken_sooner_ns(const struct mapping *m, uint32_t i, int then)
{
	const struct message *x = &m->b->m->m[i];
	int apart = is_apart(m, x);

	return (apart - then) * m->take_s[m->b->a->sizes.of[i]] * 1e9;
}

/*
 * wait_ns: and what one that goes between nodes then, and does not now, waits there; NULL: nothing.
 */
static int save(struct mapping *m, double (*gain_ns)(const struct mapping *, uint32_t, int),
		const int64_t *wait_ns, double *saved_s, struct err *err)
{
	struct retime x = {.less_ns = m->less_ns, .rest_ns = m->rest_ns, .sooner_ns = m->sooner_ns};

	memset(m->rest_ns, 0, m->b->t->n_calls * sizeof(*m->rest_ns));
	for (uint32_t i = 0; i < m->b->m->n; i++) {
		const struct message *one = &m->b->m->m[i];
		int then = is_apart_then(m, one);

		m->rest_ns[one->recv_done] += (int64_t)taken_sooner_ns(m, i, then);
		m->less_ns[i] = (int64_t)fmin(gain_ns(m, i, then), retime_way_ns(m->b, i));
		if (wait_ns && !is_apart(m, one))
			m->less_ns[i] -= wait_ns[i];
	}
	return retime_change(m->b, &x, saved_s, err);
}

int mapping_save_queueing(struct mapping *m, double *saved_s, struct err *err)
{
	struct node_ports p = {m->x.nodes, m->node, m->place, m->port_s};

	for (int k = 0; k < ROUNDS; k++) {
		if (node_ports_wait(m->b, &p, m->sooner_ns, m->tried_ns, err))
			return -1;
		for (uint32_t i = 0; i < m->b->m->n; i++)
			m->wait_ns[i] = (m->wait_ns[i] + m->tried_ns[i]) / 2;
		if (save(m, likely_ns, m->wait_ns, saved_s, err))
			return -1;
	}
	return 0;
}

int mapping_save(struct mapping *m, double *likely_s, double *most_s, struct err *err)
{
	if (save(m, most_ns, NULL, most_s, err) || save(m, likely_ns, NULL, likely_s, err))
		return -1;
	*most_s = fmax(*likely_s, *most_s);
	return 0;
}

int mapping_has_choice(const struct mapping *m)
{
	return m->x.nodes > 1 && m->x.nodes < m->x.ranks;
}

int mapping_init(struct mapping *m, const struct evidence_base *b, struct err *err)
{
	size_t ranks = b->t->n_ranks;

	*m = (struct mapping){.b = b};
	m->node = calloc(ranks, sizeof(*m->node));
	m->first = calloc(ranks, sizeof(*m->first));
	m->weight = calloc(ranks * ranks, sizeof(*m->weight));
	m->near_s = table_calloc(4 * (b->n_prices + 1u), sizeof(*m->near_s));
	m->wait_ns = table_calloc(2 * (b->m->n + (size_t)1), sizeof(*m->wait_ns));
	m->tried_ns = m->wait_ns + b->m->n;
	m->sooner_ns = table_calloc(b->t->n_calls + (size_t)1, sizeof(*m->sooner_ns));
	m->rest_ns = table_calloc(b->t->n_calls + 1u, sizeof(*m->rest_ns));
	m->less_ns = table_calloc(b->m->n, sizeof(*m->less_ns));
	m->order = calloc(ranks, sizeof(*m->order));
	m->place = calloc(ranks, sizeof(*m->place));
	if (!m->node || !m->first || !m->weight || !m->near_s || !m->less_ns || !m->rest_ns ||
	    !m->wait_ns || !m->sooner_ns || !m->order || !m->place) {
		mapping_release(m);
		return err_set(err, "out of memory for the matrix of %u ranks", b->t->n_ranks);
	}
	m->x = (struct rank_order){.ranks = b->t->n_ranks, .node = m->node, .weight = m->weight};
	m->extra_s = m->near_s + b->n_prices;
	m->take_s = m->extra_s + b->n_prices;
	m->port_s = m->take_s + b->n_prices;
	number_nodes(m);
	if (mapping_has_choice(m))
		fill_matrix(m);
	return 0;
}

void mapping_release(struct mapping *m)
{
	free(m->place);
	free(m->order);
	table_free(m->sooner_ns);
	table_free(m->wait_ns);
	table_free(m->rest_ns);
	table_free(m->less_ns);
	table_free(m->near_s);
	free(m->weight);
	free(m->first);
	free(m->node);
}
