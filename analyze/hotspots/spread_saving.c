/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/hotspots/spread_saving.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/gains/end_costs.h"
#include "analyze/gains/retime.h"
#include "analyze/gains/taken_turns.h"
#include "analyze/tools/instants.h"
#include "common/table.h"

/* What the others are the reason for, on the way of a message; of it, what only may be that. */
#define ON_THE_WAY \
	(1u << COST_receiver_port | 1u << COST_network_contention | 1u << COST_back_pressure)
#define PERHAPS (1u << COST_not_identifiable)

/* What a message seems late for that came long before its call ended. */
#define LATE (ON_THE_WAY | PERHAPS | 1u << COST_sender_port)

/*
 * Each finding takes two passes over all calls: so many, and one of all ranks, whatever their
 * number.
 */
#define ALONE_MOST 3
#define ALIKE      1.25 /* all together save so much more than one by one */

/* Did a call wait, at most, for sends to those ranks, and for nothing else? */
enum freed {
	FREED_NOT,
	FREED_KNOWN,  /* they wait for their receives: what else it waited for is told by that */
	FREED_PERHAPS /* it is not known whether they do */
};

struct spread {
	const struct evidence_base *b;
	int64_t *less_ns;         /* per message: its way is so much shorter */
	int64_t *rest_ns;         /* per call: and so is its handling */
	uint32_t *theirs;         /* per rank: what it sends to those ranks, */
	uint32_t *sends;          /* and in all; both are messages */
	uint8_t *freed;           /* per call, enum freed */
	struct taken_turns turns; /* of the rank at work */
};

static int by_caused(const void *a, const void *b)
{
	const struct spread_part *x = a, *y = b;

	if (x->caused_s != y->caused_s)
		return x->caused_s < y->caused_s ? 1 : -1;
	return (x->dst > y->dst) - (x->dst < y->dst);
}

/* How many of n ranks are a finding each, which are the first then, most caused first. */
static uint32_t put_first(struct spread_part *part, uint32_t n)
{
	qsort(part, n, sizeof(*part), by_caused);
	return n <= ALONE_MOST + 1 ? n : ALONE_MOST; /* the last takes no more than all would */
}

/*
 * Message i waits as much less as others are left away; if they are taken in turns, others wait
 * for it as much less, too: its own passage through the receiver's port is shorter.
 */
static int64_t shorter_ns(const struct spread *x, const struct spread_part *part, uint32_t i)
{
	const struct evidence_base *b = x->b;
	uint32_t first = b->m->by_dst[part->dst], n = b->m->by_dst[part->dst + 1] - first;
	int64_t ns = slices_sum(&b->a->message, i, ON_THE_WAY);

	if (taken_turns_has(&x->turns, i - first, n))
		ns += earlier((int64_t)(evidence_price(b, i)->at.g_s * 1e9),
			      slices_part(&b->a->message, i, COST_wire));
	return (int64_t)((1 - part->left) * (double)ns);
}

/* May what message i seems to need for itself be contention that never lets up? */
static int is_untold(const struct evidence_base *b, uint32_t i)
{
	return machine_is_of_crowds(b->machine, &b->machine->classes[evidence_price(b, i)->class]);
}

/* Of the overhead of sending message i what no processor needs. */
static int64_t untold_send_ns(const struct evidence_base *b, uint32_t i)
{
	int64_t needs_ns = (int64_t)(machine_slowest_handling_s(b->m->m[i].bytes) * 1e9);

	if (!is_untold(b, i))
		return 0;
	return later(0, slices_part(&b->a->message, i, COST_send_overhead) - needs_ns);
}

static int64_t untold_wire_ns(const struct evidence_base *b, uint32_t i)
{
	return is_untold(b, i) ? slices_part(&b->a->message, i, COST_wire) : 0;
}

/*
 * And at most for nothing, not for those that are left either, nor for what may be contention; an
 * even share of what it brings is its sender's own then.
 */
static int64_t shortest_ns(const struct spread *x, const struct spread_part *part, uint32_t i)
{
	const struct evidence_base *b = x->b;
	uint32_t first = b->m->by_dst[part->dst], n = b->m->by_dst[part->dst + 1] - first;
	int64_t waits_ns = slices_sum(&b->a->message, i, ON_THE_WAY | PERHAPS);
	int64_t wire_ns = slices_part(&b->a->message, i, COST_wire), turn_ns = 0, own_ns;

	if (taken_turns_has(&x->turns, i - first, n))
		turn_ns = (int64_t)((1 - part->left) * (double)(waits_ns + wire_ns));
	own_ns =
		(int64_t)((1 - part->left) * (double)(untold_send_ns(b, i) + untold_wire_ns(b, i)));
	own_ns = later(own_ns, wire_ns / b->t->n_ranks);
	return later(turn_ns, waits_ns + own_ns);
}

/* One rank's messages are shorter on their way, likely or at most. */
static void shorten(struct spread *x, const struct spread_part *part, int most,
		    const uint8_t *without)
{
	const struct evidence_base *b = x->b;

	taken_turns_find(&x->turns, b, part->dst);
	for (uint32_t i = b->m->by_dst[part->dst]; i < b->m->by_dst[part->dst + 1]; i++)
		if (!without || !without[b->m->m[i].place])
			x->less_ns[i] = earlier((most ? shortest_ns : shorter_ns)(x, part, i),
						retime_way_ns(b, i));
}

/*
 * At most nothing stands behind their messages in a sender's port: of what does, that share which
 * they are of its messages.
 */
static void ease_senders(struct spread *x, const struct spread_part *part, uint32_t n)
{
	const struct messages *m = x->b->m;

	memset(x->theirs, 0, x->b->t->n_ranks * sizeof(*x->theirs));
	memset(x->sends, 0, x->b->t->n_ranks * sizeof(*x->sends));
	for (uint32_t k = 0; k < n; k++)
		for (uint32_t i = m->by_dst[part[k].dst]; i < m->by_dst[part[k].dst + 1]; i++)
			x->theirs[m->m[i].src]++;
	for (uint32_t i = 0; i < m->n; i++)
		x->sends[m->m[i].src]++;
	for (uint32_t i = 0; i < m->n; i++)
		x->less_ns[i] = (int64_t)((double)x->theirs[m->m[i].src] / x->sends[m->m[i].src] *
					  slices_part(&x->b->a->message, i, COST_sender_port));
}

/* Its calls handle fewer. */
static void relieve(struct spread *x, const struct spread_part *part)
{
	const struct rank *r = &x->b->t->ranks[part->dst];

	for (uint32_t c = r->first_call; c < r->first_call + r->calls; c++)
		x->rest_ns[c] = (int64_t)((1 - part->left) *
					  slices_sum(&x->b->a->call, c, END_COST_HANDLING));
}

/*
 * At most who waited for a send there, which waits for its receive or may do so, waited for nothing
 * else.
 */
static void free_senders(struct spread *x, const struct spread_part *part)
{
	const struct evidence_base *b = x->b;

	for (uint32_t i = b->m->by_dst[part->dst]; i < b->m->by_dst[part->dst + 1]; i++) {
		const struct machine_class *c = &b->machine->classes[evidence_price(b, i)->class];
		uint32_t call = b->m->m[i].send_done;
		int64_t waits_ns;

		if (call == TRACE_NONE)
			continue;
		if (evidence_is_held(b, i)) {
			x->freed[call] = x->freed[call] ? x->freed[call] : FREED_KNOWN;
			continue;
		}
		if (!c->eager_assumed && !machine_is_open(c, b->m->m[i].bytes))
			continue;
		x->freed[call] = FREED_PERHAPS;
		waits_ns = slices_sum(&b->a->call, call, END_COST_HANDLING | ON_THE_WAY | PERHAPS);
		x->rest_ns[call] = later(x->rest_ns[call], waits_ns + untold_send_ns(b, i));
	}
}

/* What such a call took in besides may have come long before. */
static void free_receivers(struct spread *x)
{
	static const unsigned parts[] = {
		[FREED_NOT] = 0, [FREED_KNOWN] = PERHAPS, [FREED_PERHAPS] = LATE};
	const struct evidence_base *b = x->b;

	for (uint32_t i = 0; i < b->m->n; i++) {
		int64_t late_ns =
			slices_sum(&b->a->message, i, parts[x->freed[b->m->m[i].recv_done]]);

		x->less_ns[i] = later(x->less_ns[i], earlier(late_ns, retime_way_ns(b, i)));
	}
}

static int save_both(struct spread *x, const struct spread_part *part, uint32_t n,
		     const uint8_t *without, struct hotspot *h, struct err *err)
{
	struct retime how = {.less_ns = x->less_ns, .rest_ns = x->rest_ns};

	for (uint32_t k = 0; k < n; k++) {
		relieve(x, &part[k]);
		shorten(x, &part[k], 0, without);
	}
	if (retime_run(x->b, &how, &h->saves_mid_s, err))
		return -1;
	ease_senders(x, part, n);
	for (uint32_t k = 0; k < n; k++) {
		shorten(x, &part[k], 1, without);
		free_senders(x, &part[k]);
	}
	free_receivers(x);
	if (retime_run(x->b, &how, &h->saves_high_s, err))
		return -1;
	h->saves_high_s = fmax(h->saves_mid_s, h->saves_high_s);
	return 0;
}

static int save(const struct evidence_base *b, const struct spread_part *part, uint32_t n,
		const uint8_t *without, struct hotspot *h, struct err *err)
{
	struct spread x = {.b = b};
	int ret = -1;

	x.less_ns = table_calloc((size_t)b->m->n + 1, sizeof(*x.less_ns));
	x.rest_ns = table_calloc((size_t)b->t->n_calls + 1, sizeof(*x.rest_ns));
	x.theirs = calloc((size_t)b->t->n_ranks + 1, sizeof(*x.theirs));
	x.sends = calloc((size_t)b->t->n_ranks + 1, sizeof(*x.sends));
	x.freed = table_calloc((size_t)b->t->n_calls + 1, 1);
	if (!x.freed || !x.less_ns || !x.rest_ns || !x.theirs || !x.sends)
		err_set(err, "out of memory for %u messages", b->m->n);
	else if (!taken_turns_init(&x.turns, b, err))
		ret = save_both(&x, part, n, without, h, err);
	taken_turns_release(&x.turns);
	table_free(x.freed);
	free(x.sends);
	free(x.theirs);
	table_free(x.rest_ns);
	table_free(x.less_ns);
	return ret;
}

static int add(const struct evidence_base *b, const struct spread_part *part, uint32_t n,
	       struct hotspot *h, struct findings *out, struct err *err)
{
	h->rank = n == 1 ? part->dst : TRACE_NONE;
	if (n > 1) {
		h->about = calloc(b->t->n_ranks, 1);
		if (!h->about)
			return err_set(err, "out of memory for %u ranks", b->t->n_ranks);
		for (uint32_t k = 0; k < n; k++)
			h->about[part[k].dst] = 1;
	}
	if (!findings_add(out, h, err))
		return 0;
	free(h->about);
	return -1;
}

int spread_saving_find(const struct evidence_base *b, struct spread_part *part, uint32_t n,
		       const uint8_t *without, spread_describe *describe, void *rule,
		       struct findings *out, struct err *err)
{
	uint32_t alone = put_first(part, n);
	struct hotspot h;
	double each_s = 0;

	for (uint32_t k = 0; k < alone; k++) {
		h = (struct hotspot){0};
		describe(rule, &part[k], 1, &h);
		if (save(b, &part[k], 1, without, &h, err) || add(b, &part[k], 1, &h, out, err))
			return -1;
		each_s += h.saves_mid_s;
	}
	if (n < 2)
		return 0;
	h = (struct hotspot){0};
	describe(rule, part, n, &h);
	if (save(b, part, n, without, &h, err))
		return -1;
	return alone < n || h.saves_mid_s > ALIKE * each_s ? add(b, part, n, &h, out, err) : 0;
}
