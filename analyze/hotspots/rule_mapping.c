/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Not contention: ranks that talk most sit on different nodes. With the machine's costs of a
 * message within and between nodes, another order of the ranks over the same places is
 * sought (rank_order.c); what it saves is mapping.c's.
 */
#include "analyze/hotspots/rules.h"

#include <math.h>
#include <stdio.h>

#include "analyze/gains/mapping.h"

#define LESS_MIN 0.1 /* of the cost between nodes: a smaller gain is not worth a new order */

static int report(struct mapping *m, struct findings *out, struct err *err)
{
	const struct evidence_base *b = m->b;
	struct hotspot h = {.kind = "mapping", .rank = TRACE_NONE};
	uint32_t moved = 0;

	for (uint32_t i = 0; i < m->x.ranks; i++)
		moved += m->order[i] != i;
	h.site = b->t->calls[m->site_call].site;
	h.region = b->t->calls[m->site_call].region;
	if (mapping_save(m, &h.saves_mid_s, &h.saves_high_s, err))
		return -1;
	h.saves_mid_s = fmax(0, h.saves_mid_s);
	h.saves_high_s = fmax(0, h.saves_high_s);
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
	double now_s = rank_order_cost(&m->x, NULL);

	if (rank_order_find(&m->x, m->order, err))
		return -1;
	if (rank_order_cost(&m->x, m->order) > (1 - LESS_MIN) * now_s)
		return 0;
	if (mapping_weigh(m, err))
		return -1;
	return m->then < (1 - LESS_MIN) * m->now ? report(m, out, err) : 0;
}

int rule_mapping(const struct evidence_base *b, struct findings *out, struct err *err)
{
	struct mapping m;
	int ret = 0;

	if (b->t->n_ranks < 3 || b->t->n_ranks > MAPPING_RANKS || b->m->n == 0)
		return 0;
	if (mapping_init(&m, b, err))
		return -1;
	if (mapping_has_choice(&m))
		ret = look(&m, out, err);
	mapping_release(&m);
	return ret;
}
