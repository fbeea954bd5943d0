/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/flow.h"

#include "analyze/instants.h"
#include "analyze/machine_ranges.h"
#include "analyze/share.h"
#include "common/huge.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define STALL_NOISE_NS 5000 /* an eager send may be this much slower without being held back */

#define HELD_FOREVER_NS (INT64_MAX / 2) /* no stall, however long the send took */

#define AHEAD 32 /* messages are visited out of order: fetch those to come */

/* What an interval leaves at least, also one that reaches 0: nothing takes no time. */
#define LEAST_SHARE 0.1

static int64_t ns(double s)
{
	return llround(s * 1e9);
}

/* What a value in such a range is in the scenario. */
static double within(struct machine_range r, double value, enum scenario scenario)
{
	if (scenario == SCENARIO_LOW)
		return fmax(LEAST_SHARE * value, r.least);
	return scenario == SCENARIO_HIGH ? r.most : value;
}

/* Overheads and L + g are measured apart; the wire, between them, is least where those are most. */
static enum scenario opposite(enum scenario s)
{
	return s == SCENARIO_LOW ? SCENARIO_HIGH : s == SCENARIO_HIGH ? SCENARIO_LOW : s;
}

/*
 * The scenario's parameters. Where L and g are known as a sum only, the default has as much as
 * can be in g and the low scenario all of it in L: what the ports add is then nothing.
 */
static struct price price_at(const struct machine_class *c, enum scenario scenario, uint64_t bytes)
{
	struct plogp_point x;
	struct price p = {0};
	const struct machine_ranges ranges = machine_ranges_at(c, bytes);
	const enum scenario overheads = c->ends ? opposite(scenario) : scenario;
	double factor = within(ranges.time, 1, scenario), L = machine_latency_s(c, bytes), most_s;

	if (c->n == 0)
		return p;
	x = plogp_at((struct plogp){c->L_s, c->n, c->points}, bytes);
	most_s = (L + x.g_s) * (1 + c->crowding) * (c->crowding > 0 ? 1 + c->uncertainty : 1);
	if (scenario == SCENARIO_LOW && c->joint & MACHINE_JOINT_L_G) {
		L = most_s / factor;
		x.g_s = 0;
	}
	if (scenario == SCENARIO_HANDLERS && c->joint & (MACHINE_JOINT_O_R | MACHINE_JOINT_L_G)) {
		double all = L + x.g_s;

		if (c->joint & MACHINE_JOINT_O_R)
			x.o_r_s = fmax(0, fmin(all - x.o_s_s, machine_slowest_handling_s(bytes)));
		if (c->joint & MACHINE_JOINT_L_G || x.o_r_s >= x.g_s) /* its pace, not a port's */
			x.g_s = 0;
		x.g_s = fmin(x.g_s, all - x.o_s_s - x.o_r_s);
		L = all - x.g_s;
	} else if (scenario == SCENARIO_CROWDS && (c->crowding > 0 || c->without_core)) {
		L = x.o_s_s + x.o_r_s;
		x.g_s = 0;
	} else if (scenario == SCENARIO_CROWDS) {
		double o = x.o_s_s + x.o_r_s;

		L = o + fmax(0, L - o) / (1 + c->company);
		x.g_s /= 1 + c->company;
	}
	p.o_s_ns = ns(within(ranges.o_s_s, x.o_s_s, overheads));
	p.o_r_ns = ns(within(ranges.o_r_s, x.o_r_s, overheads));
	p.g_ns = ns(x.g_s * within(ranges.g, 1, scenario));
	p.L_ns = ns(L * within(ranges.L, 1, scenario));
	p.empty_ns = ns(c->L_s * factor);
	p.handshake_ns = c->has_handshake ? ns(c->handshake_s * factor) : ns(L * factor);
	p.wire_ns = later(0, p.L_ns + p.g_ns - p.o_s_ns - p.o_r_ns);
	p.slack_ns = ns((L + x.g_s) * (ranges.time.most - 1));
	if (scenario == SCENARIO_MID && c->joint & MACHINE_JOINT_L_G)
		p.doubt_ns = ns(most_s - L - x.g_s);
	p.known = 1;
	return p;
}

int flow_has(const struct machine *machine, enum scenario scenario)
{
	int handlers = 0, crowds = 0, open = 0, progress = 0;

	for (int k = 0; k < LOCALITY_COUNT; k++) {
		const struct machine_class *c = &machine->classes[k];

		handlers |= c->n > 0 && c->joint & (MACHINE_JOINT_O_R | MACHINE_JOINT_L_G);
		crowds |= c->n > 0 && (c->crowding > 0 || c->company > 0 || c->without_core);
		open |= c->n > 0 && c->open_upto > c->open_above;
		progress |= c->n > 0 && machine_progress_is_open(c->progress);
	}
	if (scenario >= SCENARIO_EAGER)
		return open;
	if (scenario == SCENARIO_PROGRESS)
		return progress;
	return scenario == SCENARIO_HANDLERS ? handlers : scenario == SCENARIO_CROWDS ? crowds : 1;
}

/* The prices of the scenario. */
static void set_prices(struct flow *f)
{
	for (uint32_t k = 0; k < f->scene->sizes->n; k++) {
		const struct size *x = &f->scene->sizes->size[k];

		if (x->is_to_self) /* nothing */
			f->price[k] = (struct price){.known = 1};
		else
			f->price[k] =
				price_at(&f->machine->classes[x->class], f->scenario, x->bytes);
	}
}

/* Up to where the receive of a rendezvous is posted and its request there. */
static void request(const struct flow *f, uint32_t i, struct departure *d)
{
	const struct facts *x = &f->scene->facts[i];
	const struct price *p = flow_price(f, i);

	d->base_ns = earlier(x->left_ns, x->sent_ns + p->o_s_ns);
	d->request_ns = d->base_ns + p->handshake_ns;
	d->met_ns = later(d->request_ns, x->posted_ns);
}

/* Do messages move without the calls of that end? Where nothing tells, by the scenario. */
static int does_without(const struct flow *f, double progress)
{
	return progress_moves(progress) ||
	       (f->scenario == SCENARIO_PROGRESS && progress_is_open(progress));
}

/* The handshake of a rendezvous: request, posted receive, attentive receiver, answer. */
static void shake_hands(struct flow *f, uint32_t i)
{
	const struct scene *s = f->scene;
	const struct facts *x = &s->facts[i];
	const struct machine_progress *p = flow_progress(f, i);
	struct handshake *h = &f->handshake[i];
	struct departure d;
	int64_t answer_ns;

	request(f, i, &d);
	h->attended_ns = d.met_ns;
	if (!does_without(f, p->receiver))
		h->attended_ns = earlier(
			presence_next_ns(s->presence, x->dst, x->recv_done, d.met_ns), x->done_ns);
	h->attended_ns = later(h->attended_ns, d.met_ns);
	answer_ns = h->attended_ns + flow_price(f, i)->handshake_ns;
	h->resumed_ns = answer_ns;
	if (!(x->flags & MESSAGE_BLOCKING) && !does_without(f, p->sender))
		h->resumed_ns =
			earlier(presence_next_ns(s->presence, x->src, x->send_done, answer_ns),
				later(answer_ns, x->done_ns));
}

void flow_depart(const struct flow *f, uint32_t i, int64_t held_ns, struct departure *d)
{
	const struct facts *x = &f->scene->facts[i];
	const struct price *p = flow_price(f, i);
	int64_t usual_ns;

	request(f, i, d);
	d->stall_ns = INT64_MIN;
	d->data_ns = d->base_ns;
	d->held_ns = held_ns;
	if (x->flags & MESSAGE_RENDEZVOUS) {
		d->attended_ns = f->handshake[i].attended_ns;
		d->answer_ns = d->attended_ns + p->handshake_ns;
		d->resumed_ns = d->data_ns = f->handshake[i].resumed_ns;
	} else if (x->flags & MESSAGE_BLOCKING && !(x->flags & MESSAGE_SYNCHRONOUS)) {
		usual_ns = later(p->g_ns, p->o_s_ns) + p->slack_ns + STALL_NOISE_NS;
		if (p->known && x->left_ns - d->base_ns - held_ns > usual_ns) {
			d->stall_ns = x->left_ns - p->g_ns;
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
static uint32_t sending_port_of(const struct scene *s, uint32_t i)
{
	return 2 * s->facts[i].src + !!(s->facts[i].flags & MESSAGE_NETWORK);
}

static uint32_t receiving_port_of(const struct scene *s, uint32_t i)
{
	const struct facts *x = &s->facts[i];

	return x->flags & MESSAGE_NETWORK ? s->t->ranks[x->dst].home : s->t->homes + x->dst;
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
		if (x->flags & MESSAGE_RENDEZVOUS)
			shake_hands(f, i);
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

/* What a thread needs to serve one port after the other. */
struct flow_room {
	struct turns turns;
	struct turns_job *job;
};

/* All messages of a port. */
static int run_port(struct flow *f, enum side side, uint32_t port, struct flow_room *room,
		    struct err *err)
{
	const struct lines *q = side == SENDING ? &f->sending : &f->receiving;
	const uint32_t *message = q->message + q->first[port];
	uint32_t n = q->first[port + 1] - q->first[port];

	for (uint32_t k = 0; k < n; k++) {
		if (k + AHEAD < n)
			prefetch(&f->scene->facts[message[k + AHEAD]]);
		room->job[k] = job_of(f, side, message[k]);
	}
	if (turns_serve(&room->turns, room->job, n, err))
		return -1;
	for (uint32_t k = 0; k < n; k++)
		take_job(f, side, &room->job[k]);
	return 0;
}

static int run_sending(void *flow, unsigned hand, uint32_t port, struct err *err)
{
	struct flow *f = flow;

	return run_port(f, SENDING, port, &f->room[hand], err);
}

static int run_receiving(void *flow, unsigned hand, uint32_t port, struct err *err)
{
	struct flow *f = flow;

	return run_port(f, RECEIVING, port, &f->room[hand], err);
}

/* Does no message keep a port busy in this scenario? */
static int is_without_ports(const struct flow *f)
{
	for (uint32_t k = 0; k < f->scene->sizes->n; k++)
		if (f->price[k].g_ns != 0)
			return 0;
	return 1;
}

/* The messages to one receiver, past ports that hold up nobody: in the order of their table. */
static int pass_by(void *flow, unsigned hand, uint32_t rank, struct err *err)
{
	struct flow *f = flow;
	const struct messages *m = f->scene->m;

	(void)hand, (void)err;
	for (uint32_t i = m->by_dst[rank]; i < m->by_dst[rank + 1]; i++) {
		struct departure d;

		if (f->scene->facts[i].flags & MESSAGE_RENDEZVOUS)
			shake_hands(f, i);
		flow_depart(f, i, 0, &d);
		f->held_ns[i] = 0;
		f->arrive_ns[i] = d.data_ns + flow_price(f, i)->wire_ns;
	}
	return 0;
}

static int make_rooms(struct flow *f, struct err *err)
{
	size_t sending = lines_most(&f->sending), receiving = lines_most(&f->receiving);
	size_t most = sending > receiving ? sending : receiving;

	f->hands = share_hands();
	f->room = calloc(f->hands, sizeof(*f->room));
	for (unsigned k = 0; f->room && k < f->hands; k++) {
		f->room[k].job = malloc((most + 1) * sizeof(*f->room[k].job));
		if (!f->room[k].job)
			return err_set(err, "out of memory for %zu messages of a port", most);
		if (turns_init(&f->room[k].turns, f->scene->t->n_ranks, err))
			return -1;
	}
	return f->room ? 0 : err_set(err, "out of memory for %u threads", f->hands);
}

int flow_init(struct flow *f, const struct scene *s, const struct machine *machine, struct err *err)
{
	size_t n = (size_t)s->m->n + 1;

	memset(f, 0, sizeof(*f));
	f->scene = s;
	f->machine = machine;
	f->price = calloc((size_t)s->sizes->n + 1, sizeof(*f->price));
	f->held_ns = huge_pages(calloc(n, sizeof(*f->held_ns)));
	f->arrive_ns = huge_pages(calloc(n, sizeof(*f->arrive_ns)));
	f->handshake = huge_pages(calloc(n, sizeof(*f->handshake)));
	if (!f->price || !f->held_ns || !f->arrive_ns || !f->handshake)
		err_set(err, "out of memory for %u messages", s->m->n);
	else if (!lines_init(&f->sending, 2 * s->t->n_ranks, sending_port_of, s, s->by_send.message,
			     err) &&
		 !lines_init(&f->receiving, s->t->homes + s->t->n_ranks, receiving_port_of, s, NULL,
			     err) &&
		 !make_rooms(f, err))
		return 0;
	flow_release(f);
	return -1;
}

int flow_run(struct flow *f, enum scenario scenario, struct err *err)
{
	f->scenario = scenario;
	set_prices(f);
	if (is_without_ports(f))
		return share_run(f->hands, f->scene->t->n_ranks, pass_by, f, err);
	if (share_run(f->hands, f->sending.n, run_sending, f, err))
		return -1;
	return share_run(f->hands, f->receiving.n, run_receiving, f, err);
}

void flow_release(struct flow *f)
{
	for (unsigned k = 0; f->room && k < f->hands; k++) {
		turns_release(&f->room[k].turns);
		free(f->room[k].job);
	}
	free(f->room);
	lines_release(&f->receiving);
	lines_release(&f->sending);
	free(f->handshake);
	free(f->arrive_ns);
	free(f->held_ns);
	free(f->price);
	memset(f, 0, sizeof(*f));
}
