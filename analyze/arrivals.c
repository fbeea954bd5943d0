/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/arrivals.h"

#include "analyze/instants.h"

#include <stdlib.h>
#include <string.h>

int arrivals_at_once(const struct flow *f, uint32_t i)
{
	const struct price *p = flow_price(f, i);
	int64_t usual_ns = 2 * p->o_r_ns + later(ARRIVALS_AT_ONCE_NS, p->empty_ns);

	return f->scene->facts[i].done_ns - f->scene->facts[i].asked_ns <= usual_ns;
}

int arrivals_waited_for(const struct flow *f, uint32_t i)
{
	const struct scene *s = f->scene;
	const struct facts *x = &s->facts[i];

	if (x->src == x->dst) /* nobody waits for himself */
		return 0;
	switch (x->taken_in) {
	case REGION_RECV:
	case REGION_WAIT:
		return !arrivals_at_once(f, i);
	case REGION_SENDRECV:
	case REGION_WAITALL:
	case REGION_WAITSOME:
		return x->flags & (MESSAGE_DATED | MESSAGE_ENDS_RECEIVE) && !arrivals_at_once(f, i);
	default:
		return 0;
	}
}

int64_t arrivals_came_ns(const struct flow *f, uint32_t i)
{
	const struct scene *s = f->scene;
	const struct facts *x = &s->facts[i];
	const struct price *p;

	if (x->src == x->dst) /* on no way at all */
		return x->left_ns;
	if (!scene_let_go(s, i) || x->flags & MESSAGE_RENDEZVOUS)
		return INT64_MAX;
	p = flow_price(f, i);
	return s->m->m[i].send_done_ns - p->handshake_ns - p->o_r_ns;
}

/* Not here before, by what its receiver did: the last instant at which it did nothing but wait. */
static int64_t proven_ns(const struct arrivals *a, uint32_t i)
{
	const struct flow *f = a->f;
	const struct scene *s = f->scene;
	int64_t handle_ns = s->facts[i].done_ns - flow_price(f, i)->o_r_ns, idle_ns;
	int64_t since_ns = s->facts[i].flags & MESSAGE_TESTED
				   ? earlier(s->m->m[i].not_here_ns, handle_ns)
				   : INT64_MIN;

	if (!arrivals_waited_for(f, i))
		return since_ns;
	idle_ns = earlier(handler_idle_ns(a->h, i, handle_ns), arrivals_came_ns(f, i));
	return idle_ns > s->facts[i].asked_ns ? later(since_ns, idle_ns) : since_ns;
}

/* The latest that is known of the connection at hand. */
struct last {
	int64_t since_ns;
	uint64_t bytes;
	uint32_t comm;
	uint32_t src;
	int is_known;
};

/*
 * Message i cannot have been there before one that was sent before it on the same way and is no
 * larger: a connection keeps the order. One that makes a handshake first may be overtaken.
 */
static void follow(struct arrivals *a, uint32_t i, struct last *last)
{
	const struct message *x = &a->f->scene->m->m[i];
	unsigned flags = a->f->scene->facts[i].flags;
	int64_t *not_before_ns = &a->since_ns[i - a->first], since_ns;

	*not_before_ns = INT64_MIN;
	if (!(flags & MESSAGE_NETWORK))
		return;
	if (last->is_known && last->src == x->src && last->comm == x->comm &&
	    last->bytes <= x->bytes)
		*not_before_ns = last->since_ns;
	if (flags & MESSAGE_RENDEZVOUS)
		return;
	since_ns = later(proven_ns(a, i), *not_before_ns);
	if (since_ns != INT64_MIN)
		*last = (struct last){since_ns, x->bytes, x->comm, x->src, 1};
}

void arrivals_run(struct arrivals *a)
{
	const struct scene *s = a->f->scene;
	const uint32_t *message = s->to.message + a->h->first;
	struct last last = {0};

	a->first = a->h->first;
	for (uint32_t k = 0; k < a->h->n; k++)
		follow(a, message[k], &last);
}

/* What message i took on its way: since its data left, up to end. */
static int64_t flown_ns(const struct flow *f, uint32_t i, int64_t end_ns)
{
	struct departure d;

	flow_depart(f, i, f->held_ns[i], &d);
	return end_ns - d.data_ns;
}

int64_t arrivals_guess_ns(const struct arrivals *a, uint32_t i)
{
	const struct scene *s = a->f->scene;
	const struct release *r = &s->release[s->facts[i].recv_done];
	int64_t arrive_ns = later(a->f->arrive_ns[i], arrivals_since_ns(a, i)), took_ns, last_ns,
		replay_ns;
	int64_t end_ns;

	if (r->message == TRACE_NONE || r->message == i ||
	    (r->as_sender && !(s->facts[r->message].flags & MESSAGE_SYNCHRONOUS)))
		return arrive_ns;
	end_ns = r->as_sender ? s->m->m[r->message].send_done_ns
			      : s->facts[r->message].done_ns - flow_price(a->f, r->message)->o_r_ns;
	last_ns = flown_ns(a->f, r->message, end_ns);
	replay_ns = flown_ns(a->f, r->message, a->f->arrive_ns[r->message]);
	if (replay_ns <= 0 || last_ns <= replay_ns)
		return arrive_ns;
	took_ns = flown_ns(a->f, i, a->f->arrive_ns[i]);
	return later(arrive_ns,
		     a->f->arrive_ns[i] - took_ns +
			     (int64_t)((double)took_ns * (double)last_ns / (double)replay_ns));
}

int arrivals_init(struct arrivals *a, const struct handler *h, struct err *err)
{
	uint32_t n = messages_most(h->f->scene->m, h->f->scene->t->n_ranks);

	*a = (struct arrivals){.f = h->f, .h = h};
	a->since_ns = malloc(((size_t)n + 1) * sizeof(*a->since_ns));
	return a->since_ns ? 0 : err_set(err, "out of memory for %u messages of a receiver", n);
}

void arrivals_release(struct arrivals *a)
{
	free(a->since_ns);
	memset(a, 0, sizeof(*a));
}
