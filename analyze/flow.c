/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/flow.h"

#include "analyze/instants.h"
#include "analyze/sorting.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define STALL_NOISE_NS 5000 /* an eager send may be this much slower without being held back */

#define HELD_FOREVER_NS (INT64_MAX / 2) /* no stall, however long the send took */

#define AHEAD 16 /* messages are visited out of order: fetch those to come */

static int64_t ns(double s)
{
	return llround(s * 1e9);
}

/*
 * The scenario's parameters. Where L and g are known as a sum only, the default has as much as
 * can be in g and the low scenario all of it in L: what the ports add is then nothing.
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
		factor = fmax(0.1, 1 - c->uncertainty);
	else if (scenario == SCENARIO_HIGH)
		factor = 1 + c->uncertainty;
	if (scenario == SCENARIO_LOW && c->joint & MACHINE_JOINT_L_G) {
		L = (L + x.g_s) * (1 + c->crowding) / factor; /* the most it can be */
		x.g_s = 0;
	}
	if (scenario == SCENARIO_HANDLERS && c->joint & MACHINE_JOINT_O_R) {
		double all = L + x.g_s;

		x.o_r_s = fmax(0, fmin(all - x.o_s_s, machine_slowest_handling_s(bytes)));
		if (c->joint & MACHINE_JOINT_L_G || x.o_r_s >= x.g_s) /* its pace, not a port's */
			x.g_s = 0;
		x.g_s = fmin(x.g_s, all - x.o_s_s - x.o_r_s);
		L = all - x.g_s;
	} else if (scenario == SCENARIO_CROWDS && c->crowding > 0) {
		L = x.o_s_s + x.o_r_s;
		x.g_s = 0;
	} else if (scenario == SCENARIO_CROWDS) {
		double o = x.o_s_s + x.o_r_s;

		L = o + fmax(0, L - o) / (1 + c->company);
		x.g_s /= 1 + c->company;
	}
	p.o_s_ns = ns(x.o_s_s * factor);
	p.o_r_ns = ns(x.o_r_s * factor);
	p.g_ns = ns(x.g_s * factor);
	p.L_ns = ns(L * factor);
	p.empty_ns = ns(c->L_s * factor);
	p.handshake_ns = c->has_handshake ? ns(c->handshake_s * factor) : p.L_ns;
	p.wire_ns = later(0, p.L_ns + p.g_ns - p.o_s_ns - p.o_r_ns);
	p.slack_ns = ns((L + x.g_s) * c->uncertainty);
	p.known = 1;
	return p;
}

int flow_has(const struct machine *machine, enum scenario scenario)
{
	int handlers = 0, crowds = 0;

	for (int k = 0; k < LOCALITY_COUNT; k++) {
		const struct machine_class *c = &machine->classes[k];

		handlers |= c->n > 0 && c->joint & MACHINE_JOINT_O_R;
		crowds |= c->n > 0 && (c->crowding > 0 || c->company > 0);
	}
	return scenario == SCENARIO_HANDLERS ? handlers : scenario == SCENARIO_CROWDS ? crowds : 1;
}

const struct price *flow_look_up(struct flow *f, uint32_t i)
{
	static const struct price nothing = {.known = 1};
	const struct facts *x = &f->scene->facts[i];
	uint64_t bytes = x->bytes;
	enum locality class =
		f->scene->facts[i].flags & MESSAGE_NETWORK ? LOCALITY_NETWORK : LOCALITY_NODE;
	uint64_t key = (bytes << 1 | (class == LOCALITY_NETWORK)) + 1;
	size_t at = key * 0x9e3779b97f4a7c15ull >> 56;

	f->asked = i;
	if (x->src == x->dst)
		return f->answer = &nothing;
	if (f->cache[at].key != key) {
		f->cache[at].key = key;
		f->cache[at].price = price_at(&f->machine->classes[class], f->scenario, bytes);
	}
	return f->answer = &f->cache[at].price;
}

/* The handshake of a rendezvous: request, posted receive, attentive receiver, answer. */
static void shake_hands(struct flow *f, uint32_t i, struct departure *d, int64_t one_way_ns)
{
	const struct scene *s = f->scene;
	const struct facts *x = &s->facts[i];

	d->request_ns = d->base_ns + one_way_ns;
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

void flow_depart(struct flow *f, uint32_t i, int64_t held_ns, struct departure *d)
{
	const struct scene *s = f->scene;
	const struct price *p = flow_price(f, i);
	int64_t sent_ns = s->facts[i].sent_ns, left_ns = s->facts[i].left_ns, usual_ns;

	d->base_ns = earlier(left_ns, sent_ns + p->o_s_ns);
	d->stall_ns = INT64_MIN;
	d->data_ns = d->base_ns;
	d->held_ns = held_ns;
	if (s->facts[i].flags & MESSAGE_RENDEZVOUS) {
		shake_hands(f, i, d, p->handshake_ns);
	} else if (s->facts[i].flags & MESSAGE_BLOCKING &&
		   !(s->facts[i].flags & MESSAGE_SYNCHRONOUS)) {
		usual_ns = later(p->g_ns, p->o_s_ns) + p->slack_ns + STALL_NOISE_NS;
		if (p->known && left_ns - d->base_ns - held_ns > usual_ns) {
			d->stall_ns = left_ns - p->g_ns;
			d->data_ns = later(d->base_ns, d->stall_ns);
			d->held_ns = later(0, d->base_ns + held_ns - d->data_ns);
		}
	}
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

/* The network's ports serve their connections in turn; memory is copied as the calls come. */
static int is_in_turn(const struct flow *f, uint32_t i)
{
	return f->scene->facts[i].flags & MESSAGE_NETWORK && f->scenario != SCENARIO_LOW;
}

enum side { SENDING, RECEIVING };

/*
 * Ports are numbered: a rank sends through one to the network and one to the node's memory;
 * a host receives from the network, a rank from its node.
 */
static uint32_t port_of(const struct scene *s, enum side side, uint32_t i)
{
	const struct facts *x = &s->facts[i];
	int network = !!(x->flags & MESSAGE_NETWORK);

	if (side == SENDING)
		return 2 * x->src + network;
	return network ? s->host[x->dst] : s->hosts + x->dst;
}

static struct turns_job job_of(struct flow *f, enum side side, uint32_t i)
{
	const struct facts *x = &f->scene->facts[i];
	const struct price *p = flow_price(f, i);
	struct turns_job j = {
		.limit_ns = earlier(x->done_ns, acknowledged_ns(f->scene, i)),
		.work_ns = p->g_ns,
		.message = i,
	};
	struct departure d;

	if (side == SENDING) {
		flow_depart(f, i, HELD_FOREVER_NS, &d);
		j.ready_ns = d.data_ns;
	} else {
		flow_depart(f, i, f->held_ns[i], &d);
		j.ready_ns = d.data_ns + p->wire_ns - p->g_ns;
		if (!is_in_turn(f, i))
			j.ready_ns += d.held_ns;
		f->arrive_ns[i] = d.data_ns + p->wire_ns + d.held_ns;
	}
	if (is_in_turn(f, i))
		j.connection = side == SENDING ? x->dst : x->src;
	return j;
}

static void take_job(struct flow *f, enum side side, const struct turns_job *j)
{
	uint32_t i = j->message;

	if (side == SENDING)
		f->held_ns[i] = later(0, j->done_ns - j->ready_ns - j->work_ns);
	else
		f->arrive_ns[i] = later(f->arrive_ns[i], j->done_ns);
}

/* All messages through all ports of one side. */
static int run_ports(struct flow *f, enum side side, struct err *err)
{
	const struct scene *s = f->scene;
	uint32_t n = side == SENDING ? 2 * s->t->n_ranks : s->hosts + s->t->n_ranks, first = 0;
	uint32_t *at = calloc((size_t)n + 2, sizeof(*at));

	if (!at)
		return err_set(err, "out of memory for %u ports", n);
	for (uint32_t i = 0; i < s->m->n; i++)
		at[port_of(s, side, i) + 1]++;
	for (uint32_t k = 0; k < n; k++)
		at[k + 1] += at[k];
	for (uint32_t k = 0; k < s->m->n; k++) {
		uint32_t i = side == SENDING ? s->by_send[k] : k;

		if (k + AHEAD < s->m->n && side == SENDING)
			__builtin_prefetch(&s->facts[s->by_send[k + AHEAD]]);
		f->job[at[port_of(s, side, i)]++] = job_of(f, side, i);
	}
	for (uint32_t k = 0; k < n; first = at[k++])
		if (turns_serve(&f->turns, f->job + first, at[k] - first, err)) {
			free(at);
			return -1;
		}
	free(at);
	for (uint32_t k = 0; k < s->m->n; k++)
		take_job(f, side, &f->job[k]);
	return 0;
}

struct passing {
	int64_t arrive_ns;
	uint32_t message;
};

static int by_arrival(const void *a, const void *b)
{
	const struct passing *x = a, *y = b;

	return x->arrive_ns != y->arrive_ns
		       ? (x->arrive_ns > y->arrive_ns) - (x->arrive_ns < y->arrive_ns)
		       : (x->message > y->message) - (x->message < y->message);
}

/* A rank handles what has arrived, one after the other, o_r each, and is always there. */
static void run_handler(struct flow *f, uint32_t rank)
{
	const struct scene *s = f->scene;
	uint32_t first = s->m->by_dst[rank], n = s->m->by_dst[rank + 1] - first;

	for (uint32_t k = 0; k < n; k++)
		f->passing[k] = (struct passing){f->arrive_ns[first + k], first + k};
	sort(f->passing, n, sizeof(*f->passing), by_arrival);
	for (uint32_t k = 0; k < n; k++) {
		uint32_t i = f->passing[k].message;
		struct slot *x = &f->slot[first + k];
		int64_t o_r_ns = flow_price(f, i)->o_r_ns, arrive_ns = f->arrive_ns[i];

		*x = (struct slot){arrive_ns, arrive_ns, arrive_ns};
		if (k > 0 && x[-1].finish_ns > arrive_ns) {
			x->run_ns = x[-1].run_ns;
			x->finish_ns = x[-1].finish_ns;
		}
		f->handle_ns[i] = x->finish_ns;
		x->finish_ns =
			earlier(x->finish_ns + o_r_ns, later(x->finish_ns, s->facts[i].done_ns));
	}
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
	f->held_ns = calloc(n, sizeof(*f->held_ns));
	f->arrive_ns = calloc(n, sizeof(*f->arrive_ns));
	f->handle_ns = calloc(n, sizeof(*f->handle_ns));
	f->slot = calloc(n, sizeof(*f->slot));
	f->passing = calloc(messages_most(s->m, s->t->n_ranks) + 1u, sizeof(*f->passing));
	f->job = calloc(n, sizeof(*f->job));
	if (turns_init(&f->turns, s->t->n_ranks, err))
		goto fail;
	if (f->held_ns && f->arrive_ns && f->handle_ns && f->slot && f->passing && f->job)
		return 0;
	err_set(err, "out of memory for %u messages", s->m->n);
fail:
	flow_release(f);
	return -1;
}

int flow_run(struct flow *f, enum scenario scenario, struct err *err)
{
	f->scenario = scenario;
	memset(f->cache, 0, sizeof(f->cache)); /* other prices */
	f->asked = TRACE_NONE;
	if (run_ports(f, SENDING, err) || run_ports(f, RECEIVING, err))
		return -1;
	for (uint32_t r = 0; r < f->scene->t->n_ranks; r++)
		run_handler(f, r);
	return 0;
}

void flow_release(struct flow *f)
{
	turns_release(&f->turns);
	free(f->job);
	free(f->passing);
	free(f->slot);
	free(f->handle_ns);
	free(f->arrive_ns);
	free(f->held_ns);
	memset(f, 0, sizeof(*f));
}
