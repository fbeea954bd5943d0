/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/machine/machine_dating.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/tools/instants.h"

#define ENOUGH_MESSAGES 250000
#define LONGER          2 /* times the shortest call: it waited */

struct excerpt dating_first(const struct dating *d, uint32_t dst)
{
	return excerpts_next(d->looked_at, d->m->by_dst[dst], d->m->by_dst[dst + 1]);
}

struct excerpt dating_next(const struct dating *d, uint32_t dst, struct excerpt x)
{
	return excerpts_next(d->looked_at, x.to, d->m->by_dst[dst + 1]);
}

int dating_receiver_waited(const struct trace *t, const struct message *x)
{
	enum region_kind kind = trace_call_kind(t, x->recv_done);

	return t->calls[x->recv_done].enter_ns <= x->sent_ns &&
	       (kind == REGION_RECV || kind == REGION_WAIT || message_is_dated(t, x));
}

/* Did a message end the receiver's call, even if sent before that began? */
static int receiver_saw(const struct dating *d, const struct message *x, enum locality class)
{
	const struct call *done = &d->t->calls[x->recv_done];
	enum region_kind kind = trace_call_kind(d->t, x->recv_done);
	int64_t fastest = d->fastest[class][samples_bin(x->bytes)].ns;

	if (kind != REGION_RECV && kind != REGION_WAIT)
		return 0;
	/* one that was there already would have taken a small part of a transit */
	return dating_receiver_waited(d->t, x) ||
	       (fastest > 0 && done->leave_ns - done->enter_ns > fastest / 2);
}

/*
 * Did it come while the receiver was in the call that took it? One that finds its message there
 * takes about as long as the shortest.
 */
static int came_meanwhile(const struct dating *d, const struct message *x, enum locality class)
{
	const struct call *done = &d->t->calls[x->recv_done];

	return dating_receiver_waited(d->t, x) ||
	       done->leave_ns - done->enter_ns > LONGER * d->taken_ns[class][samples_bin(x->bytes)];
}

enum dated dating_of(const struct dating *d, const struct message *x, struct arrival *a)
{
	const struct call *send = &d->t->calls[x->send_call];
	enum locality class = machine_locality(d->t, x->src, x->dst);

	if (x->src == x->dst)
		return DATED_NOT;
	*a = (struct arrival){send->enter_ns, send->leave_ns, x->bytes, class,
			      came_meanwhile(d, x, class)};
	if (x->bytes > d->classes[class].eager_bytes &&
	    x->recv_call != TRACE_NONE) /* its data wait */
		a->sent_ns = later(a->sent_ns, d->t->calls[x->recv_call].enter_ns);
	if (dating_is_blocking(trace_call_kind(d->t, x->send_call)) &&
	    d->synchronous[send->region] && x->bytes <= d->classes[class].eager_bytes)
		return DATED_BY_SENDER;
	a->ns = x->done_ns;
	return receiver_saw(d, x, class) ? DATED_BY_RECEIVER : DATED_NOT;
}

static void take_least(int64_t *least_ns, int64_t ns)
{
	*least_ns = earlier(*least_ns ? *least_ns : INT64_MAX, ns);
}

static void take_fastest(struct fastest *f, const struct arrival *a)
{
	if (f->ns == 0 || a->ns - a->sent_ns < f->ns)
		*f = (struct fastest){a->ns - a->sent_ns, a->bytes};
}

static void find_fastest_of(struct dating *d, struct excerpt x,
			    struct fastest known[LOCALITY_COUNT][SAMPLE_BINS])
{
	struct arrival a = {0};

	for (uint32_t i = x.from; i < x.to; i++) {
		const struct message *y = &d->m->m[i];
		int bin = samples_bin(y->bytes);
		enum region_kind kind;
		enum dated dated;

		messages_fetch(d->t, d->m, i);
		dated = dating_of(d, y, &a);
		if (dated != DATED_NOT)
			take_fastest(&known[a.class][bin], &a);
		if (y->src == y->dst)
			continue;
		take_least(&d->least_ns[a.class][bin], y->done_ns - y->sent_ns);
		kind = trace_call_kind(d->t, y->recv_done);
		if (kind == REGION_RECV || kind == REGION_WAIT)
			take_least(&d->taken_ns[a.class][bin],
				   d->t->calls[y->recv_done].leave_ns -
					   d->t->calls[y->recv_done].enter_ns);
		d->has_returns |= dated == DATED_BY_SENDER;
	}
}

/* The fastest dated transits; one receiver's go by those of the receivers before it. */
static void find_fastest(struct dating *d)
{
	struct fastest known[LOCALITY_COUNT][SAMPLE_BINS];

	for (uint32_t r = 0; r < d->t->n_ranks; r++) {
		memcpy(known, d->fastest, sizeof(known));
		for (struct excerpt x = dating_first(d, r); x.from < x.to; x = dating_next(d, r, x))
			find_fastest_of(d, x, known);
		memcpy(d->fastest, known, sizeof(known));
	}
}

int dating_init(struct dating *d, const struct trace *t, const struct messages *m,
		const struct machine_class classes[LOCALITY_COUNT])
{
	*d = (struct dating){.t = t,
			     .m = m,
			     .classes = classes,
			     .looked_at = excerpts_of(m->n, ENOUGH_MESSAGES)};
	d->synchronous = calloc((size_t)t->n_regions + 1, 1);
	if (!d->synchronous)
		return -1;
	for (uint32_t i = 0; i < t->n_regions; i++)
		d->synchronous[i] = (uint8_t)machine_is_synchronous(&t->regions[i]);
	find_fastest(d);
	return 0;
}

void dating_release(struct dating *d)
{
	free(d->synchronous);
	d->synchronous = NULL;
}
