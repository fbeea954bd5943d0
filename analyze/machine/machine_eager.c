/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The eager threshold, from sends that returned before or only after their receive, and from
 * messages that took their whole time from a post on, however long before it they had been sent.
 */
#include "analyze/machine/machine_fit.h"
#include "analyze/tools/excerpts.h"
#include "analyze/tools/instants.h"
#include "common/table.h"

#include <math.h>

#define MARGIN_NS 100000  /* a return this long before or after the post is no accident of clocks */
#define NEAR_NS   1000    /* nor this long before it, of one clock */
#define SHORT_NS  10000   /* this long on one side of it, always on that, may be none */
#define HELD_MIN  3       /* sends of a size held back before it counts as rendezvous */
#define ENOUGH    250000  /* messages of about a size that are all looked at; */
#define EVERY     8       /* of more, excerpts */
#define LATE_MIN  10      /* posts before it counts that their messages came only after them */
#define LATE_FLAT 4       /* and their time varies so much less than since when they were sent */
#define ALL_MOST  1000000 /* messages among which calls that wait for many are looked at */

static const uint64_t assumed_bytes[LOCALITY_COUNT] = {
	[LOCALITY_NODE] = 4096,
	[LOCALITY_NETWORK] = 65536,
};

uint64_t machine_eager_default(enum locality where)
{
	return assumed_bytes[where];
}

/* Sends of about a size that came back only after a late post, by one kind of evidence. */
struct held {
	uint32_t n;
	uint64_t bytes;     /* the smallest of them */
	int64_t soonest_ns; /* the least from a post to when its message was there */
};

/* Messages of about a size that were sent long before their post, a blocking receive's. */
struct late {
	uint32_t n, quick; /* quick: there sooner than some processor handles what it has */
	uint64_t bytes;    /* the smallest of them */
	double before[2];  /* sums of how long before, s, and of its square; */
	double after[2];   /* likewise from the post until it was there */
};

struct seen {
	uint64_t eager_bytes; /* largest that was seen to leave early */
	int eager;
	uint64_t perhaps_bytes; /* likewise, if it was not the clocks */
	int perhaps;
	struct held held[SAMPLE_BINS];     /* for long */
	struct held followed[SAMPLE_BINS]; /* for longer than what was left to do after the post */
	struct late late[SAMPLE_BINS];
	int64_t transit_ns;             /* the least of any message whose receive had been posted */
	uint32_t messages[SAMPLE_BINS]; /* so far, that were looked at or not */
};

/* Sizes that few messages have are seen, however many others there are. */
static int is_looked_at(struct seen *s, uint32_t i, uint64_t bytes)
{
	return s->messages[samples_bin(bytes)]++ < ENOUGH ||
	       excerpts_has((struct excerpts){EVERY}, i);
}

static void take_largest(uint64_t *most, int *any, uint64_t bytes)
{
	*most = bytes > *most ? bytes : *most;
	*any = 1;
}

static void take_held(struct held *h, uint64_t bytes, int64_t transfer_ns)
{
	h->bytes = h->n && h->bytes < bytes ? h->bytes : bytes;
	h->soonest_ns = h->n ? earlier(h->soonest_ns, transfer_ns) : transfer_ns;
	h->n++;
}

/* Are their clocks known well enough for short times between them, to 3.5 sigma? */
static int is_dated(const struct trace *t, uint32_t src, uint32_t dst)
{
	return trace_clock_ahead_ns(t, src, dst) <= 2 * SHORT_NS / 7;
}

/*
 * One plain send, its receive seen to be posted. alone: that the call returned that waited for it
 * means that it was done.
 */
static void see(struct seen *s, const struct message *x, const struct trace *t, int alone)
{
	int64_t waits = t->calls[x->send_done].enter_ns, posted = t->calls[x->recv_call].enter_ns;
	int64_t returned = t->calls[x->send_done].leave_ns;
	int same = t->ranks[x->src].clock == t->ranks[x->dst].clock;
	uint64_t bytes = x->bytes;
	int bin = samples_bin(bytes);

	if (posted <= x->sent_ns)
		s->transit_ns = earlier(s->transit_ns, x->done_ns - x->sent_ns);
	if (posted - returned > (same ? NEAR_NS : MARGIN_NS))
		take_largest(&s->eager_bytes, &s->eager, bytes);
	else if (posted - returned > SHORT_NS)
		take_largest(&s->perhaps_bytes, &s->perhaps, bytes);
	if (returned < posted || !alone)
		return;
	if (posted - waits >= MARGIN_NS)
		take_held(&s->held[bin], bytes, x->done_ns - posted);
	if (posted - waits >= SHORT_NS && posted - waits >= returned - posted &&
	    is_dated(t, x->src, x->dst) && !trace_lacks_core(t, x->src) &&
	    !trace_lacks_core(t, x->dst))
		take_held(&s->followed[bin], bytes, x->done_ns - posted);
}

static void take_sums(double sums[2], int64_t ns)
{
	sums[0] += ns * 1e-9;
	sums[1] += ns * 1e-9 * (ns * 1e-9);
}

/*
 * A blocking receive that is posted after message i had time enough: with a port that had time for
 * it, too, it takes no longer than a processor and its memory, unless the message was held back.
 */
static void see_late(struct seen *s, const struct trace *t, const struct messages *m, uint32_t i)
{
	const struct message *x = &m->m[i];
	struct late *l = &s->late[samples_bin(x->bytes)];
	int64_t posted = t->calls[x->recv_call].enter_ns, after = x->done_ns - posted;

	if (x->recv_call != x->recv_done || trace_call_kind(t, x->recv_call) != REGION_RECV ||
	    posted - x->sent_ns < MARGIN_NS + after ||
	    (i > 0 && m->m[i - 1].dst == x->dst && m->m[i - 1].done_ns > posted - after) ||
	    trace_lacks_core(t, x->src) || trace_lacks_core(t, x->dst))
		return;
	l->bytes = l->n && l->bytes < x->bytes ? l->bytes : x->bytes;
	l->n++;
	l->quick += after * 1e-9 <= machine_slowest_handling_s(x->bytes);
	take_sums(l->before, posted - x->sent_ns);
	take_sums(l->after, after);
}

static double variance(const double sums[2], uint32_t n)
{
	return fmax(0, sums[1] / n - sums[0] / n * (sums[0] / n));
}

/* All came so long after their posts, and not after their sends, which nobody's way is like. */
static int is_late(const struct late *l)
{
	return l->n >= LATE_MIN && !l->quick &&
	       variance(l->before, l->n) > LATE_FLAT * variance(l->after, l->n);
}

/*
 * The smallest of about a size that were held back; UINT64_MAX: none. A short time counts if none
 * as large came back before the post, and no message was there after it sooner than one can come.
 */
static uint64_t held_bytes(const struct seen *s, int bin)
{
	const struct held *h = &s->held[bin], *f = &s->followed[bin];
	uint64_t bytes = UINT64_MAX;

	if (h->n >= HELD_MIN)
		bytes = h->bytes;
	if (f->n >= HELD_MIN && f->soonest_ns >= s->transit_ns / 2 &&
	    (!s->perhaps || f->bytes > s->perhaps_bytes))
		bytes = f->bytes < bytes ? f->bytes : bytes;
	if (is_late(&s->late[bin]))
		bytes = s->late[bin].bytes < bytes ? s->late[bin].bytes : bytes;
	return !s->eager || bytes > s->eager_bytes ? bytes : UINT64_MAX;
}

/* The default, moved below what was held back and above what was seen to leave. */
static void decide(const struct seen *s, uint64_t assumed, struct machine_class *c)
{
	uint64_t held = UINT64_MAX;

	for (int b = 0; b < SAMPLE_BINS; b++)
		held = held_bytes(s, b) < held ? held_bytes(s, b) : held;
	/* Nothing ever left early: then the few that were held as well are no accident. */
	for (int b = 0; b < SAMPLE_BINS && held < UINT64_MAX && !s->eager; b++)
		if (s->held[b].n && s->held[b].bytes < held)
			held = s->held[b].bytes;
	c->eager_assumed = !s->eager && held == UINT64_MAX;
	c->eager_bytes = assumed;
	c->open_above = s->eager_bytes;
	c->open_upto = held < UINT64_MAX ? held - !!held : held;
	if (held <= assumed)
		c->eager_bytes = s->eager ? s->eager_bytes : held ? held - 1 : 0;
	else if (s->eager && s->eager_bytes > assumed)
		c->eager_bytes = s->eager_bytes;
}

/* May its send show whether it waits for its receive? Some return whatever the receiver does. */
static int may_tell(const struct trace *t, const struct message *x)
{
	const struct region *send = &t->regions[t->calls[x->send_call].region];

	return x->src != x->dst && x->send_done != TRACE_NONE && message_is_posted(t, x) &&
	       !machine_is_synchronous(send) && send->mode != REGION_BUFFERED &&
	       (send->kind == REGION_SEND || send->kind == REGION_ISEND ||
		send->kind == REGION_SENDRECV);
}

static void see_all(struct seen *seen, const struct trace *t, const struct messages *m)
{
	for (uint32_t i = 0; i < m->n; i++) {
		const struct message *x = &m->m[i];
		struct seen *s = &seen[machine_locality(t, x->src, x->dst)];

		if (!is_looked_at(s, i, x->bytes))
			continue;
		messages_fetch_all(t, m, i);
		if (!may_tell(t, x))
			continue;
		see(s, x, t,
		    trace_call_kind(t, x->send_call) == REGION_SEND ||
			    trace_call_kind(t, x->send_done) == REGION_WAIT);
		see_late(s, t, m, i);
	}
}

/*
 * Per call that waits for many sends, and for nothing else: 1 + the message that is posted last,
 * for which it must wait if it does for any; otherwise 0.
 */
static void find_last(uint32_t *last, const struct trace *t, const struct messages *m)
{
	const uint32_t others = TRACE_NONE;

	for (uint32_t i = 0; i < m->n; i++) {
		const struct message *x = &m->m[i];
		uint32_t *of = x->send_done == TRACE_NONE ? NULL : &last[x->send_done];

		last[x->recv_done] = others;
		if (of && !may_tell(t, x))
			*of = others;
		else if (of && *of != others &&
			 (!*of || t->calls[m->m[*of - 1].recv_call].enter_ns <
					  t->calls[x->recv_call].enter_ns))
			*of = i + 1;
	}
}

/* Of sends that calls wait for together. Returns 0, or -1 with *err set (out of memory). */
static int see_waitalls(struct seen *seen, const struct trace *t, const struct messages *m,
			struct err *err)
{
	uint32_t *last;

	if (m->n > ALL_MOST)
		return 0;
	last = table_calloc((size_t)t->n_calls + 1, sizeof(*last));
	if (!last)
		return err_set(err, "out of memory for %u calls", t->n_calls);
	find_last(last, t, m);
	for (uint32_t c = 0; c < t->n_calls; c++)
		if (last[c] && last[c] != TRACE_NONE && trace_call_kind(t, c) == REGION_WAITALL) {
			const struct message *x = &m->m[last[c] - 1];

			see(&seen[machine_locality(t, x->src, x->dst)], x, t, 1);
		}
	table_free(last);
	return 0;
}

int machine_find_eager(const struct trace *t, const struct messages *m,
		       struct machine_class classes[LOCALITY_COUNT], struct err *err)
{
	struct seen seen[LOCALITY_COUNT] = {0};

	for (int k = 0; k < LOCALITY_COUNT; k++)
		seen[k].transit_ns = INT64_MAX;
	see_all(seen, t, m);
	if (see_waitalls(seen, t, m, err))
		return -1;
	for (int k = 0; k < LOCALITY_COUNT; k++)
		decide(&seen[k], assumed_bytes[k], &classes[k]);
	return 0;
}
