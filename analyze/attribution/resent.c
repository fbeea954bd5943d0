/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/attribution/resent.h"

#include "analyze/attribution/occupied.h"
#include "analyze/flow/price.h"
#include "analyze/run/resends.h"
#include "analyze/tools/instants.h"

#define TIMEOUT_NS 200000000 /* Linux's TCP_RTO_MIN */
#define HANDSHAKE  3         /* a rendezvous crosses the network so often */

struct search {
	const struct trace *t;
	const struct messages *m;
	const struct machine_class *network;
	struct attribution *a;
	struct resends resends;
	struct occupied ports;
};

/* A message's wait in the network, as the default scenario has it. */
struct wait {
	const struct message *message;
	struct resends_home *home; /* its sender's */
	int64_t from_ns, to_ns;
};

/* Returns 0: it had none, or what its sender's host did meanwhile is not known. */
static int find_wait(const struct search *s, uint32_t i, struct wait *w)
{
	const struct message *x = &s->m->m[i];
	int64_t ns;

	if (s->a->sizes.size[s->a->sizes.of[i]].class != LOCALITY_NETWORK)
		return 0;
	ns = slices_part(&s->a->message, i, COST_network_contention);
	w->message = x;
	w->home = &s->resends.home[s->t->ranks[x->src].home];
	w->to_ns = s->a->arrival_ns[i];
	w->from_ns = later(x->sent_ns, w->to_ns - ns);
	return ns > 0 && w->home->n > 0 && w->from_ns < w->to_ns;
}

/*
 * How much of it lies where its host sent again, and would if one had nothing to do with the other.
 */
static void look_beside(struct resent *sum, const struct wait *w)
{
	const struct resends_home *h = w->home;
	int64_t begin_ns = h->span[0].from_ns, end_ns = h->span[h->n - 1].to_ns;
	int64_t from_ns = later(w->from_ns, begin_ns), to_ns = earlier(w->to_ns, end_ns);
	double share = (double)resends_until_ns(h, end_ns) / (double)(end_ns - begin_ns);

	if (from_ns >= to_ns)
		return;
	sum->seen_ns += to_ns - from_ns;
	sum->beside_ns += resends_until_ns(h, to_ns) - resends_until_ns(h, from_ns);
	sum->chance_ns += (double)(to_ns - from_ns) * share;
}

/* Does its completion say when it came, and not only that it had come before others? */
static int is_timed(const struct search *s, uint32_t i)
{
	const struct message *all = s->m->m, *x = &all[i];

	switch (trace_call_kind(s->t, x->recv_done)) {
	case REGION_RECV:
	case REGION_SENDRECV:
	case REGION_WAIT:
		return 1;
	case REGION_WAITALL:
	case REGION_WAITSOME:
		return message_is_dated(s->t, x) ||
		       ((i == 0 || all[i - 1].recv_done != x->recv_done) &&
			(i + 1 == s->m->n || all[i + 1].recv_done != x->recv_done));
	default:
		return 0;
	}
}

/* By so much the idle machine may be slower for it than the default has it. */
static int64_t slack_ns(const struct search *s, uint64_t bytes)
{
	const struct price mid = price_at(s->network, SCENARIO_MID, bytes);
	int64_t most_ns = later(price_at(s->network, SCENARIO_LOW, bytes).wire_ns,
				price_at(s->network, SCENARIO_HIGH, bytes).wire_ns);

	return later(0, most_ns - mid.wire_ns) + mid.doubt_ns;
}

/*
 * For how long of it at least none of its ports was busy, nor the idle machine at work; or less
 * than 0.
 */
static double free_ns(const struct search *s, const struct wait *w)
{
	const struct message *x = w->message;
	double busy_ns = HANDSHAKE * (double)slack_ns(s, x->bytes);

	busy_ns += occupied_ns(&s->ports, s->t->ranks[x->src].home, OCCUPIED_OUT, w->from_ns,
			       w->to_ns);
	busy_ns +=
		occupied_ns(&s->ports, s->t->ranks[x->dst].home, OCCUPIED_IN, w->from_ns, w->to_ns);
	return (double)(w->to_ns - w->from_ns) - busy_ns;
}

/* Does most of a span lie where the message can have had a time-out? */
static int is_within(const struct resends_span *span, const struct wait *w)
{
	int64_t from_ns = later(span->from_ns, w->message->sent_ns + TIMEOUT_NS);
	int64_t to_ns = earlier(span->to_ns, w->to_ns);

	return 2 * (to_ns - from_ns) >= span->to_ns - span->from_ns;
}

/* So many of its host's time-outs can have been the message's, which nobody else's are then. */
static int64_t take_timeouts(const struct wait *w, int64_t most)
{
	struct resends_home *h = w->home;
	int64_t taken = 0, n;

	for (uint32_t k = resends_at(h, w->message->sent_ns);
	     k < h->n && h->span[k].from_ns < w->to_ns && taken < most; k++) {
		struct resends_span *span = &h->span[k];

		if (!span->timeouts || !is_within(span, w))
			continue;
		n = most - taken;
		if (span->timeouts < (uint64_t)n)
			n = (int64_t)span->timeouts;
		span->timeouts -= (uint64_t)n;
		taken += n;
	}
	return taken;
}

static void look_at(struct search *s, uint32_t i)
{
	struct resent *sum = &s->a->resent;
	struct wait w;
	double spare_ns;
	int64_t ns;

	if (!find_wait(s, i, &w))
		return;
	look_beside(sum, &w);
	w.from_ns = later(w.from_ns, s->t->calls[w.message->recv_done].enter_ns);
	if (w.to_ns - w.from_ns < TIMEOUT_NS || !is_timed(s, i))
		return;
	spare_ns = free_ns(s, &w);
	if (spare_ns < TIMEOUT_NS)
		return;
	ns = TIMEOUT_NS * take_timeouts(&w, (int64_t)(spare_ns / TIMEOUT_NS));
	sum->messages += ns > 0;
	sum->lost_ns += ns;
}

int resent_find(const struct trace *t, const struct messages *m, const struct machine *machine,
		struct attribution *a, struct err *err)
{
	struct search s = {.t = t, .m = m, .network = &machine->classes[LOCALITY_NETWORK], .a = a};

	a->resent = (struct resent){0};
	if (!t->readings.n || !s.network->n)
		return 0;
	if (resends_find(&s.resends, t, err))
		return -1;
	if (occupied_find(&s.ports, t, m, &a->sizes, machine, err)) {
		resends_release(&s.resends);
		return -1;
	}
	for (uint32_t i = 0; i < m->n; i++)
		look_at(&s, i);
	occupied_release(&s.ports);
	resends_release(&s.resends);
	return 0;
}
