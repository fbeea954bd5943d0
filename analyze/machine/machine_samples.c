/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/machine/machine_samples.h"

#include <math.h>
#include <string.h>

#include "analyze/machine/machine_dating.h"
#include "analyze/matching/presence.h"
#include "analyze/tools/instants.h"
#include "analyze/tools/sorting.h"
#include "common/table.h"

#define ONE_AT_LEAST 0.75 /* others on average: as good as one */
#define ONE_AT_MOST  1.25
#define OFF_MOST_NS  (INT64_MAX / 8) /* clocks of which nothing is known */
#define BURST_MIN    4               /* messages; in shorter bursts the edges weigh too much */

/* What a call completes. */
struct taking {
	uint32_t receives;
	uint32_t last;          /* which of these messages was sent last */
	int64_t from_ns, to_ns; /* when the first and the last of them were sent */
};

/* Of one hand. */
struct room {
	struct taking *taking; /* of one receiver's calls */
	struct arrival *burst; /* of one receiver's messages */
};

struct taker {
	const struct trace *t;
	const struct messages *m;
	struct dating dating;     /* of the messages that are looked at */
	struct presence presence; /* if there are eager synchronous sends */
	struct beside *beside;    /* per message: see samples_find_crowds() */
	unsigned hands;
	struct room room[SHARE_MOST];
	struct sample_pieces pieces; /* the crowds', then one for each receiver */
};

/* A receiver at work. */
struct receiver {
	const struct taker *k;
	struct taking *taking; /* of its calls, from its first on */
	uint32_t first_call;
	struct arrival *burst;
	struct sample_notes *notes;
	int failed;
};

static void add(struct receiver *r, enum sample_kind kind, enum locality class, uint64_t bytes,
		int64_t ns)
{
	if (samples_note(r->notes, kind, class,
			 (struct sample){.ns = ns, .bytes = bytes, .message = TRACE_NONE}))
		r->failed = 1;
}

/* What message i took. */
static struct sample transit_of(const struct receiver *r, uint32_t i)
{
	const struct message *x = &r->k->m->m[i];
	struct beside b = r->k->beside[i];

	return (struct sample){x->done_ns - r->k->t->calls[x->send_call].enter_ns, x->bytes,
			       fmaxf(b.out, b.in), b.abroad, i};
}

static int is_one(float others)
{
	return others >= ONE_AT_LEAST && others <= ONE_AT_MOST;
}

/* What the call that completed a message completes. */
static const struct taking *taking_of(const struct receiver *r, const struct message *x)
{
	return &r->taking[x->recv_done - r->first_call];
}

/*
 * One other message has the same way to share at either end; but if that comes in, at the same
 * time, and the same call completes both, one of them is taken after the other.
 */
static void take_pair(struct receiver *r, uint32_t i, enum locality class, int64_t ns)
{
	const struct message *x = &r->k->m->m[i];
	const struct taking *y = taking_of(r, x);
	struct beside b = r->k->beside[i];

	if (message_is_dated(r->k->t, x) || r->k->t->calls[x->recv_done].enter_ns > y->from_ns)
		return;
	if (is_one(b.out) && b.in < SAMPLE_ALONE_MOST && y->receives == 1)
		add(r, SAMPLE_TAKEN_ALONE, class, x->bytes, ns);
	else if (is_one(b.in) && b.out < SAMPLE_ALONE_MOST && y->receives == 2 &&
		 y->to_ns - y->from_ns <= ns * SAMPLE_ALONE_MOST)
		add(r, SAMPLE_TAKEN_SECOND, class, x->bytes, ns);
}

/* A message whose receiver did nothing but wait for it. */
static void add_transit(struct receiver *r, enum locality class, int handshake, struct sample s)
{
	r->failed |= samples_note(r->notes, handshake ? SAMPLE_RENDEZVOUS : SAMPLE_TRANSIT, class,
				  s) != 0;
	if (s.crowd < SAMPLE_ALONE_MOST)
		r->failed |=
			samples_note(r->notes, handshake ? SAMPLE_ALONE_RENDEZVOUS : SAMPLE_ALONE,
				     class, s) != 0;
}

/* Did its receiver wait for it, alone or among others that had been sent before? */
static int was_waited_for(const struct receiver *r, uint32_t i)
{
	const struct trace *t = r->k->t;
	const struct message *x = &r->k->m->m[i];
	enum region_kind kind = trace_call_kind(t, x->recv_done);

	if (dating_receiver_waited(t, x))
		return 1;
	return (kind == REGION_WAITALL || kind == REGION_WAITSOME) &&
	       t->calls[x->recv_done].enter_ns <= x->sent_ns && taking_of(r, x)->last == i;
}

/* How long the sender was held, when receive and receiver were ready all along. */
static void take_return(struct receiver *r, const struct message *x, enum locality class)
{
	const struct trace *t = r->k->t;
	const struct call *send = &t->calls[x->send_call];
	uint32_t post = x->recv_call == TRACE_NONE ? x->recv_done : x->recv_call;

	if (t->calls[post].enter_ns <= send->enter_ns &&
	    presence_outside_ns(&r->k->presence, x->dst, post, send->enter_ns, send->leave_ns) == 0)
		add(r, SAMPLE_RETURN, class, x->bytes, send->leave_ns - send->enter_ns);
}

/* Was a blocking send still at it when its receiver asked? Its message need not have left. */
static int is_held(const struct trace *t, const struct message *x)
{
	const struct call *send = &t->calls[x->send_call], *done = &t->calls[x->recv_done];

	return trace_call_kind(t, x->send_call) == REGION_SEND && send->leave_ns > done->enter_ns;
}

/*
 * This message may have taken so much less than it seems, and the fastest so much more, by clocks
 * of which no more is known than of this one's.
 */
static int64_t clocks_off_ns(const struct trace *t, const struct message *x)
{
	return earlier(trace_clock_ahead_ns(t, x->src, x->dst), OFF_MOST_NS) +
	       earlier(trace_clock_ahead_ns(t, x->dst, x->src), OFF_MOST_NS);
}

/*
 * So much of the time since message i was sent its receiver's port may have needed for others, ns,
 * if that paced receives that took so long: they leave one by one, on average half are there.
 */
static double crowd_ns(const struct receiver *r, uint32_t i, int64_t took)
{
	double port_s = machine_slowest_port_s((double)r->k->m->m[i].bytes);

	return 2 * (double)r->k->beside[i].in * fmin((double)took, port_s * 1e9);
}

/*
 * A receive call that found its message there: it lasted a small part of the time since, by what
 * the clocks and others on their way to it leave of that, in which one that was as fast as the
 * fastest had come. Or began well on
 * the message's way and ended well after the fastest of its kind would have: the receiver, not the
 * message, was late. Of several that it completed each has its share of the call, which is asked by
 * the one that was sent last.
 */
static void take_receive(struct receiver *r, uint32_t i, enum locality class)
{
	const struct trace *t = r->k->t;
	const struct message *x = &r->k->m->m[i];
	const struct call *sent = &t->calls[x->send_call], *done = &t->calls[x->recv_done];
	enum region_kind kind = trace_call_kind(t, x->recv_done);
	int64_t took = done->leave_ns - done->enter_ns;
	int64_t off = clocks_off_ns(t, x);
	int64_t since = done->enter_ns - sent->enter_ns - off;
	int64_t fastest = r->k->dating.fastest[class][samples_bin(x->bytes)].ns, each = took;
	int64_t least = r->k->dating.least_ns[class][samples_bin(x->bytes)];

	if (kind == REGION_WAITALL && taking_of(r, x)->last == i) {
		fastest = least;
		each = took / taking_of(r, x)->receives;
	} else if (kind != REGION_RECV && kind != REGION_WAIT) {
		return;
	}
	if ((double)(done->enter_ns - sent->leave_ns - off - 10 * took) > crowd_ns(r, i, took) &&
	    since >= least)
		add(r, SAMPLE_RECEIVE, class, x->bytes, each);
	else if (is_held(t, x))
		return;
	else if (fastest > 0 && since > fastest / 2 && since + each > fastest + fastest / 4)
		add(r, SAMPLE_RECEIVE_LATE, class, x->bytes, each);
	else if (fastest > 0 && since > fastest / 2 && since + took > fastest + fastest / 4)
		add(r, SAMPLE_RECEIVE_MOST, class, x->bytes, each);
}

/*
 * A send that does not wait for its receiver, as far as is known. Of a size that may or may not,
 * one that blocks was too soon for a handshake or not: with that it takes two of three legs.
 */
static enum sample_kind posting_of(const struct receiver *r, const struct message *x,
				   enum locality class, int64_t took_ns)
{
	const struct dating *d = &r->k->dating;

	if (trace_call_kind(r->k->t, x->send_call) == REGION_ISEND ||
	    !machine_is_open(&d->classes[class], x->bytes) ||
	    2 * took_ns <= d->least_ns[class][samples_bin(x->bytes)])
		return SAMPLE_SEND;
	return SAMPLE_SEND_PERHAPS;
}

static void take_message(struct receiver *r, uint32_t i)
{
	const struct trace *t = r->k->t;
	const struct message *x = &r->k->m->m[i];
	const struct call *send = &t->calls[x->send_call];
	enum region_kind kind = trace_call_kind(t, x->send_call);
	enum locality class = machine_locality(t, x->src, x->dst);
	int synchronous = r->k->dating.synchronous[send->region];
	int handshake = x->bytes > r->k->dating.classes[class].eager_bytes;
	struct sample transit = transit_of(r, i);
	int64_t took = send->leave_ns - send->enter_ns;

	if (x->src == x->dst)
		return;
	if (was_waited_for(r, i))
		add_transit(r, class, handshake, transit);
	if (samples_note(r->notes, handshake ? SAMPLE_ANY_RENDEZVOUS : SAMPLE_ANY, class, transit))
		r->failed = 1;
	if (dating_is_blocking(kind) && synchronous && !handshake)
		take_return(r, x, class);
	else if (kind == REGION_ISEND || (dating_is_blocking(kind) && !handshake))
		add(r, posting_of(r, x, class, took), class, x->bytes, took);
	if (!handshake) {
		take_receive(r, i, class);
		take_pair(r, i, class, transit.ns);
	}
}

static int by_arrival(const void *a, const void *b)
{
	const struct arrival *x = a, *y = b;

	return x->ns != y->ns ? (x->ns > y->ns) - (x->ns < y->ns)
			      : (x->sent_ns > y->sent_ns) - (x->sent_ns < y->sent_ns);
}

/* What a message of that size takes at most if it is as fast as the fastest of about it, ns. */
static int64_t fast_ns(const struct dating *d, const struct arrival *a)
{
	const struct fastest *f = &d->fastest[a->class][samples_bin(a->bytes)];

	return a->bytes <= f->bytes || f->ns == 0 ? f->ns
						  : f->ns * (double)a->bytes / (double)f->bytes;
}

/*
 * Was b, of about the same size, sent so early that it could have been there when a arrived?
 * Then it queued, and what it queued for, call it the receiver's port, went from a to b
 * without a pause: the spacing of their arrivals is the port's time for one message.
 */
static int follows(const struct taker *k, const struct arrival *a, const struct arrival *b)
{
	return a->class == b->class && samples_bin(a->bytes) == samples_bin(b->bytes) &&
	       b->waited_for && b->sent_ns + fast_ns(&k->dating, b) <= a->ns;
}

static void take_bursts(struct receiver *r, struct excerpt x)
{
	size_t n = 0;

	for (uint32_t i = x.from; i < x.to; i++)
		n += dating_of(&r->k->dating, &r->k->m->m[i], &r->burst[n]) != DATED_NOT;
	sort(r->burst, n, sizeof(*r->burst), by_arrival);
	for (size_t first = 0, last; first < n; first = last + 1) {
		const struct arrival *a = &r->burst[first];

		for (last = first;
		     last + 1 < n && follows(r->k, &r->burst[last], &r->burst[last + 1]);)
			last++;
		if (last - first + 1 >= BURST_MIN)
			add(r, SAMPLE_SPACING, a->class, r->burst[last].bytes,
			    (r->burst[last].ns - a->ns) / (int64_t)(last - first));
	}
}

/* What its calls complete, and which of their messages was sent last. */
static void find_last_sent(struct receiver *r, uint32_t dst)
{
	const struct messages *m = r->k->m;

	for (uint32_t i = m->by_dst[dst]; i < m->by_dst[dst + 1]; i++)
		r->taking[m->m[i].recv_done - r->first_call].receives = 0;
	for (uint32_t i = m->by_dst[dst]; i < m->by_dst[dst + 1]; i++) {
		const struct message *x = &m->m[i];
		struct taking *y = &r->taking[x->recv_done - r->first_call];

		if (y->receives == 0 || x->sent_ns < y->from_ns)
			y->from_ns = x->sent_ns;
		if (y->receives == 0 || x->sent_ns > y->to_ns) {
			y->to_ns = x->sent_ns;
			y->last = i;
		}
		y->receives++;
	}
}

static int take_receiver(void *taker, unsigned hand, uint32_t dst, struct err *err)
{
	struct taker *k = taker;
	struct sample_notes *notes = &k->pieces.hand[hand];
	struct receiver r = {.k = k,
			     .taking = k->room[hand].taking,
			     .first_call = k->t->ranks[dst].first_call,
			     .burst = k->room[hand].burst,
			     .notes = notes};
	size_t from = notes->n;

	find_last_sent(&r, dst);
	for (struct excerpt x = dating_first(&k->dating, dst); x.from < x.to;
	     x = dating_next(&k->dating, dst, x)) {
		for (uint32_t i = x.from; i < x.to; i++) {
			messages_fetch(k->t, k->m, i);
			take_message(&r, i);
		}
		take_bursts(&r, x);
	}
	k->pieces.piece[k->t->n_ranks + dst] = (struct sample_piece){hand, from, notes->n};
	return r.failed ? err_set(err, "out of memory for %zu samples", notes->n) : 0;
}

/* Returns 0, or -1: out of memory. */
static int taker_init(struct taker *k)
{
	size_t messages = (size_t)messages_most(k->m, k->t->n_ranks) + 1, calls = 1;

	for (uint32_t r = 0; r < k->t->n_ranks; r++)
		calls = k->t->ranks[r].calls > calls ? k->t->ranks[r].calls : calls;
	k->beside = table_calloc((size_t)k->m->n + 1, sizeof(*k->beside));
	if (!k->beside || sample_pieces_init(&k->pieces, 2 * k->t->n_ranks))
		return -1;
	for (unsigned hand = 0; hand < k->hands; hand++) {
		k->room[hand].taking = table_alloc(calls, sizeof(struct taking));
		k->room[hand].burst = table_alloc(messages, sizeof(struct arrival));
		if (!k->room[hand].taking || !k->room[hand].burst)
			return -1;
	}
	return 0;
}

static void taker_release(struct taker *k)
{
	for (unsigned hand = 0; hand < k->hands; hand++) {
		table_free(k->room[hand].burst);
		table_free(k->room[hand].taking);
	}
	sample_pieces_release(&k->pieces);
	dating_release(&k->dating);
	table_free(k->beside);
	presence_release(&k->presence);
}

int samples_take(struct samples *out, const struct trace *t, const struct messages *m,
		 const struct machine_class classes[LOCALITY_COUNT], struct err *err)
{
	struct taker k = {.t = t, .m = m, .hands = share_hands()};
	int ret = -1;

	*out = (struct samples){.t = t, .m = m};
	if (dating_init(&k.dating, t, m, classes) || taker_init(&k)) {
		err_set(err, "out of memory for %u messages", m->n);
		goto out;
	}
	if ((k.dating.has_returns && presence_init(&k.presence, t, err)) ||
	    samples_find_crowds(k.beside, &k.pieces, out->without_core, t, m, err) ||
	    share_run(k.hands, t->n_ranks, take_receiver, &k, err) ||
	    samples_join(out, &k.pieces, err))
		goto out;
	ret = 0;
out:
	if (ret)
		samples_release(out);
	taker_release(&k);
	return ret;
}
