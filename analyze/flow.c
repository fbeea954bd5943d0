/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/flow.h"

#include "analyze/instants.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define STALL_NOISE_NS 5000 /* an eager send may be this much slower without being held back */

#define AHEAD 16 /* messages are visited out of order: fetch those to come */

static int64_t ns(double s)
{
	return llround(s * 1e9);
}

/*
 * The scenario's parameters. Where L and g are known as a sum only, the default has all of
 * it in g and the low scenario as much as can be in L: what the ports add is then nothing.
 */
static struct price price_at(const struct machine_class *c, enum scenario scenario, uint64_t bytes)
{
	struct plogp_point x;
	struct price p = {0};
	double factor = 1, L = machine_latency_s(c, bytes);

	if (c->n == 0)
		return p;
	x = plogp_at((struct plogp){c->L_s, c->n, c->points}, bytes);
	if (scenario == SCENARIO_LOW)
		factor = fmax(0, 1 - c->uncertainty);
	else if (scenario == SCENARIO_HIGH)
		factor = 1 + c->uncertainty;
	if (scenario == SCENARIO_LOW && c->joint & MACHINE_JOINT_L_G) {
		double g = fmax(x.o_s_s, x.o_r_s);

		L += x.g_s - g;
		x.g_s = g;
	}
	p.o_s_ns = ns(x.o_s_s * factor);
	p.o_r_ns = ns(x.o_r_s * factor);
	p.g_ns = ns(x.g_s * factor);
	p.L_ns = ns(L * factor);
	p.handshake_ns = c->has_handshake ? ns(c->handshake_s * factor) : p.L_ns;
	p.wire_ns = later(0, p.L_ns + p.g_ns - p.o_s_ns - p.o_r_ns);
	p.slack_ns = ns((L + x.g_s) * c->uncertainty);
	p.known = 1;
	return p;
}

struct price flow_price(struct flow *f, uint32_t i)
{
	const struct facts *x = &f->scene->facts[i];
	uint64_t bytes = x->bytes;
	enum locality class =
		f->scene->facts[i].flags & MESSAGE_NETWORK ? LOCALITY_NETWORK : LOCALITY_NODE;
	uint64_t key = (bytes << 1 | (class == LOCALITY_NETWORK)) + 1;
	size_t at = key * 0x9e3779b97f4a7c15ull >> 56;

	if (f->cache[at].key != key) {
		f->cache[at].key = key;
		f->cache[at].price = price_at(&f->machine->classes[class], f->scenario, bytes);
	}
	return f->cache[at].price;
}

/* The handshake of a rendezvous: request, posted receive, attentive receiver, answer. */
static void shake_hands(struct flow *f, uint32_t i, struct departure *d, int64_t one_way_ns)
{
	const struct scene *s = f->scene;
	const struct facts *x = &s->facts[i];

	d->request_ns = d->inject_ns + one_way_ns;
	d->met_ns = later(d->request_ns, s->facts[i].posted_ns);
	d->attended_ns =
		earlier(presence_next_ns(&s->presence, x->dst, d->met_ns), s->facts[i].done_ns);
	d->attended_ns = later(d->attended_ns, d->met_ns);
	d->answer_ns = d->attended_ns + one_way_ns;
	d->resumed_ns = d->answer_ns;
	if (!(s->facts[i].flags & MESSAGE_BLOCKING))
		d->resumed_ns = earlier(presence_next_ns(&s->presence, x->src, d->answer_ns),
					later(d->answer_ns, s->facts[i].done_ns));
	d->data_ns = d->resumed_ns;
}

void flow_depart(struct flow *f, uint32_t i, int64_t inject_ns, struct departure *d)
{
	const struct scene *s = f->scene;
	struct price p = flow_price(f, i);
	int64_t sent_ns = s->facts[i].sent_ns, left_ns = s->facts[i].left_ns, usual_ns;

	d->base_ns = earlier(left_ns, sent_ns + p.o_s_ns);
	d->inject_ns = later(d->base_ns, inject_ns);
	d->stall_ns = INT64_MIN;
	d->data_ns = d->inject_ns;
	if (s->facts[i].flags & MESSAGE_RENDEZVOUS) {
		shake_hands(f, i, d, p.handshake_ns);
	} else if (s->facts[i].flags & MESSAGE_BLOCKING &&
		   !(s->facts[i].flags & MESSAGE_SYNCHRONOUS)) {
		usual_ns = later(p.g_ns, p.o_s_ns) + p.slack_ns + STALL_NOISE_NS;
		if (p.known && left_ns > d->inject_ns + usual_ns) {
			d->stall_ns = left_ns - p.g_ns;
			d->data_ns = later(d->data_ns, d->stall_ns);
		}
	}
}

struct passing {
	int64_t head_ns; /* at the receiver's port */
	uint32_t message;
};

static int by_head(const void *a, const void *b)
{
	const struct passing *x = a, *y = b;

	return x->head_ns != y->head_ns ? (x->head_ns > y->head_ns) - (x->head_ns < y->head_ns)
					: (x->message > y->message) - (x->message < y->message);
}

/*
 * By then message i had passed all ports, whatever the replay says: the return of an eager
 * synchronous send. Other sends return as soon as some buffer has the data.
 */
static int64_t acknowledged_ns(const struct scene *s, uint32_t i)
{
	unsigned all = MESSAGE_BLOCKING | MESSAGE_SYNCHRONOUS | MESSAGE_RENDEZVOUS;
	unsigned flags = s->facts[i].flags & all;

	return flags == (MESSAGE_BLOCKING | MESSAGE_SYNCHRONOUS) ? s->facts[i].left_ns : INT64_MAX;
}

/*
 * Each rank's messages leave through its port in the order of their sends; one port for
 * the network and one for the node's memory. arrive_ns is then what the wire alone makes.
 */
static int run_senders(struct flow *f, struct passing *passing, struct err *err)
{
	const struct scene *s = f->scene;
	int64_t(*free_ns)[2] = calloc((size_t)s->t->n_ranks + 1, sizeof(*free_ns));

	if (!free_ns)
		return err_set(err, "out of memory for %u ranks", s->t->n_ranks);
	for (uint32_t k = 0; k < s->m->n; k++) {
		uint32_t i = s->by_send[k];
		int64_t *port = &free_ns[s->facts[i].src][s->facts[i].flags & MESSAGE_NETWORK];
		struct price p = flow_price(f, i);
		struct departure d;

		if (k + AHEAD < s->m->n)
			__builtin_prefetch(&s->facts[s->by_send[k + AHEAD]]);
		flow_depart(f, i, *port, &d);
		*port = later(*port, earlier(d.data_ns + p.g_ns, s->facts[i].done_ns));
		*port = earlier(*port, acknowledged_ns(s, i));
		f->inject_ns[i] = d.inject_ns;
		f->arrive_ns[i] = d.data_ns + p.wire_ns;
		passing[k] = (struct passing){f->arrive_ns[i] - p.g_ns, i};
	}
	free(free_ns);
	return 0;
}

/* Each host receives from the network, each rank from its node, one message at a time. */
static int run_receivers(struct flow *f, const struct passing *passing, struct err *err)
{
	const struct scene *s = f->scene;
	int64_t *free_ns = calloc((size_t)s->hosts + s->t->n_ranks + 1, sizeof(*free_ns));

	if (!free_ns)
		return err_set(err, "out of memory for %u ranks", s->t->n_ranks);
	for (uint32_t k = 0; k < s->m->n; k++) {
		uint32_t i = passing[k].message, dst = s->facts[i].dst;
		struct price p = flow_price(f, i);
		int64_t *port = s->facts[i].flags & MESSAGE_NETWORK ? &free_ns[s->host[dst]]
								    : &free_ns[s->hosts + dst];
		int64_t done_ns = earlier(s->facts[i].done_ns, acknowledged_ns(s, i));

		if (k + AHEAD < s->m->n)
			__builtin_prefetch(&s->facts[passing[k + AHEAD].message]);
		f->arrive_ns[i] = later(f->arrive_ns[i], *port + p.g_ns);
		*port = later(*port, earlier(f->arrive_ns[i], done_ns));
	}
	free(free_ns);
	return 0;
}

/* Each rank handles what has arrived, one after the other, o_r each, and is always there. */
static int run_handlers(struct flow *f, const struct passing *passing, struct err *err)
{
	const struct scene *s = f->scene;
	uint32_t *at = calloc((size_t)s->t->n_ranks + 1, sizeof(*at));

	if (!at)
		return err_set(err, "out of memory for %u ranks", s->t->n_ranks);
	memcpy(at, s->m->by_dst, s->t->n_ranks * sizeof(*at));
	for (uint32_t k = 0; k < s->m->n; k++) {
		uint32_t i = passing[k].message, dst = s->facts[i].dst;
		struct slot *x = &f->slot[at[dst]];
		int64_t o_r_ns = flow_price(f, i).o_r_ns, arrive_ns = f->arrive_ns[i];

		if (k + AHEAD < s->m->n)
			__builtin_prefetch(&s->facts[passing[k + AHEAD].message]);
		*x = (struct slot){arrive_ns, arrive_ns, arrive_ns};
		if (at[dst]++ > s->m->by_dst[dst]) {
			x->arrive_ns = arrive_ns = later(arrive_ns, x[-1].arrive_ns);
			x->run_ns = x[-1].finish_ns > arrive_ns ? x[-1].run_ns : arrive_ns;
			x->finish_ns = later(arrive_ns, x[-1].finish_ns);
		}
		f->handle_ns[i] = later(f->arrive_ns[i], x->finish_ns);
		x->finish_ns =
			earlier(x->finish_ns + o_r_ns, later(x->finish_ns, s->facts[i].done_ns));
	}
	free(at);
	return 0;
}

int64_t flow_idle_ns(const struct flow *f, uint32_t rank, int64_t when)
{
	uint32_t first = f->scene->m->by_dst[rank], low = first,
		 high = f->scene->m->by_dst[rank + 1];

	while (low < high) {
		uint32_t mid = low + (high - low) / 2;

		if (f->slot[mid].arrive_ns <= when)
			low = mid + 1;
		else
			high = mid;
	}
	if (low == first || f->slot[low - 1].finish_ns < when)
		return when;
	return f->slot[low - 1].run_ns;
}

int flow_init(struct flow *f, const struct scene *s, const struct machine *machine, struct err *err)
{
	size_t n = (size_t)s->m->n + 1;

	memset(f, 0, sizeof(*f));
	f->scene = s;
	f->machine = machine;
	f->inject_ns = calloc(n, sizeof(*f->inject_ns));
	f->arrive_ns = calloc(n, sizeof(*f->arrive_ns));
	f->handle_ns = calloc(n, sizeof(*f->handle_ns));
	f->slot = calloc(n, sizeof(*f->slot));
	f->passing = calloc(n, sizeof(*f->passing));
	if (f->inject_ns && f->arrive_ns && f->handle_ns && f->slot && f->passing)
		return 0;
	flow_release(f);
	return err_set(err, "out of memory for %u messages", s->m->n);
}

int flow_run(struct flow *f, enum scenario scenario, struct err *err)
{
	f->scenario = scenario;
	memset(f->cache, 0, sizeof(f->cache)); /* other prices */
	if (run_senders(f, f->passing, err))
		return -1;
	qsort(f->passing, f->scene->m->n, sizeof(*f->passing), by_head);
	if (run_receivers(f, f->passing, err) || run_handlers(f, f->passing, err))
		return -1;
	return 0;
}

void flow_release(struct flow *f)
{
	free(f->passing);
	free(f->slot);
	free(f->handle_ns);
	free(f->arrive_ns);
	free(f->inject_ns);
	memset(f, 0, sizeof(*f));
}
