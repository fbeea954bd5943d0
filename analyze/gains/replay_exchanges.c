/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/gains/replay_exchanges.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/flow/gathering.h"
#include "analyze/tools/find_first.h"
#include "analyze/tools/instants.h"
#include "common/table.h"

#define REPLAYED_MESSAGES 60000 /* about so many; the first exchanges */
#define CREDITS           8     /* of eager messages, when nothing tells */

/* Of the calls that an exchange waits in: the rank's own doing; and of those between exchanges. */
#define OWN_WAITING (1u << COST_send_overhead | 1u << COST_receive_overhead)
#define OWN         (OWN_WAITING | 1u << COST_collective_transfer | 1u << COST_not_identifiable)

struct loader {
	const struct evidence_base *b;
	const struct episodes *e;
	struct replay_exchanges *x;
	uint32_t *at;    /* ranks + 1 offsets into e->e */
	uint8_t *apart;  /* per phase: somebody comes to it without meeting all others before */
	uint32_t phases; /* that are replayed */
	int64_t begin_ns, end_ns;
};

/* How many such eager messages a receiver takes that does not look: by K(m), where it is known. */
static uint32_t credits_for(const struct machine_class *c, uint64_t bytes)
{
	struct machine_credit k = machine_credit_at(c, bytes);

	if (c->n_credits == 0)
		return CREDITS;
	if (k.most != CREDIT_UNKNOWN)
		k.least += (k.most - k.least) / 2;
	return k.least > 0 ? k.least : 1;
}

/* One message as the replay sees it. Returns 0 when its class is not known or it goes nowhere. */
static int make_send(const struct evidence_base *b, uint32_t i, struct replay_send *out)
{
	const struct message *x = &b->m->m[i];
	const struct idle_price *p = evidence_price(b, i);
	const struct machine_class *c = &b->machine->classes[p->class];

	if (!p->known || x->src == x->dst)
		return 0;
	*out = (struct replay_send){.dst = x->dst,
				    .mode = REPLAY_EAGER,
				    .o_s = p->at.o_s_s,
				    .L_s = p->L_s,
				    .g_s = p->at.g_s,
				    .handshake_s = c->has_handshake ? c->handshake_s : p->L_s,
				    .credits = credits_for(c, x->bytes),
				    .is_begun =
					    trace_call_kind(b->t, x->send_call) == REGION_ISEND};
	if (p->is_held_back)
		out->mode = REPLAY_RENDEZVOUS;
	else if (evidence_is_held(b, i))
		out->mode = REPLAY_SYNCHRONOUS;
	return 1;
}

/* The rank's first turn that ends no sooner than ns, by its number; its turns: none does. */
static uint32_t turn_at(const struct loader *l, uint32_t rank, int64_t ns)
{
	uint32_t k = 0;

	FIND_FIRST(k, l->x->replay.rank[rank].turns, l->e->e[l->at[rank] + k].end_ns >= ns);
	return k;
}

/* What message i and its receiver wait for of each other. */
static void tie(const struct loader *l, uint32_t i, struct replay_send *send)
{
	const struct message *m = &l->b->m->m[i];
	const struct trace *t = l->b->t;
	const struct episode *e = l->e->e + l->at[m->dst];
	uint32_t turns = l->x->replay.rank[m->dst].turns, k;
	int64_t ns = t->calls[m->recv_done].leave_ns;

	k = turn_at(l, m->dst, ns);
	if (k < turns)
		send->until = ns > e[k].begin_ns ? k + 1 : k;
	if (send->mode == REPLAY_EAGER || !message_is_posted(t, m))
		return;
	ns = t->calls[m->recv_call].enter_ns;
	k = turn_at(l, m->dst, ns);
	if (k == turns)
		return;
	send->from = REPLAY_BEGUN(k);
	/* Posted soon after the exchange before; or when its rank began, before the first. */
	if (ns < e[k].begin_ns && (k == 0 || ns - e[k - 1].end_ns < e[k].begin_ns - ns))
		send->from = k > 0 ? REPLAY_ENDED(k - 1) : 0;
}

static int is_of_all(const struct evidence_base *b, uint32_t call)
{
	uint32_t k = call_collective(&b->t->calls[call]);

	return k != TRACE_NONE && !b->c->c[k].is_nonblocking &&
	       b->c->c[k].members == b->t->n_ranks &&
	       gathering_whom(b->t, &b->c->c[k], b->t->calls[call].rank) == WAITS_FOR_ALL;
}

/*
 * Of the time from then until then, what the rank itself does, and not in calls first to end - 1.
 */
static double own_s(const struct loader *l, uint32_t first, uint32_t end, int64_t from_ns,
		    int64_t until_ns, unsigned own_parts)
{
	const struct evidence_base *b = l->b;
	int64_t own_ns = until_ns - from_ns;

	for (uint32_t c = first; c < end && b->t->calls[c].enter_ns < until_ns; c++) {
		const struct call *x = &b->t->calls[c];

		if (x->enter_ns >= from_ns)
			own_ns -= later(0, x->leave_ns - x->enter_ns -
						   slices_sum(&b->a->call, c, own_parts));
	}
	return fmax(0, own_ns) * 1e-9;
}

static uint32_t send_call(const struct evidence_base *b, uint32_t k)
{
	return b->m->m[b->senders.message[k]].send_call;
}

/*
 * Until then the rank of an exchange goes on after its last send: the exchange ends, the rank waits
 * elsewhere or begins the next one. after: that one, or NULL.
 */
static int64_t goes_on_until_ns(const struct loader *l, const struct episode *e,
				const struct episode *after)
{
	const struct trace *t = l->b->t;
	uint32_t last = send_call(l->b, e->first + e->n - 1), c = last + 1, next;

	if (!after || e->end_ns > t->calls[last].leave_ns)
		return e->end_ns;
	next = send_call(l->b, after->first);
	while (c < next && !senders_waits(trace_call_kind(t, c)))
		c++;
	return c < next ? earlier(t->calls[c].enter_ns, after->begin_ns) : after->begin_ns;
}

/*
 * What the rank itself did between two exchanges, not what it waited for; and whether all met
 * meanwhile.
 */
static double own_between_s(const struct loader *l, const struct episode *before,
			    const struct episode *e, int *together)
{
	const struct evidence_base *b = l->b;
	uint32_t last = send_call(b, before->first + before->n - 1), next = send_call(b, e->first);

	*together = 0;
	for (uint32_t c = last + 1; c < next; c++)
		*together |= b->t->calls[c].enter_ns >= before->end_ns && is_of_all(b, c);
	return own_s(l, last + 1, next, goes_on_until_ns(l, before, e), e->begin_ns, OWN);
}

/* And in an exchange: before its message k, which another one of it is before. */
static double own_before_s(const struct loader *l, uint32_t k)
{
	uint32_t before = send_call(l->b, k - 1), next = send_call(l->b, k);
	const struct call *calls = l->b->t->calls;

	if (before >= next)
		return 0;
	return own_s(l, before + 1, next, calls[before].leave_ns, calls[next].enter_ns, OWN);
}

/* After its last send, until the rank waits or begins its next exchange; after: that, or NULL. */
static double rest_s(const struct loader *l, const struct episode *e, const struct episode *after)
{
	const struct trace *t = l->b->t;
	uint32_t last = send_call(l->b, e->first + e->n - 1);
	const struct rank *r = &t->ranks[e->rank];

	return own_s(l, last + 1, r->first_call + r->calls, t->calls[last].leave_ns,
		     goes_on_until_ns(l, e, after), OWN_WAITING);
}

/* The phases that have not too many messages together, one at least. Returns how many messages. */
static uint32_t choose_phases(struct loader *l, uint32_t *sends)
{
	const struct episodes *e = l->e;
	uint32_t n = 0, p;

	for (uint32_t k = 0; k < e->n; k++)
		sends[e->e[k].phase] += e->e[k].n;
	for (p = 0; p < e->phases && (p == 0 || n + sends[p] <= REPLAYED_MESSAGES); p++)
		n += sends[p];
	l->phases = p;
	return n;
}

/* Each rank's turns: its episodes of these phases. */
static void cut_turns(struct loader *l)
{
	struct replay *r = &l->x->replay;

	for (uint32_t k = 0; k < l->e->n; k++) {
		const struct episode *e = &l->e->e[k];

		l->at[e->rank + 1]++;
		if (e->phase >= l->phases)
			continue;
		r->rank[e->rank].turns++;
		l->begin_ns = earlier(l->begin_ns, e->begin_ns);
		l->end_ns = later(l->end_ns, e->end_ns);
	}
	for (uint32_t k = 0; k < r->ranks; k++) {
		l->at[k + 1] += l->at[k];
		r->rank[k].first = l->x->turns;
		l->x->turns += r->rank[k].turns;
	}
}

static void load_turn(struct loader *l, uint32_t rank, uint32_t k)
{
	struct replay_exchanges *x = l->x;
	const struct episode *e = &l->e->e[l->at[rank] + k];
	struct replay_turn *turn = &x->replay.turn[x->replay.rank[rank].first + k];
	int together = 0;

	turn->own_s =
		k > 0 ? own_between_s(l, e - 1, e, &together) : (e->begin_ns - l->begin_ns) * 1e-9;
	turn->together = together;
	l->apart[k] |= !together;
	turn->first = x->sends;
	for (uint32_t i = e->first; i < e->first + e->n; i++) {
		uint32_t message = l->b->senders.message[i];

		if (!make_send(l->b, message, &x->recorded[x->sends]))
			continue;
		tie(l, message, &x->recorded[x->sends]);
		x->waits |= x->recorded[x->sends].mode != REPLAY_EAGER &&
			    !x->recorded[x->sends].is_begun;
		if (x->sends > turn->first)
			x->recorded[x->sends].own_s = own_before_s(l, i);
		x->sends++;
	}
	turn->rest_s = rest_s(l, e, k + 1 < x->replay.rank[rank].turns ? e + 1 : NULL);
	turn->n = x->sends - turn->first;
	if (turn->n == 0) { /* nothing of it is known: that is the rank's own time, too */
		turn->own_s += turn->rest_s;
		turn->rest_s = 0;
	}
}

static void load(struct loader *l)
{
	struct replay *r = &l->x->replay;

	for (uint32_t rank = 0; rank < r->ranks; rank++)
		for (uint32_t k = 0; k < r->rank[rank].turns; k++)
			load_turn(l, rank, k);
	for (uint32_t rank = 0; rank < r->ranks; rank++)
		for (uint32_t k = 0; k < r->rank[rank].turns; k++)
			r->turn[r->rank[rank].first + k].together &= !l->apart[k];
}

static int make_room(struct loader *l, uint32_t sends)
{
	struct replay_exchanges *x = l->x;

	x->replay.turn = table_calloc((size_t)l->e->n + 1, sizeof(*x->replay.turn));
	x->replay.send = table_alloc((size_t)sends + 1, sizeof(*x->replay.send));
	x->recorded = table_alloc((size_t)sends + 1, sizeof(*x->recorded));
	return x->replay.turn && x->replay.send && x->recorded ? 0 : -1;
}

int replay_exchanges_init(struct replay_exchanges *x, const struct evidence_base *b,
			  const struct episodes *e, struct err *err)
{
	struct loader l = {.b = b, .e = e, .x = x, .begin_ns = INT64_MAX, .end_ns = INT64_MIN};
	uint32_t *of_phase = table_calloc((size_t)e->phases + 1, sizeof(*of_phase)), all = 0;
	int ret = -1;

	memset(x, 0, sizeof(*x));
	x->replay.ranks = b->t->n_ranks;
	x->replay.rank = calloc(b->t->n_ranks + 1u, sizeof(*x->replay.rank));
	l.at = calloc(b->t->n_ranks + 2u, sizeof(*l.at));
	l.apart = table_calloc((size_t)e->phases + 1, 1);
	if (!x->replay.rank || !l.at || !l.apart || !of_phase)
		goto out;
	for (uint32_t k = 0; k < e->n; k++)
		all += e->e[k].n;
	if (make_room(&l, choose_phases(&l, of_phase)))
		goto out;
	cut_turns(&l);
	load(&l);
	x->measured_s = (l.end_ns - l.begin_ns) * 1e-9;
	x->share = (double)x->sends / all;
	ret = 0;
out:
	table_free(l.apart);
	table_free(of_phase);
	free(l.at);
	if (ret) {
		replay_exchanges_release(x);
		err_set(err, "out of memory for %u exchanges", e->n);
	}
	return ret;
}

void replay_exchanges_release(struct replay_exchanges *x)
{
	table_free(x->recorded);
	table_free(x->replay.send);
	table_free(x->replay.turn);
	free(x->replay.rank);
	memset(x, 0, sizeof(*x));
}

void replay_exchanges_reset(struct replay_exchanges *x, double share)
{
	memcpy(x->replay.send, x->recorded, x->sends * sizeof(*x->recorded));
	for (uint32_t i = 0; share >= 0 && i < x->sends; i++) {
		struct replay_send *send = &x->replay.send[i];

		send->g_s = share * (send->L_s + send->g_s);
		send->L_s = send->o_s;
		send->handshake_s = fmin(send->handshake_s, send->o_s);
	}
}

void replay_exchanges_begin(struct replay_exchanges *x)
{
	for (uint32_t i = 0; i < x->sends; i++)
		x->replay.send[i].is_begun = 1;
}
