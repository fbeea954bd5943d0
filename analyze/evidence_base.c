/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/evidence_base.h"

#include "analyze/flights.h"
#include "analyze/idmap.h"

#include <stdlib.h>

struct idle_price evidence_price_of(const struct evidence_base *b, uint32_t src, uint32_t dst,
				    double bytes)
{
	enum locality class = machine_locality(b->t, src, dst);
	const struct machine_class *c = &b->machine->classes[class];
	struct idle_price p = {.class = class, .known = c->n > 0};

	p.is_held_back = src != dst && bytes > c->eager_bytes;
	if (p.known) {
		p.at = plogp_at((struct plogp){c->L_s, c->n, c->points}, bytes);
		p.L_s = machine_latency_s(c, bytes);
	}
	p.at.bytes = bytes;
	return p;
}

/* Number the prices: messages with as many bytes on a way of the same kind have the same. */
static int find_prices(struct evidence_base *b)
{
	struct idmap known = {0};
	uint32_t room = 0;
	int ret = -1;

	for (uint32_t i = 0; i < b->m->n; i++) {
		const struct message *x = &b->m->m[i];
		unsigned way = x->src == x->dst ? 2 : machine_locality(b->t, x->src, x->dst);
		uint64_t id = x->bytes << 2 | way;
		uint32_t *price = &b->message[i].price;

		*price = idmap_find(&known, id);
		if (*price != IDMAP_NONE)
			continue;
		if (b->n_prices == room) {
			struct idle_price *more;

			room = 2 * room + 64;
			more = reallocarray(b->prices, room, sizeof(*more));
			if (!more)
				goto out;
			b->prices = more;
		}
		if (idmap_set(&known, id, b->n_prices))
			goto out;
		b->prices[b->n_prices] = evidence_price_of(b, x->src, x->dst, (double)x->bytes);
		*price = b->n_prices++;
	}
	ret = 0;
out:
	idmap_release(&known);
	return ret;
}

int evidence_find(struct evidence_base *b, struct err *err)
{
	b->wall_s = b->t->wall_ns * 1e-9;
	b->rank_time_s = b->t->wall_ns * 1e-9 * b->t->n_ranks;
	if (senders_init(&b->senders, b->t, b->m, err))
		goto fail;
	b->message = calloc((size_t)b->m->n + 1, sizeof(*b->message));
	if (!b->message || find_prices(b)) {
		err_set(err, "out of memory for the prices of %u messages", b->m->n);
		goto fail;
	}
	for (uint32_t i = 0; i < b->m->n; i++) {
		messages_fetch(b->t, b->m, i);
		b->message[i].flown_ns = flights_end_ns(b->t, b->m, b->a, i);
	}
	return 0;
fail:
	evidence_release(b);
	return -1;
}

void evidence_release(struct evidence_base *b)
{
	free(b->prices);
	free(b->message);
	senders_release(&b->senders);
	b->prices = NULL;
	b->message = NULL;
}
