/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/attribution/walk.h"

#include "analyze/tools/instants.h"

#include <assert.h>

#define PART(name) COST_##name, COST_##name /* certain */

void walk_to(struct walk *w, int64_t end_ns, enum cost part, enum cost alt)
{
	end_ns = earlier(end_ns, w->end_ns);
	if (end_ns <= w->at_ns)
		return;
	assert(w->n < WALK_LEGS);
	w->leg[w->n++] = (struct leg){end_ns, part, alt};
	w->at_ns = end_ns;
}

/* Append a leg of given length that does not pass end. */
static void walk_for(struct walk *w, int64_t ns, int64_t end_ns, enum cost part, enum cost alt)
{
	walk_to(w, earlier(w->at_ns + later(0, ns), end_ns), part, alt);
}

int64_t walk_arrival_ns(const struct walk *w)
{
	int64_t ns = w->start_ns;

	for (int k = 0; k < w->n; k++) {
		const struct leg *leg = &w->leg[k];
		enum cost c = leg->part == COST_not_identifiable ? leg->alt : leg->part;

		if (c == COST_wire || c == COST_sender_port || c == COST_receiver_port ||
		    c == COST_network_contention)
			ns = w->leg[k].end_ns;
	}
	return ns;
}

int64_t walk_part_ns(const struct walk *w, enum cost part)
{
	int64_t at = w->start_ns, ns = 0;

	for (const struct leg *leg = w->leg; leg < w->leg + w->n; at = leg++->end_ns)
		ns += leg->part == part ? leg->end_ns - at : 0;
	return ns;
}

void walk_add(const struct walk *w, struct tally_pairs *p)
{
	int64_t at = w->start_ns;

	for (const struct leg *leg = w->leg; leg < w->leg + w->n; at = leg++->end_ns)
		p->ns[leg->part][leg->alt] += leg->end_ns - at;
}

int64_t walk_clip(const struct walk *w, int n, int64_t from_ns, int64_t to_ns, struct tally *t)
{
	int64_t at = w->start_ns, covered = 0;

	for (int k = 0; k < n; k++) {
		int64_t a = later(at, from_ns), b = earlier(w->leg[k].end_ns, to_ns);

		at = w->leg[k].end_ns;
		if (b <= a)
			continue;
		tally_add(t, w->leg[k].part, w->leg[k].alt, b - a);
		covered += b - a;
	}
	return covered;
}

/* What is needed all the way. */
struct way {
	const struct handlings *h;
	const struct flow *f;
	const struct scene *s;
	uint32_t i;
	const struct facts *x;
	const struct price *p;
	const struct arrival *a;
	const struct passage *c;
	int64_t queue_ns;  /* left of its time in the handler's queue, by the replay */
	int64_t handle_ns; /* its own handling begins, when its completion is measured back */
	int64_t held_ns;   /* until here the message held a synchronous sender, or INT64_MAX */
};

/* The end of the send's call says when MPI was done with the send, and with nothing else. */
static int return_tells(const struct way *y)
{
	return !(y->x->flags & (MESSAGE_SYNCHRONOUS | MESSAGE_SENDRECV));
}

/* Time from here on that its receiver spends outside MPI. */
static int64_t outside_ns(const struct way *y, const struct walk *w, struct presence_near *near,
			  int64_t to_ns)
{
	return presence_outside_again_ns(y->s->presence, y->x->dst, near, w->at_ns, to_ns);
}

/* Up to when its receive was posted. */
static void walk_post(const struct way *y, struct walk *w, int64_t posted_ns)
{
	int unknown = y->x->flags & MESSAGE_UNPOSTED;

	walk_to(w, posted_ns, unknown ? COST_not_identifiable : COST_late_partner,
		COST_late_partner);
}

/* A handshake waits for an end that computes, if it has to. */
static void walk_ignored(struct walk *w, int64_t end_ns, double progress)
{
	walk_to(w, end_ns, progress_is_open(progress) ? COST_not_identifiable : COST_inattention,
		COST_inattention);
}

/* An eager send that was held back: its receiver's buffers were full, if they can have been. */
static void walk_stall(const struct way *y, struct walk *w, int64_t end_ns)
{
	enum vacancy_says room = vacancy_for(&y->h->vacancy, y->i);

	if (room == VACANCY_FREE) {
		walk_to(w, end_ns, COST_not_identifiable, COST_back_pressure);
		return;
	}
	walk_for(w, outside_ns(y, w, &w->held, end_ns), end_ns, COST_inattention,
		 room == VACANCY_FULL ? COST_inattention : COST_back_pressure);
	walk_to(w, end_ns, COST_back_pressure,
		room == VACANCY_FULL ? COST_back_pressure : COST_send_overhead);
}

/*
 * The handshake of a rendezvous. How long its request is on its way is known only if L is; what
 * it is less, the request waited longer for its receive.
 */
static void walk_handshake(const struct way *y, struct walk *w, int64_t base_ns)
{
	const struct machine_progress *progress = flow_progress(y->f, y->i);
	int64_t request_ns = base_ns + y->p->handshake_ns;

	if (y->p->joint)
		walk_to(w, earlier(request_ns, y->x->posted_ns), COST_wire, COST_late_partner);
	walk_to(w, request_ns, PART(wire));
	walk_post(y, w, later(request_ns, y->x->posted_ns));
	walk_ignored(w, y->c->attended_ns, progress->receiver);
	walk_to(w, y->c->attended_ns + y->p->handshake_ns, PART(wire));
	walk_ignored(w, y->c->data_ns, progress->sender);
}

/* Did its call wait for another that came later, and tells of this one only that it had come? */
static int is_hidden(const struct way *y)
{
	return !y->a->is_waited_for && y->a->came_ns == INT64_MAX &&
	       y->x->taken_in != REGION_RECV && y->x->taken_in != REGION_WAIT;
}

/*
 * In a port by the replay. Where none was seen busy, a port's time is the most that it can be:
 * whether it held up a message that may have been there long before is not known.
 */
static void walk_port(const struct way *y, struct walk *w, int64_t end_ns, enum cost port,
		      enum cost alt)
{
	if (y->p->joint && is_hidden(y)) {
		walk_to(w, earlier(end_ns, y->a->since_ns), port, alt);
		walk_to(w, end_ns, COST_not_identifiable, port);
	}
	walk_to(w, end_ns, port, alt);
}

/* Up to the data's departure, and through the sender's port and the wire. */
static void walk_departure(const struct way *y, struct walk *w)
{
	int64_t base_ns = flow_base_ns(y->x, y->p), data_ns = y->c->data_ns;
	int64_t held_ns = y->c->held_ns, free_ns = data_ns + held_ns;

	walk_to(w, base_ns, PART(send_overhead));
	if (y->x->flags & MESSAGE_RENDEZVOUS) {
		walk_handshake(y, w, base_ns);
	} else if (flow_is_stalled(y->f, y->i)) {
		free_ns = later(base_ns + held_ns, data_ns);
		walk_to(w, earlier(base_ns + held_ns, data_ns), PART(sender_port));
		walk_stall(y, w, data_ns);
	} else if (return_tells(y)) {
		walk_to(w, y->x->left_ns, PART(send_overhead));
	}
	walk_to(w, data_ns + y->p->wire_ns, PART(wire));
	walk_port(y, w, free_ns + y->p->wire_ns, COST_sender_port, COST_sender_port);
}

/* It seems not to have arrived; it may have waited to be asked for, or while others were taken. */
static void walk_doubted(const struct way *y, struct walk *w, int64_t idle_ns)
{
	int64_t asked_ns = earlier(y->x->asked_ns, idle_ns);

	if (asked_ns > w->at_ns)
		walk_for(w, outside_ns(y, w, &w->unasked, asked_ns), asked_ns,
			 COST_network_contention, COST_inattention);
	walk_to(w, asked_ns, COST_network_contention, COST_uncollected);
	walk_to(w, idle_ns, COST_network_contention, COST_handler_contention);
}

/* Proven: not arrived at the last instant when the receiver had nothing to do but wait. */
static void walk_network(struct way *y, struct walk *w)
{
	const struct facts *x = y->x;
	int64_t idle_ns;

	if (x->flags & MESSAGE_TESTED)
		walk_to(w, earlier(y->s->m->m[y->i].not_here_ns, y->handle_ns),
			PART(network_contention));
	if (y->a->since_ns != INT64_MIN)
		walk_to(w, earlier(y->a->since_ns, y->handle_ns), PART(network_contention));
	if (!y->a->is_waited_for)
		return;
	idle_ns = earlier(handler_idle_ns(y->h->a->h, y->i, y->handle_ns), y->a->came_ns);
	idle_ns = earlier(idle_ns, handlings_idle_ns(y->h, y->i));
	if (idle_ns > x->asked_ns && y->a->is_doubted)
		walk_doubted(y, w, earlier(idle_ns, y->handle_ns));
	else if (idle_ns > x->asked_ns)
		walk_to(w, earlier(idle_ns, y->handle_ns), PART(network_contention));
}

/* Queueing for the handler as long as the replay has it, up to end. */
static void walk_queue(struct way *y, struct walk *w, int64_t end_ns)
{
	int64_t before = w->at_ns;

	walk_for(w, y->queue_ns, end_ns, COST_handler_contention, COST_network_contention);
	y->queue_ns -= w->at_ns - before;
}

/*
 * A synchronous sender is still held although receive and receiver are there: the data are
 * not, or their handling waits.
 */
static void walk_held(struct way *y, struct walk *w)
{
	double progress = flow_progress(y->f, y->i)->receiver;
	int64_t end_ns, outside;

	if (y->held_ns == INT64_MAX)
		return;
	end_ns = earlier(y->held_ns, y->handle_ns);
	outside = outside_ns(y, w, &w->held, end_ns);
	if (!(y->s->facts[y->i].flags & MESSAGE_RENDEZVOUS) || progress_waits(progress))
		walk_for(w, outside, end_ns, PART(inattention));
	else if (progress_moves(progress))
		walk_for(w, outside, end_ns, COST_network_contention, COST_inattention);
	else
		walk_for(w, outside, end_ns, COST_not_identifiable, COST_inattention);
	walk_queue(y, w, end_ns);
	walk_to(w, end_ns, COST_network_contention, COST_handler_contention);
}

/*
 * One of several that its call took, at a moment that the trace does not tell: as it came, when the
 * others before it were handled.
 */
static void walk_together(struct way *y, struct walk *w, enum cost hidden)
{
	int64_t taken_ns = handlings_taken_ns(y->h, y->i);
	int at_once = y->a->is_at_once;

	if (!at_once)
		walk_to(w, earlier(y->a->guess_ns, taken_ns), hidden, COST_uncollected);
	walk_to(w, taken_ns, COST_handler_contention, hidden);
	walk_to(w, taken_ns + y->p->o_r_ns, PART(receive_overhead));
	walk_to(w, w->end_ns, COST_uncollected, at_once ? COST_receive_overhead : hidden);
}

/* There before its receiver asked for it. */
static void walk_unasked(struct way *y, struct walk *w, int64_t asked_ns, enum cost hidden)
{
	int came = hidden != COST_network_contention;
	int64_t from_ns = w->at_ns;

	w->unasked.to = y->x->recv_done; /* which asks, or the Probe before it */
	walk_for(w, outside_ns(y, w, &w->unasked, asked_ns), asked_ns, COST_inattention,
		 came ? COST_inattention : hidden);
	if (y->queue_ns < asked_ns - w->at_ns)
		y->queue_ns =
			later(y->queue_ns, handlings_busy_ns(y->h, &w->handled, from_ns, asked_ns));
	walk_queue(y, w, asked_ns);
	walk_to(w, asked_ns, COST_uncollected, hidden);
}

/* From the (estimated) arrival to the own handling: what was the receiver doing? */
static void walk_receiver(struct way *y, struct walk *w)
{
	const struct facts *x = y->x;
	int64_t asked_ns = earlier(x->asked_ns, y->handle_ns);
	int came = y->a->came_ns != INT64_MAX; /* that it had arrived is known, not estimated */
	enum cost hidden = COST_network_contention;

	if (asked_ns > w->at_ns)
		walk_unasked(y, w, asked_ns, came ? COST_uncollected : hidden);
	if (y->a->is_waited_for) {
		walk_to(w, y->handle_ns, COST_handler_contention, hidden);
	} else if (x->taken_in == REGION_TEST) {
		walk_to(w, y->handle_ns, COST_receive_overhead, COST_uncollected);
	} else if (scene_is_together(y->s, y->i)) {
		walk_together(y, w, came ? COST_uncollected : hidden);
	} else if (y->a->is_at_once) {
		walk_to(w, y->handle_ns, COST_receive_overhead, COST_uncollected);
	} else if (came) {
		walk_to(w, y->handle_ns, PART(uncollected));
	} else {
		walk_to(w, earlier(y->a->guess_ns, y->handle_ns), hidden, COST_uncollected);
		walk_to(w, y->handle_ns, COST_uncollected, hidden);
	}
}

/* Without parameters only the partner's lateness can be told. */
static void walk_unknown(const struct way *y, struct walk *w)
{
	if (return_tells(y))
		walk_to(w, y->x->left_ns, PART(send_overhead));
	else if (y->x->flags & MESSAGE_SYNCHRONOUS)
		walk_post(y, w, y->x->posted_ns);
	w->sender_n = w->n;
	w->sender_ns = w->at_ns;
	walk_to(w, w->end_ns, COST_not_identifiable, COST_network_contention);
}

/*
 * When the sender was let go, if that says anything: its own call waited for this message. An
 * eager message's acknowledgement proves that it had come. A rendezvous lets go when some buffer
 * has the data.
 */
static void see_sender_return(struct way *y)
{
	const struct scene *s = y->s;
	const struct message *x = &s->m->m[y->i];
	unsigned flags = y->x->flags;

	y->held_ns = INT64_MAX;
	if (!scene_let_go(s, y->i))
		return;
	/* a call that found the send done, some time before, does not tell how long it was held */
	if (flags & MESSAGE_BLOCKING ||
	    x->send_done_ns - s->t->calls[x->send_done].enter_ns > ARRIVALS_AT_ONCE_NS)
		y->held_ns = flags & MESSAGE_RENDEZVOUS ? x->send_done_ns : y->a->came_ns;
}

void walk_message(const struct handlings *h, uint32_t i, struct walk *w)
{
	const struct flow *f = h->a->f;
	const struct scene *s = f->scene;
	const struct facts *x = &s->facts[i];
	struct way y = {.h = h, .f = f, .s = s, .i = i, .x = x, .p = flow_price(f, i)};
	unsigned eager_sync = x->flags & (MESSAGE_SYNCHRONOUS | MESSAGE_RENDEZVOUS);

	w->price = y.p;
	w->clock_error_ns = scene_clock_error_ns(s, i);
	w->n = w->sender_n = 0;
	w->start_ns = w->at_ns = w->sender_ns = x->sent_ns;
	w->end_ns = later(w->start_ns, x->done_ns);
	if (x->src == x->dst) {
		walk_own(s, i, w);
		walk_judge(s, i, w);
		return;
	}
	if (!y.p->known) {
		walk_unknown(&y, w);
		return;
	}
	y.c = flow_at(f, i);
	y.queue_ns = h->a->h->begin_ns[i - h->first] - y.c->arrive_ns;
	y.a = arrivals_at(h->a, i);
	y.handle_ns = w->end_ns - y.p->o_r_ns;
	see_sender_return(&y);
	walk_departure(&y, w);
	if (!(x->flags & MESSAGE_SYNCHRONOUS)) {
		w->sender_n = w->n;
		w->sender_ns = w->at_ns;
	}
	walk_port(&y, w, earlier(flow_ported_ns(f, i), y.handle_ns), COST_receiver_port,
		  y.p->joint ? COST_network_contention : COST_receiver_port);
	walk_to(w, earlier(y.c->arrive_ns, y.handle_ns), COST_network_contention,
		y.a->is_waited_for ? COST_network_contention : COST_uncollected);
	if (eager_sync == MESSAGE_SYNCHRONOUS)
		walk_post(&y, w, x->posted_ns);
	walk_network(&y, w);
	walk_held(&y, w);
	if (x->flags & MESSAGE_SYNCHRONOUS) {
		w->sender_n = w->n;
		w->sender_ns = w->at_ns;
	}
	walk_receiver(&y, w);
	walk_to(w, w->end_ns, PART(receive_overhead));
	walk_judge(s, i, w);
}
