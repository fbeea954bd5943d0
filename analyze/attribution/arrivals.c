/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/attribution/arrivals.h"

#include "analyze/tools/instants.h"
#include "common/table.h"

#include <string.h>

/* What a call takes that waits for nothing is not known without a machine file. */
static int is_coincidence(const struct flow *f, const struct facts *x, const struct passage *c)
{
	return f->machine->source != MACHINE_FILE &&
	       x->asked_ns - c->arrive_ns > ARRIVALS_COINCIDENCE * (x->done_ns - x->asked_ns);
}

static int is_at_once(const struct facts *x, const struct price *p)
{
	int64_t usual_ns = 2 * p->o_r_ns + later(ARRIVALS_AT_ONCE_NS, p->empty_ns);

	return x->done_ns - x->asked_ns <= usual_ns;
}

/*
 * It ended a call that took several. Did that last no longer than it takes to find and handle each,
 * and one more? Then all of them may have been there.
 */
static int may_be_there(const struct arrivals *a, uint32_t i)
{
	const struct scene *s = a->f->scene;
	const struct facts *x = &s->facts[i];
	const struct price *p = &a->f->price[x->size];
	int64_t handled_ns = p->o_r_ns + later(ARRIVALS_AT_ONCE_NS, p->empty_ns);
	uint32_t from = i, to = i + 1;

	if (!scene_is_together(s, i) || x->flags & MESSAGE_DATED)
		return 0;
	while (s->facts[from].with_before)
		from--;
	while (s->facts[to].with_before)
		to++;
	for (uint32_t k = from; k < to; k++)
		handled_ns += a->f->price[s->facts[k].size].o_r_ns + ARRIVALS_AT_ONCE_NS;
	return x->done_ns - x->asked_ns <= handled_ns;
}

/* Might its call have waited for nothing but this message? */
static int is_awaited_alone(const struct facts *x)
{
	if (x->src == x->dst) /* nobody waits for himself */
		return 0;
	switch (x->taken_in) {
	case REGION_RECV:
	case REGION_WAIT:
		return 1;
	case REGION_SENDRECV:
	case REGION_WAITALL:
	case REGION_WAITSOME:
		return !!(x->flags & (MESSAGE_DATED | MESSAGE_ENDS_RECEIVE));
	default:
		return 0;
	}
}

static int64_t came_ns(const struct scene *s, uint32_t i, const struct price *p)
{
	const struct facts *x = &s->facts[i];

	if (x->src == x->dst) /* on no way at all */
		return x->left_ns;
	if (!scene_let_go(s, i) || x->flags & MESSAGE_RENDEZVOUS)
		return INT64_MAX;
	return s->m->m[i].send_done_ns - p->handshake_ns - p->o_r_ns;
}

/* Not here before, by what its receiver did: the last instant at which it did nothing but wait. */
static int64_t proven_ns(const struct arrivals *a, uint32_t i, const struct price *p)
{
	const struct scene *s = a->f->scene;
	const struct facts *x = &s->facts[i];
	const struct arrival *y = arrivals_at(a, i);
	int64_t handle_ns = x->done_ns - p->o_r_ns, since_ns = INT64_MIN, idle_ns;

	if (x->flags & MESSAGE_TESTED)
		since_ns = earlier(s->m->m[i].not_here_ns, handle_ns);
	if (!y->is_waited_for || y->is_doubted)
		return since_ns;
	idle_ns = earlier(handler_idle_ns(a->h, i, handle_ns), y->came_ns);
	return idle_ns > x->asked_ns ? later(since_ns, idle_ns) : since_ns;
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
static int64_t follow(const struct arrivals *a, uint32_t i, const struct price *p,
		      struct last *last)
{
	const struct scene *s = a->f->scene;
	const struct facts *x = &s->facts[i];
	int64_t not_before_ns = INT64_MIN, since_ns;
	uint64_t bytes;

	if (!(x->flags & MESSAGE_NETWORK))
		return not_before_ns;
	bytes = s->sizes->size[x->size].bytes;
	if (last->is_known && last->src == x->src && last->bytes <= bytes &&
	    last->comm == s->m->m[i].comm)
		not_before_ns = last->since_ns;
	if (x->flags & MESSAGE_RENDEZVOUS)
		return not_before_ns;
	since_ns = later(proven_ns(a, i, p), not_before_ns);
	if (since_ns != INT64_MIN)
		*last = (struct last){since_ns, bytes, s->m->m[i].comm, x->src, 1};
	return not_before_ns;
}

/* What a call waited for, which was seen to come: how long its data took and by the replay. */
struct seen {
	uint32_t call;
	uint32_t message; /* TRACE_NONE: none, or it was no later than the replay has it */
	int64_t took_ns;
	int64_t replay_ns;
};

static struct seen look(const struct flow *f, uint32_t call)
{
	const struct scene *s = f->scene;
	const struct release *r = &s->release[call];
	struct seen seen = {.call = call, .message = TRACE_NONE};
	const struct facts *x;
	struct passage c;
	int64_t end_ns;

	if (r->message == TRACE_NONE)
		return seen;
	x = &s->facts[r->message];
	if (r->as_sender && !(x->flags & MESSAGE_SYNCHRONOUS))
		return seen;
	end_ns = r->as_sender ? s->m->m[r->message].send_done_ns
			      : x->done_ns - flow_price(f, r->message)->o_r_ns;
	c = flow_passage(f, r->message);
	if (!r->as_sender && is_coincidence(f, x, &c))
		return seen;
	seen.took_ns = end_ns - c.data_ns;
	seen.replay_ns = c.arrive_ns - c.data_ns;
	if (seen.replay_ns > 0 && seen.took_ns > seen.replay_ns)
		seen.message = r->message;
	return seen;
}

static int64_t guess_ns(const struct arrivals *a, uint32_t i, int64_t since_ns,
			const struct seen *last)
{
	const struct passage *c = flow_at(a->f, i);
	int64_t replay_ns = c->arrive_ns, arrive_ns = later(replay_ns, since_ns), took_ns;

	if (last->message == TRACE_NONE || last->message == i)
		return arrive_ns;
	took_ns = replay_ns - c->data_ns;
	return later(arrive_ns, replay_ns - took_ns +
					(int64_t)((double)took_ns * (double)last->took_ns /
						  (double)last->replay_ns));
}

void arrivals_run(struct arrivals *a)
{
	const struct scene *s = a->f->scene;
	uint32_t n = a->h->n, first = a->h->first;
	const uint32_t *message = s->to + first;
	struct seen seen = {.call = TRACE_NONE};
	struct last last = {0};

	a->first = first;
	for (uint32_t k = 0; k < n; k++) {
		uint32_t i = message[k];
		struct arrival *y = &a->arrival[i - first];
		const struct facts *x = &s->facts[i];
		const struct price *p = &a->f->price[x->size];

		if (n - k > MESSAGES_AHEAD) {
			prefetch(&s->facts[message[k + MESSAGES_AHEAD]]);
			prefetch(&s->m->m[message[k + MESSAGES_AHEAD]].comm);
			prefetch(&s->m->m[message[k + MESSAGES_AHEAD]].send_done_ns);
		}
		prefetch(&s->release[x->recv_done]); /* for look() */
		y->came_ns = came_ns(s, i, p);
		y->is_at_once = is_at_once(x, p) || is_coincidence(a->f, x, flow_at(a->f, i));
		y->is_waited_for = !y->is_at_once && is_awaited_alone(x);
		y->is_doubted = y->is_waited_for && may_be_there(a, i);
		y->since_ns = follow(a, i, p, &last);
	}
	for (uint32_t i = first; i < first + n; i++) {
		struct arrival *y = &a->arrival[i - first];

		if (s->facts[i].recv_done != seen.call)
			seen = look(a->f, s->facts[i].recv_done);
		y->guess_ns = guess_ns(a, i, y->since_ns, &seen);
	}
}

int arrivals_init(struct arrivals *a, const struct handler *h, struct err *err)
{
	uint32_t n = h->f->scene->most;

	*a = (struct arrivals){.f = h->f, .h = h};
	a->arrival = table_alloc((size_t)n + 1, sizeof(*a->arrival));
	return a->arrival ? 0 : err_set(err, "out of memory for %u messages of a receiver", n);
}

void arrivals_release(struct arrivals *a)
{
	table_free(a->arrival);
	memset(a, 0, sizeof(*a));
}
