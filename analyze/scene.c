/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/scene.h"

#include <stdlib.h>
#include <string.h>

static uint8_t flags_of(const struct scene *s, const struct message *x,
			const struct machine *machine)
{
	const struct region *r = &s->t->regions[s->t->calls[x->send_call].region];
	enum locality class = machine_locality(s->t, x->src, x->dst);
	uint8_t flags = 0;

	if (class == LOCALITY_NETWORK)
		flags |= MESSAGE_NETWORK;
	if (x->bytes > machine->classes[class].eager_bytes && x->src != x->dst)
		flags |= MESSAGE_RENDEZVOUS;
	if (machine_is_synchronous(r) || flags & MESSAGE_RENDEZVOUS)
		flags |= MESSAGE_SYNCHRONOUS;
	if (r->kind == REGION_SEND || r->kind == REGION_SSEND)
		flags |= MESSAGE_BLOCKING;
	if (s->t->ranks[x->src].node != s->t->ranks[x->dst].node)
		flags |= MESSAGE_CLOCKS;
	if (r->kind == REGION_SENDRECV)
		flags |= MESSAGE_SENDRECV;
	if (message_is_dated(s->t, x))
		flags |= MESSAGE_DATED;
	return flags;
}

/*
 * The call that waits for message x, and since when: a Recv that follows a Probe began to
 * wait with the Probe, which x released.
 */
static int64_t asked_since(struct scene *s, uint32_t i)
{
	const struct message *x = &s->m->m[i];
	const struct call *done = &s->t->calls[x->recv_done], *before = done - 1;

	if (trace_call_kind(s->t, x->recv_done) == REGION_RECV &&
	    x->recv_done > s->t->ranks[x->dst].first_call && before->thread == done->thread &&
	    trace_call_kind(s->t, x->recv_done - 1) == REGION_PROBE) {
		s->release[x->recv_done - 1] = (struct release){i, 0, INT64_MAX};
		return before->enter_ns;
	}
	return done->enter_ns;
}

static void gather_facts(struct scene *s, uint32_t i, const struct machine *machine)
{
	const struct message *x = &s->m->m[i];
	uint32_t post = x->recv_call == TRACE_NONE ? x->recv_done : x->recv_call;

	s->facts[i] = (struct facts){
		.sent_ns = s->t->calls[x->send_call].enter_ns,
		.left_ns = s->t->calls[x->send_call].leave_ns,
		.posted_ns = s->t->calls[post].enter_ns,
		.asked_ns = asked_since(s, i),
		.done_ns = x->done_ns,
		.bytes = x->bytes,
		.src = x->src,
		.dst = x->dst,
		.flags = flags_of(s, x, machine),
		.taken_in = trace_call_kind(s->t, x->recv_done),
	};
}

/* Counting sort by send call; calls are in order of rank and entry already. */
static int sort_by_send(struct scene *s, struct err *err)
{
	uint32_t *at = calloc((size_t)s->t->n_calls + 1, sizeof(*at));

	if (!at)
		return err_set(err, "out of memory for %u calls", s->t->n_calls);
	for (uint32_t i = 0; i < s->m->n; i++)
		at[s->m->m[i].send_call + 1]++;
	for (uint32_t c = 0; c < s->t->n_calls; c++)
		at[c + 1] += at[c];
	for (uint32_t i = 0; i < s->m->n; i++)
		s->by_send[at[s->m->m[i].send_call]++] = i;
	free(at);
	return 0;
}

static int by_host(const void *a, const void *b, void *arg)
{
	const struct trace *t = arg;
	const struct rank *x = &t->ranks[*(const uint32_t *)a],
			  *y = &t->ranks[*(const uint32_t *)b];

	if (x->host && y->host)
		return strcmp(x->host, y->host);
	return x->node != y->node ? (x->node > y->node) - (x->node < y->node)
				  : !!x->host - !!y->host;
}

/* Number the hosts; without names a node is a host. */
static int number_hosts(struct scene *s, struct err *err)
{
	const struct trace *t = s->t;
	uint32_t *order = calloc((size_t)t->n_ranks + 1, sizeof(*order));

	if (!order)
		return err_set(err, "out of memory for %u ranks", t->n_ranks);
	for (uint32_t r = 0; r < t->n_ranks; r++)
		order[r] = r;
	qsort_r(order, t->n_ranks, sizeof(*order), by_host, (void *)t);
	for (uint32_t k = 0; k < t->n_ranks; k++) {
		if (k > 0 && machine_locality(t, order[k - 1], order[k]) == LOCALITY_NETWORK)
			s->hosts++;
		s->host[order[k]] = s->hosts;
	}
	s->hosts++;
	free(order);
	return 0;
}

int scene_init(struct scene *s, const struct trace *t, const struct messages *m,
	       const struct machine *machine, struct err *err)
{
	memset(s, 0, sizeof(*s));
	s->t = t;
	s->m = m;
	if (presence_init(&s->presence, t, err))
		return -1;
	if (unseen_init(&s->unseen, t, err))
		goto fail;
	s->facts = calloc((size_t)m->n + 1, sizeof(*s->facts));
	s->by_send = calloc((size_t)m->n + 1, sizeof(*s->by_send));
	s->host = calloc((size_t)t->n_ranks + 1, sizeof(*s->host));
	s->release = calloc((size_t)t->n_calls + 1, sizeof(*s->release));
	if (!s->facts || !s->by_send || !s->host || !s->release) {
		err_set(err, "out of memory for %u messages", m->n);
		goto fail;
	}
	for (uint32_t c = 0; c < t->n_calls; c++)
		s->release[c] = (struct release){TRACE_NONE, 0, INT64_MIN};
	for (uint32_t i = 0; i < m->n; i++) {
		messages_fetch(t, m, i);
		gather_facts(s, i, machine);
	}
	if (sort_by_send(s, err) || number_hosts(s, err))
		goto fail;
	return 0;
fail:
	scene_release(s);
	return -1;
}

int64_t scene_clock_error_ns(const struct scene *s, uint32_t i)
{
	if (!(s->facts[i].flags & MESSAGE_CLOCKS))
		return 0;
	return clock_pair_error_ns(s->t, s->clock, s->facts[i].src, s->facts[i].dst);
}

void scene_release(struct scene *s)
{
	free(s->release);
	free(s->host);
	free(s->by_send);
	free(s->facts);
	unseen_release(&s->unseen);
	presence_release(&s->presence);
	memset(s, 0, sizeof(*s));
}
