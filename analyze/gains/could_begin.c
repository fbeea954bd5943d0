/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/gains/could_begin.h"

#include <string.h>

#include "analyze/gains/retime.h"
#include "analyze/tools/instants.h"
#include "common/table.h"

int could_begin_init(struct could_begin *c, const struct evidence_base *b, struct err *err)
{
	size_t calls = (size_t)b->t->n_calls + 1;

	*c = (struct could_begin){.b = b};
	c->to = table_calloc(calls, sizeof(*c->to));
	c->past = table_calloc(calls, sizeof(*c->past));
	return c->to && c->past ? 0 : err_set(err, "out of memory for %u calls", b->t->n_calls);
}

void could_begin_release(struct could_begin *c)
{
	table_free(c->past);
	table_free(c->to);
}

/* Until when a call only waited for others to come: what it did after that may fill it. */
static int64_t idle_until_ns(const struct evidence_base *b, uint32_t call)
{
	return b->t->calls[call].enter_ns +
	       slices_sum(&b->a->call, call, 1u << COST_late_partner | 1u << COST_collective_wait);
}

/*
 * Per call the rank's next in MPI, of one that sends the next that does not send to the same rank;
 * one past its last, if none. Many sends, and many calls that are not MPI's, are one step so.
 */
static void find_past(const struct trace *t, const uint32_t *to, uint32_t *past)
{
	for (uint32_t r = 0; r < t->n_ranks; r++) {
		uint32_t first = t->ranks[r].first_call, end = first + t->ranks[r].calls;
		uint32_t next = end; /* in MPI */

		for (uint32_t c = end; c-- > first;) {
			int is_mpi = trace_call_kind(t, c) != REGION_OTHER;

			past[c] = next;
			if (is_mpi && next < end && to[c] != TRACE_NONE && to[next] == to[c])
				past[c] = past[next];
			if (is_mpi)
				next = c;
		}
	}
}

static void find_to(struct could_begin *c)
{
	const struct evidence_base *b = c->b;

	memset(c->to, 0xff, b->t->n_calls * sizeof(*c->to));
	for (uint32_t i = 0; i < b->m->n; i++) {
		c->to[b->m->m[i].send_call] = b->m->m[i].dst;
		if (b->m->m[i].send_done != TRACE_NONE)
			c->to[b->m->m[i].send_done] = b->m->m[i].dst;
	}
	find_past(b->t, c->to, c->past);
	c->has_to = 1;
}

/* Could its rank begin with what src has for it, in this call? */
static int could_answer(const struct could_begin *c, uint32_t call, uint32_t src)
{
	return c->to[call] != src && trace_call_kind(c->b->t, call) != REGION_OTHER;
}

/*
 * Not in sends to the message's own sender: who answers sends when it has received, and that is
 * what they wait for.
 */
int64_t could_begin_ns(struct could_begin *c, uint32_t i, int64_t from_ns)
{
	const struct trace *t = c->b->t;
	const struct message *x = &c->b->m->m[i];
	uint32_t post = x->recv_call, first = t->ranks[x->dst].first_call, next;

	if (!c->has_to)
		find_to(c);
	next = presence_call_before(&c->b->a->presence, x->dst, post, from_ns);
	next = next == TRACE_NONE ? first : next + 1;
	for (uint32_t k = next; k > first && t->calls[k - 1].leave_ns > from_ns; k--)
		if (could_answer(c, k - 1, x->src) && idle_until_ns(c->b, k - 1) > from_ns)
			return from_ns;
	while (next < post && !could_answer(c, next, x->src))
		next = c->past[next];
	return t->calls[next < post ? next : post].enter_ns;
}

int64_t could_begin_computing_ns(const struct could_begin *c, uint32_t i, int64_t from_ns)
{
	const struct trace *t = c->b->t;
	const struct message *x = &c->b->m->m[i];
	const struct presence *p = &c->b->a->presence;
	int64_t posted_ns = t->calls[x->recv_call].enter_ns, next_ns;
	uint32_t call;

	if (x->send_done == TRACE_NONE)
		return posted_ns;
	from_ns = later(from_ns, t->calls[x->send_done].enter_ns);
	call = presence_call_before(p, x->dst, x->recv_call, from_ns);
	if (call != TRACE_NONE && trace_call_kind(t, call) != REGION_OTHER)
		from_ns = later(from_ns, t->calls[call].leave_ns);
	if (from_ns >= posted_ns)
		return posted_ns;
	next_ns = earlier(presence_next_ns(p, x->dst, x->recv_call, from_ns), posted_ns);
	return next_ns - from_ns >= retime_way_ns(c->b, i) ? from_ns : posted_ns;
}
