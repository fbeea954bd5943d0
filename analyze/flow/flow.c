/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/flow/flow.h"

#include "analyze/tools/instants.h"
#include "analyze/tools/share.h"
#include "common/table.h"

#include <stdlib.h>
#include <string.h>

#define STALL_NOISE_NS 5000 /* an eager send may be this much slower without being held back */

/* Messages are visited out of order: so many ahead theirs are fetched. */
#define FACTS_AHEAD 64
#define CALLS_AHEAD 16

int flow_has(const struct machine *machine, enum scenario scenario)
{
	int handlers = 0, crowds = 0, open = 0, progress = 0;

	for (int k = 0; k < LOCALITY_COUNT; k++) {
		const struct machine_class *c = &machine->classes[k];

		handlers |= c->n > 0 && c->joint & (MACHINE_JOINT_O_R | MACHINE_JOINT_L_G);
		crowds |= c->n > 0 && (c->crowding > 0 || c->company > 0 || c->vague > 0 ||
				       c->slow || c->without_core);
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

/* Do messages move without the calls of that end? Where nothing tells, by the scenario. */
static int does_without(const struct flow *f, double progress)
{
	return progress_moves(progress) ||
	       (f->scenario == SCENARIO_PROGRESS && progress_is_open(progress));
}

/* The handshake of a rendezvous: request, posted receive, attentive receiver, answer. */
static void shake_hands(const struct flow *f, uint32_t i, struct passage *c)
{
	const struct scene *s = f->scene;
	const struct facts *x = &s->facts[i];
	const struct price *price = flow_price(f, i);
	const struct machine_progress *p = flow_progress(f, i);
	int64_t met_ns = later(flow_base_ns(x, price) + price->handshake_ns, x->posted_ns),
		answer_ns;

	c->attended_ns = met_ns;
	if (!does_without(f, p->receiver))
		c->attended_ns = earlier(
			presence_next_ns(s->presence, x->dst, x->recv_done, met_ns), x->done_ns);
	c->attended_ns = later(c->attended_ns, met_ns);
	answer_ns = c->attended_ns + price->handshake_ns;
	c->data_ns = answer_ns;
	if (!(x->flags & MESSAGE_BLOCKING) && !does_without(f, p->sender))
		c->data_ns = earlier(presence_next_ns(s->presence, x->src, x->send_done, answer_ns),
				     later(answer_ns, x->done_ns));
}

/* Was an eager send held back, and not only by its port? */
static int is_stalled(const struct facts *x, const struct price *p, int64_t held_ns)
{
	int64_t usual_ns = later(p->g_ns, p->o_s_ns) + p->slack_ns + STALL_NOISE_NS;

	return (x->flags & (MESSAGE_BLOCKING | MESSAGE_SYNCHRONOUS)) == MESSAGE_BLOCKING &&
	       p->known && x->left_ns - flow_base_ns(x, p) - held_ns > usual_ns;
}

/* The data of message i, whose handshake is over, leave, and arrive but for the receiver's port. */
static void leave(const struct flow *f, uint32_t i, struct passage *c)
{
	const struct facts *x = &f->scene->facts[i];
	const struct price *p = flow_price(f, i);

	if (!(x->flags & MESSAGE_RENDEZVOUS))
		c->data_ns = flow_base_ns(x, p);
	c->arrive_ns = c->data_ns + c->held_ns;
	if (is_stalled(x, p, c->held_ns)) {
		c->data_ns = x->left_ns - p->g_ns;
		c->arrive_ns = later(c->arrive_ns, c->data_ns);
	}
	c->arrive_ns += p->wire_ns;
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

/* Message i at its port; in place, as what is written in pieces is slow to copy as a whole. */
static void make_job(struct flow *f, enum side side, uint32_t i, struct turns_job *j)
{
	const struct facts *x = &f->scene->facts[i];
	const struct price *p = flow_price(f, i);
	struct passage *c = flow_at(f, i);
	int in_turn = flow_is_in_turn(f, i);

	if (side == RECEIVING) {
		leave(f, i, c);
		j->ready_ns = in_turn ? c->data_ns + p->wire_ns : c->arrive_ns;
		j->ready_ns -= p->g_ns;
	} else if (x->flags & MESSAGE_RENDEZVOUS) {
		shake_hands(f, i, c);
		j->ready_ns = c->data_ns;
	} else {
		j->ready_ns = flow_base_ns(x, p);
	}
	j->limit_ns = flow_limit_ns(f, i);
	j->work_ns = p->g_ns;
	j->connection = !in_turn ? 0 : side == SENDING ? x->dst : x->src;
	j->message = i;
}

static void take_job(struct flow *f, enum side side, const struct turns_job *j)
{
	struct passage *c = flow_at(f, j->message);

	if (side == SENDING)
		c->held_ns = later(0, j->done_ns - j->ready_ns - j->work_ns);
	else
		c->arrive_ns = later(c->arrive_ns, j->done_ns);
}

/* What n messages to come need: theirs, and calls if they wait for those; all out of order. */
static void fetch(const struct flow *f, enum side side, const uint32_t *message, uint32_t n)
{
	const struct scene *s = f->scene;
	const struct facts *x;

	if (n <= FACTS_AHEAD)
		return;
	prefetch(&s->facts[message[FACTS_AHEAD]]);
	prefetch(flow_at(f, message[FACTS_AHEAD]));
	x = &s->facts[message[CALLS_AHEAD]];
	if (side == RECEIVING || !(x->flags & MESSAGE_RENDEZVOUS))
		return;
	presence_fetch(s->presence, x->recv_done);
	if (x->send_done != TRACE_NONE)
		presence_fetch(s->presence, x->send_done);
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
		fetch(f, side, message + k, n - k);
		make_job(f, side, message[k], &room->job[k]);
		if (flow_is_side_by_side(f, message[k]))
			room->job[k].connection = k;
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

struct passage flow_pass(const struct flow *f, uint32_t i)
{
	struct passage c = {0};

	if (f->scene->facts[i].flags & MESSAGE_RENDEZVOUS)
		shake_hands(f, i, &c);
	leave(f, i, &c);
	return c;
}

/* Messages past ports that hold up nobody: in the order of their table. */
static void pass_by(const struct flow *f, uint32_t from, uint32_t to)
{
	for (uint32_t i = from; i < to; i++)
		*flow_at(f, i) = flow_pass(f, i);
}

static int pass_rank(void *flow, unsigned hand, uint32_t rank, struct err *err)
{
	const struct flow *f = flow;
	const struct messages *m = f->scene->m;

	(void)hand, (void)err;
	pass_by(f, m->by_dst[rank], m->by_dst[rank + 1]);
	return 0;
}

void flow_receive(struct flow *x, uint32_t first, uint32_t n)
{
	x->first = first;
	x->n = n;
	pass_by(x, first, first + n);
}

int flow_branch(struct flow *x, const struct flow *f, enum scenario scenario, struct err *err)
{
	*x = *f;
	x->passage = NULL;
	x->scenario = scenario;
	x->price = table_calloc((size_t)f->scene->sizes->n + 1, sizeof(*x->price));
	if (!x->price)
		return err_set(err, "out of memory for %u sizes", f->scene->sizes->n);
	set_prices(x);
	if (is_without_ports(x) && !f->crossings.links)
		return 1;
	flow_unbranch(x);
	return 0;
}

void flow_unbranch(struct flow *x)
{
	table_free(x->price);
	memset(x, 0, sizeof(*x));
}

static int make_rooms(struct flow *f, struct err *err)
{
	size_t sending = lines_most(&f->sending), receiving = lines_most(&f->receiving);
	size_t most = sending > receiving ? sending : receiving;
	int apart = f->machine->classes[LOCALITY_NETWORK].side_by_side != 0;
	size_t ranks = f->scene->t->n_ranks;

	f->hands = share_hands();
	f->room = calloc(f->hands, sizeof(*f->room));
	for (unsigned k = 0; f->room && k < f->hands; k++) {
		f->room[k].job = table_alloc(most + 1, sizeof(*f->room[k].job));
		if (!f->room[k].job)
			return err_set(err, "out of memory for %zu messages of a port", most);
		if (turns_init(&f->room[k].turns, apart && most > ranks ? most : ranks, err))
			return -1;
	}
	return f->room ? 0 : err_set(err, "out of memory for %u threads", f->hands);
}

/* The messages of all ports of one side: a piece. */
static int line_up(void *flow, unsigned hand, uint32_t side, struct err *err)
{
	struct flow *f = flow;
	const struct scene *s = f->scene;

	(void)hand;
	if (side == SENDING)
		return lines_init(&f->sending, 2 * s->t->n_ranks, sending_port_of, s,
				  s->by_send.message, err);
	return lines_init(&f->receiving, s->t->homes + s->t->n_ranks, receiving_port_of, s, NULL,
			  err);
}

int flow_init(struct flow *f, const struct scene *s, const struct machine *machine, struct err *err)
{
	size_t n = (size_t)s->m->n + 1;
	int has_links = machine->topology.shape.dimensions > 0;

	memset(f, 0, sizeof(*f));
	f->scene = s;
	f->machine = machine;
	f->price = table_calloc((size_t)s->sizes->n + 1, sizeof(*f->price));
	f->n = s->m->n;
	f->passage = table_calloc(n, sizeof(*f->passage));
	f->ported_ns = has_links ? table_calloc(n, sizeof(*f->ported_ns)) : NULL;
	if (!f->price || !f->passage || (has_links && !f->ported_ns))
		err_set(err, "out of memory for %u messages", s->m->n);
	else if (!share_run(share_hands(), 2, line_up, f, err) && !make_rooms(f, err) &&
		 !crossings_init(&f->crossings, s, machine, err))
		return 0;
	flow_release(f);
	return -1;
}

int flow_run(struct flow *f, enum scenario scenario, struct err *err)
{
	f->scenario = scenario;
	set_prices(f);
	if (is_without_ports(f) && !f->crossings.links)
		return share_run(f->hands, f->scene->t->n_ranks, pass_rank, f, err);
	if (share_run(f->hands, f->sending.n, run_sending, f, err))
		return -1;
	if (share_run(f->hands, f->receiving.n, run_receiving, f, err))
		return -1;
	return f->crossings.links ? flow_cross(f, err) : 0;
}

void flow_release(struct flow *f)
{
	for (unsigned k = 0; f->room && k < f->hands; k++) {
		turns_release(&f->room[k].turns);
		table_free(f->room[k].job);
	}
	free(f->room);
	crossings_release(&f->crossings);
	lines_release(&f->receiving);
	lines_release(&f->sending);
	table_free(f->ported_ns);
	table_free(f->passage);
	table_free(f->price);
	memset(f, 0, sizeof(*f));
}
