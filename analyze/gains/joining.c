/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/gains/joining.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/gains/burst.h"
#include "analyze/gains/end_costs.h"
#include "analyze/gains/joined_price.h"
#include "analyze/gains/retime.h"
#include "analyze/tools/instants.h"
#include "common/table.h"

/* What it may do for them besides its overheads, where it is not known what longer ones take. */
#define PERHAPS (1u << COST_sender_port | 1u << COST_not_identifiable)

/* The messages of the burst at work to one destination. */
struct pile {
	uint32_t n;
	struct joined_costs all;
	uint32_t first;   /* the message; */
	uint32_t last;    /* the one that is sent last, */
	uint32_t carrier; /* and which of these two will be all of them */
	int64_t last_ns;
	double send_left, receive_left; /* shares of their overheads that are left, */
	double sooner_s, most_s;        /* than its last message all are there; and at most; */
	unsigned doing;                 /* parts of their calls that are for one only, then */
	int64_t there_ns;               /* all of them, if its sends began when they did */
	struct idle_price one;          /* that would be all of them */
};

/*
 * What the messages of a place are looked at for: the sums, or a replay of what is saved; as if
 * nobody wanted the first ones before the last one, too.
 */
enum aim { SUMS, AT_ONCE, LIKELY, MOST };

struct joining {
	const struct evidence_base *b;
	struct pile *pile; /* per destination */
	uint32_t *touched; /* destinations of the burst */
	uint32_t n_touched;
	enum aim aim;
	int64_t *less_ns; /* for the replay, per message: it is there so much sooner, */
	int64_t *rest_ns; /* and per call: so much less overhead, */
	int64_t *own_ns;  /* and time before it; for the most */
	/* Their sender's, which the joined messages of the burst at work pass. */
	struct joined_port port;
	double relief_s; /* so much less than the short ones they need it, all together */
	double *port_s; /* that ports still need: each rank's for what it sends, for what it gets */
	struct joining_sums sums;
};

static void put_on(const struct evidence_base *b, struct pile *p, uint32_t i)
{
	joined_costs_add(&p->all, b, i);
	p->last_ns = later(p->last_ns, b->m->m[i].done_ns);
}

/* One message alone has nothing to be joined with: it counts when another one comes. */
static void add(struct joining *j, uint32_t i)
{
	uint32_t dst = j->b->m->m[i].dst;
	struct pile *p = &j->pile[dst];

	if (!p->n++) {
		j->touched[j->n_touched++] = dst;
		p->first = i;
		return;
	}
	if (p->n == 2)
		put_on(j->b, p, p->first);
	put_on(j->b, p, i);
	p->last = i;
}

/* At most a longer one takes what one of them does, and each what a message without bytes may. */
static void leave_open(struct joining_sums *s, const struct pile *p)
{
	double took_s = p->all.g_s + p->all.send_s + p->all.receive_s;

	s->open_messages += p->n;
	s->open_bursts++;
	s->open_s += fmin((1 - 1.0 / p->n) * took_s, (p->n - 1) * machine_slowest_handling_s(0));
}

/*
 * How much sooner that message is there which is all of them, and at most. The first one takes as
 * much longer as its port does; it does not wait for the others.
 */
static void find_sooner(struct joining *j, struct pile *p, const struct idle_price *one,
			double own_s)
{
	const struct evidence_base *b = j->b;

	if (p->carrier == p->first) {
		p->sooner_s = -fmax(one->at.g_s - p->all.g_s / p->n, 0);
		p->most_s = joined_price_is_sure(b, one) ? p->sooner_s : 0;
		return;
	}
	joined_port_pass(&j->port, b, p->last, one);
	p->sooner_s = joined_price_waited_s(b, p->last, one, one->at.g_s) - j->port.behind_s;
	p->sooner_s = fmin(own_s, p->sooner_s);
	p->most_s = joined_price_waited_s(b, p->last, one, p->all.g_s / p->n);
	if (joined_price_is_sure(b, one))
		p->most_s = fmin(own_s, p->most_s - j->port.behind_least_s);
}

/*
 * What one message to each destination of the burst costs; and what their sender's port to the
 * network then has less to do.
 */
static void price_piles(struct joining *j, int across)
{
	j->relief_s = 0;
	for (uint32_t k = 0; k < j->n_touched; k++) {
		uint32_t dst = j->touched[k];
		struct pile *p = &j->pile[dst];

		if (p->n < 2)
			continue;
		p->one = joined_price(j->b, j->b->m->m[p->first].src, dst, p->all.bytes);
		if (p->one.class == LOCALITY_NETWORK &&
		    joined_is_worth_it(&p->all, &p->one, across))
			j->relief_s += fmax(p->all.g_s - p->one.at.g_s, 0);
	}
}

/* The burst is over: what would one message to each destination have saved? */
static void join(struct joining *j, uint32_t dst, int across)
{
	struct pile *p = &j->pile[dst];
	uint32_t src = j->b->m->m[p->first].src;
	const struct idle_price one = p->one;
	double left = 1 - 1.0 / p->n;
	double send_s = p->all.send_s * left, receive_s = p->all.receive_s * left, port_s, own_s;
	int64_t first_ns = j->b->m->m[p->first].sent_ns;

	if (one.known && !joined_price_is_sure(j->b, &one))
		leave_open(&j->sums, p);
	if (one.known && !joined_is_worth_it(&p->all, &one, across)) {
		p->n = 0;
		return;
	}
	port_s = fmin(p->all.g_s - one.at.g_s,
		      (p->last_ns - first_ns) * 1e-9 - one.L_s - one.at.g_s);
	/* A longer message's own overhead may be more than a short one's. */
	send_s = fmin(send_s, fmax(p->all.send_s - one.at.o_s_s, 0));
	receive_s = fmin(receive_s, fmax(p->all.receive_s - one.at.o_r_s, 0));
	p->send_left = p->all.send_s > 0 ? 1 - send_s / p->all.send_s : 1;
	p->receive_left = p->all.receive_s > 0 ? 1 - receive_s / p->all.receive_s : 1;
	own_s = fmax(one.class == LOCALITY_NETWORK ? j->relief_s : port_s, 0) + receive_s;
	p->carrier = across ? p->first : p->last;
	find_sooner(j, p, &one, own_s);
	p->doing = END_COST_HANDLING | 1u << COST_send_overhead;
	if (!joined_price_is_sure(j->b, &one))
		p->doing |= PERHAPS;
	/* It passes the port when all of it is there; most of the short ones did meanwhile. */
	send_s = fmax(send_s - fmax(one.at.g_s - p->all.g_s / p->n, 0), 0);
	j->port_s[2 * src] += joined_price_port_s(j->b, &one);
	j->port_s[2 * dst + 1] += joined_price_port_s(j->b, &one);
	j->sums.messages += p->n;
	j->sums.bytes += p->all.bytes;
	j->sums.joined++;
	j->sums.across += across ? p->n : 0;
	j->sums.overhead_s += send_s + receive_s;
	j->sums.port_s += fmax(port_s, 0);
}

/* Of such calls that share is not made: whatever it does beside waiting for others. */
static void spare(struct joining *j, uint32_t call, double share)
{
	const struct call *c = &j->b->t->calls[call];

	j->rest_ns[call] =
		later(j->rest_ns[call], (int64_t)(share * (double)(c->leave_ns - c->enter_ns)));
}

/*
 * A message of the burst: one to its destination is all of them, the others are not sent.
 */
static void replace(struct joining *j, uint32_t i)
{
	const struct evidence_base *b = j->b;
	const struct message *x = &b->m->m[i];
	const struct pile *p = &j->pile[x->dst];
	double sent = 1 - p->send_left, taken = 1 - p->receive_left;

	j->less_ns[i] = i == p->carrier ? (int64_t)(p->sooner_s * 1e9) : retime_way_ns(b, i);
	j->rest_ns[x->send_call] += (int64_t)(1e9 * sent * end_cost_sending_s(b, i));
	j->rest_ns[x->recv_call == TRACE_NONE ? x->recv_done : x->recv_call] +=
		(int64_t)(1e9 * taken * end_cost_posting_s(b, i));
	if (p->carrier == p->first)
		spare(j, x->recv_done, 1 - 1.0 / p->n);
	else
		j->rest_ns[x->recv_done] += (int64_t)(1e9 * taken * end_cost_taking_s(b, i));
}

/*
 * At most their calls do as little as for one of them, whatever else they did; without a core they
 * may have done anything. Nor are those that are not made got ready for.
 */
static void remove_all(struct joining *j, uint32_t i)
{
	const struct evidence_base *b = j->b;
	const struct message *x = &b->m->m[i];
	const struct pile *p = &j->pile[x->dst];
	const uint32_t with[] = {x->send_call, x->send_done, x->recv_call, x->recv_done};
	double share = 1 - 1.0 / p->n;

	j->less_ns[i] = i == p->carrier ? (int64_t)(p->most_s * 1e9) : retime_way_ns(b, i);
	for (size_t k = 0; k < sizeof(with) / sizeof(*with); k++) {
		uint32_t call = with[k];

		if (call == TRACE_NONE)
			continue;
		if (call > b->t->ranks[b->t->calls[call].rank].first_call)
			j->own_ns[call] =
				(int64_t)(share *
					  (double)earlier(evidence_own_after_ns(b->t, call - 1),
							  BURST_GAP_NS));
		if (trace_lacks_core(b->t, b->t->calls[call].rank))
			spare(j, call, share);
		else
			j->rest_ns[call] =
				later(j->rest_ns[call],
				      (int64_t)(share * slices_sum(&b->a->call, call, p->doing)));
	}
}

/*
 * What came before the last one comes with it then: who worked on that meanwhile waits. What its
 * sender waits for is just not sent.
 */
static void wait_for_last(struct joining *j, uint32_t first, uint32_t end)
{
	const struct evidence_base *b = j->b;
	int64_t spared_ns = 0; /* by its sends from here on */
	uint32_t send = TRACE_NONE;

	for (uint32_t k = end; k-- > first;) {
		uint32_t i = b->senders.message[k];
		struct pile *p = &j->pile[b->m->m[i].dst];

		if (p->n < 2)
			continue;
		if (b->m->m[i].send_call != send)
			spared_ns += j->rest_ns[b->m->m[i].send_call];
		send = b->m->m[i].send_call;
		if (i == p->last)
			p->there_ns = b->a->arrival_ns[i] - j->less_ns[i] + spared_ns;
		else if (!evidence_is_held(b, i))
			j->less_ns[i] = earlier(j->less_ns[i],
						b->a->arrival_ns[i] + spared_ns - p->there_ns);
	}
}

/* The burst that begins with place first of the senders' list is over. */
static void settle(struct joining *j, uint32_t first, const struct burst *burst)
{
	const struct evidence_base *b = j->b;

	j->port = joined_port_free();
	price_piles(j, burst->across);
	/* What is joined is sent with its last one: so they pass the port in the order of these. */
	for (uint32_t k = first; k < burst->end; k++) {
		const struct pile *p = &j->pile[b->m->m[b->senders.message[k]].dst];

		if (p->n >= 2 && p->last == b->senders.message[k])
			join(j, b->m->m[p->last].dst, burst->across);
	}
	for (uint32_t k = first; j->aim != SUMS && k < burst->end; k++) {
		uint32_t i = b->senders.message[k];

		if (j->pile[b->m->m[i].dst].n >= 2)
			(j->aim == MOST ? remove_all : replace)(j, i);
	}
	if (j->aim > AT_ONCE && !burst->across)
		wait_for_last(j, first, burst->end);
	for (uint32_t k = 0; k < j->n_touched; k++)
		memset(&j->pile[j->touched[k]], 0, sizeof(*j->pile));
	j->n_touched = 0;
}

/* Sum up what the messages of a place would save, and what is replayed, if that is wanted. */
static void weigh_place(struct joining *j, uint32_t key, enum aim aim)
{
	const struct evidence_base *b = j->b;
	uint32_t end = b->senders.at[key + 1];
	struct burst burst = {0};

	j->aim = aim;
	memset(&j->sums, 0, sizeof(j->sums));
	memset(j->port_s, 0, 2 * b->t->n_ranks * sizeof(*j->port_s));
	for (uint32_t first = b->senders.at[key]; first < end; first = burst.end) {
		burst = burst_at(b, first, end, burst.refused);
		for (uint32_t k = first; k < burst.end; k++)
			add(j, b->senders.message[k]);
		settle(j, first, &burst);
	}
}

static int replay(struct joining *j, uint32_t key, enum aim aim, double *saved_s, struct err *err)
{
	const struct evidence_base *b = j->b;
	struct retime joined = {.less_ns = j->less_ns,
				.rest_ns = j->rest_ns,
				.own_ns = aim == MOST ? j->own_ns : NULL};

	memset(j->less_ns, 0, b->m->n * sizeof(*j->less_ns));
	memset(j->rest_ns, 0, b->t->n_calls * sizeof(*j->rest_ns));
	if (aim == MOST)
		memset(j->own_ns, 0, b->t->n_calls * sizeof(*j->own_ns));
	weigh_place(j, key, aim);
	return retime_run(b, &joined, saved_s, err);
}

struct joining_sums joining_sum(struct joining *j, uint32_t key)
{
	weigh_place(j, key, SUMS);
	return j->sums;
}

/* The run takes at least what the busiest port still needs. */
static double most_s(const struct joining *j)
{
	double needs_s = 0;

	for (uint32_t k = 0; k < 2 * j->b->t->n_ranks; k++)
		needs_s = fmax(needs_s, j->port_s[k]);
	return fmax(j->b->wall_s - needs_s, 0);
}

int joining_save(struct joining *j, uint32_t key, struct joining_saving *out, struct err *err)
{
	double at_once_s, spared_s;

	if (replay(j, key, AT_ONCE, &at_once_s, err) || replay(j, key, MOST, &out->most_s, err) ||
	    replay(j, key, LIKELY, &out->likely_s, err))
		return -1;
	spared_s = fmin(j->sums.overhead_s / j->b->t->n_ranks, j->b->wall_s);
	out->likely_s = fmax(out->likely_s, spared_s - (at_once_s - out->likely_s));
	out->likely_s = fmin(out->likely_s, most_s(j));
	out->most_s = fmin(fmax(out->likely_s, out->most_s), most_s(j));
	return 0;
}

struct joining *joining_new(const struct evidence_base *b, struct err *err)
{
	struct joining *j = calloc(1, sizeof(*j));
	size_t ranks = b->t->n_ranks + 1u;

	if (j) {
		j->b = b;
		j->pile = calloc(ranks, sizeof(*j->pile));
		j->touched = calloc(ranks, sizeof(*j->touched));
		j->less_ns = table_calloc(b->m->n + 1u, sizeof(*j->less_ns));
		j->rest_ns = table_calloc(b->t->n_calls + 1u, sizeof(*j->rest_ns));
		j->port_s = calloc(2 * ranks, sizeof(*j->port_s));
		j->own_ns = table_calloc(b->t->n_calls + 1u, sizeof(*j->own_ns));
		if (j->pile && j->touched && j->less_ns && j->rest_ns && j->own_ns && j->port_s)
			return j;
	}
	joining_free(j);
	err_set(err, "out of memory for %u messages", b->m->n);
	return NULL;
}

void joining_free(struct joining *j)
{
	if (!j)
		return;
	table_free(j->own_ns);
	table_free(j->rest_ns);
	table_free(j->less_ns);
	free(j->port_s);
	free(j->touched);
	free(j->pile);
	free(j);
}
