/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/gains/evidence_base.h"

#include "analyze/gains/retime_order.h"
#include "analyze/tools/instants.h"
#include "common/table.h"

static struct idle_price price_at(const struct evidence_base *b, const struct size *x, double bytes)
{
	const struct machine_class *c = &b->machine->classes[x->class];
	struct idle_price p = {.class = x->class, .known = c->n > 0};

	p.is_held_back = !x->is_to_self && bytes > c->eager_bytes;
	if (p.known) {
		p.at = plogp_at((struct plogp){c->L_s, c->n, c->points}, bytes);
		p.L_s = machine_latency_s(c, bytes);
	}
	p.at.bytes = bytes;
	return p;
}

struct idle_price evidence_price_of(const struct evidence_base *b, uint32_t src, uint32_t dst,
				    double bytes)
{
	struct size x = {.class = machine_locality(b->t, src, dst), .is_to_self = src == dst};

	return price_at(b, &x, bytes);
}

double evidence_way_s(const struct idle_price *p)
{
	double s = p->L_s + p->at.g_s - p->at.o_s_s - p->at.o_r_s;

	return s > 0 ? s : 0;
}

static int find_prices(struct evidence_base *b)
{
	const struct sizes *s = &b->a->sizes;

	b->prices = table_calloc((size_t)s->n + 1, sizeof(*b->prices));
	if (!b->prices)
		return -1;
	b->n_prices = s->n;
	for (uint32_t k = 0; k < s->n; k++)
		b->prices[k] = price_at(b, &s->size[k], (double)s->size[k].bytes);
	return 0;
}

int evidence_find(struct evidence_base *b, struct err *err)
{
	b->wall_s = b->t->wall_ns * 1e-9;
	b->rank_time_s = b->t->wall_ns * 1e-9 * b->t->n_ranks;
	if (senders_init(&b->senders, b->t, b->m, b->a->by_send, err))
		return -1;
	b->orderer = retime_order_new();
	if (b->orderer && !find_prices(b))
		return 0;
	evidence_release(b);
	return err_set(err, "out of memory for the prices of %u messages", b->m->n);
}

void evidence_release(struct evidence_base *b)
{
	retime_order_free(b->orderer);
	b->orderer = NULL;
	table_free(b->prices);
	senders_release(&b->senders);
	b->prices = NULL;
}

int64_t evidence_own_after_ns(const struct trace *t, uint32_t call)
{
	const struct rank *r = &t->ranks[t->calls[call].rank];

	return call + 1 < r->first_call + r->calls
		       ? later(0, t->calls[call + 1].enter_ns - t->calls[call].leave_ns)
		       : 0;
}
