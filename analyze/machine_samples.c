/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/machine_samples.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/presence.h"
#include "analyze/sorting.h"
#include "common/huge.h"

#define ENOUGH_MESSAGES 500000 /* of more, only every so many are looked at */
#define ALONE_AT_MOST   0.05   /* others on average: as good as none */
#define ONE_AT_LEAST    0.75   /* others on average: as good as one */
#define ONE_AT_MOST     1.25
#define BURST_MIN       4 /* messages; in shorter bursts the edges weigh too much */

/* What a call completes. */
struct taking {
	uint32_t receives;
	uint32_t last;          /* which of these messages was sent last */
	int64_t from_ns, to_ns; /* when the first and the last of them were sent */
};

struct taker {
	struct samples *out;
	const struct trace *t;
	const struct messages *m;
	const uint64_t *eager_bytes;
	struct presence presence;
	struct taking *taking; /* per call */
	struct beside *beside; /* per message: see samples_find_crowds() */
	struct arrival *burst; /* room for one receiver's messages */
	int64_t fastest_ns[LOCALITY_COUNT][SAMPLE_BINS]; /* transit of any dated arrival */
	int failed;
};

/* When a message had certainly arrived, for burst spacings. */
struct arrival {
	int64_t sent_ns;
	int64_t ns;
	uint64_t bytes;
	uint8_t class;
};

int samples_bin(uint64_t bytes)
{
	return bytes ? 64 - __builtin_clzll(bytes) : 0;
}

int samples_note(struct samples *out, enum sample_kind kind, enum locality class, uint64_t bytes,
		 int64_t ns, struct beside beside)
{
	if (ns < 0) /* clocks disagree: no evidence */
		return 0;
	if (out->n == out->room) {
		size_t room = out->room ? 2 * out->room : 4096;
		struct sample *s = huge_pages(reallocarray(out->s, room, sizeof(*s)));

		if (!s)
			return -1;
		out->s = s;
		out->room = room;
	}
	out->s[out->n++] = (struct sample){ns,
					   bytes,
					   fmaxf(beside.out, beside.in),
					   beside.abroad,
					   kind,
					   class,
					   samples_bin(bytes)};
	return 0;
}

static void add(struct taker *k, enum sample_kind kind, enum locality class, uint64_t bytes,
		int64_t ns)
{
	if (samples_note(k->out, kind, class, bytes, ns, (struct beside){0}))
		k->failed = 1;
}

static int is_one(float others)
{
	return others >= ONE_AT_LEAST && others <= ONE_AT_MOST;
}

/*
 * One other message has the same way to share at either end; but if that comes in, at the same time,
 * and the same call completes both, one of them is taken after the other.
 */
static void take_pair(struct taker *k, uint32_t i, enum locality class, int64_t ns)
{
	const struct message *x = &k->m->m[i];
	const struct taking *y = &k->taking[x->recv_done];
	struct beside b = k->beside[i];

	if (message_is_dated(k->t, x) || k->t->calls[x->recv_done].enter_ns > y->from_ns)
		return;
	if (is_one(b.out) && b.in < ALONE_AT_MOST && y->receives == 1)
		add(k, SAMPLE_TAKEN_ALONE, class, x->bytes, ns);
	else if (is_one(b.in) && b.out < ALONE_AT_MOST && y->receives == 2 &&
		 y->to_ns - y->from_ns <= ns * ALONE_AT_MOST)
		add(k, SAMPLE_TAKEN_SECOND, class, x->bytes, ns);
}

/* A message whose receiver did nothing but wait for it. */
static void add_transit(struct taker *k, uint32_t i, enum locality class, int handshake, int64_t ns)
{
	uint64_t bytes = k->m->m[i].bytes;
	struct beside beside = k->beside[i];

	if (samples_note(k->out, handshake ? SAMPLE_RENDEZVOUS : SAMPLE_TRANSIT, class, bytes, ns,
			 beside))
		k->failed = 1;
	if (fmaxf(beside.out, beside.in) < ALONE_AT_MOST)
		add(k, handshake ? SAMPLE_ALONE_RENDEZVOUS : SAMPLE_ALONE, class, bytes, ns);
}

/* Did the receiver wait in a call that this message alone ended, since before the send? */
static int receiver_waited(const struct taker *k, uint32_t i)
{
	const struct message *x = &k->m->m[i];
	enum region_kind kind = trace_call_kind(k->t, x->recv_done);

	if (k->t->calls[x->recv_done].enter_ns > x->sent_ns)
		return 0;
	if (message_is_dated(k->t, x))
		return 1;
	if (kind == REGION_WAITALL || kind == REGION_WAITSOME)
		return k->taking[x->recv_done].last == i;
	return kind == REGION_RECV || kind == REGION_WAIT;
}

/* Did message i end the receiver's call, even if sent before that began? */
static int receiver_saw(const struct taker *k, uint32_t i)
{
	const struct message *x = &k->m->m[i];
	const struct call *done = &k->t->calls[x->recv_done];
	enum region_kind kind = trace_call_kind(k->t, x->recv_done);
	enum locality class = machine_locality(k->t, x->src, x->dst);
	int64_t fastest = k->fastest_ns[class][samples_bin(x->bytes)];

	if (kind != REGION_RECV && kind != REGION_WAIT)
		return 0;
	/* one that was there already would have taken a small part of a transit */
	return receiver_waited(k, i) ||
	       (fastest > 0 && done->leave_ns - done->enter_ns > fastest / 2);
}

static int is_blocking_send(enum region_kind kind)
{
	return kind == REGION_SEND || kind == REGION_SSEND;
}

/* How long the sender was held, when receive and receiver were ready all along. */
static void take_return(struct taker *k, const struct message *x, enum locality class)
{
	const struct call *send = &k->t->calls[x->send_call];
	uint32_t post = x->recv_call == TRACE_NONE ? x->recv_done : x->recv_call;

	if (k->t->calls[post].enter_ns <= send->enter_ns &&
	    presence_outside_ns(&k->presence, x->dst, post, send->enter_ns, send->leave_ns) == 0)
		add(k, SAMPLE_RETURN, class, x->bytes, send->leave_ns - send->enter_ns);
}

/*
 * A receive call that found its message there: it lasted a small part of the time since. Or began
 * well on the message's way and ended well after the fastest of its kind would have: the
 * receiver, not the message, was late.
 */
static void take_receive(struct taker *k, const struct message *x, enum locality class)
{
	const struct call *sent = &k->t->calls[x->send_call], *done = &k->t->calls[x->recv_done];
	enum region_kind kind = trace_call_kind(k->t, x->recv_done);
	int64_t took = done->leave_ns - done->enter_ns, since = done->enter_ns - sent->enter_ns;
	int64_t fastest = k->fastest_ns[class][samples_bin(x->bytes)];

	if (kind != REGION_RECV && kind != REGION_WAIT)
		return;
	if (done->enter_ns - sent->leave_ns > 10 * took)
		add(k, SAMPLE_RECEIVE, class, x->bytes, took);
	else if (fastest > 0 && since > fastest / 2 && since + took > fastest + fastest / 4)
		add(k, SAMPLE_RECEIVE_LATE, class, x->bytes, took);
}

static void take_message(struct taker *k, uint32_t i)
{
	const struct message *x = &k->m->m[i];
	const struct call *send = &k->t->calls[x->send_call];
	enum region_kind kind = trace_call_kind(k->t, x->send_call);
	enum locality class = machine_locality(k->t, x->src, x->dst);
	int synchronous = machine_is_synchronous(&k->t->regions[send->region]);
	int handshake = x->bytes > k->eager_bytes[class];
	int64_t transit = x->done_ns - send->enter_ns;

	if (x->src == x->dst)
		return;
	if (receiver_waited(k, i))
		add_transit(k, i, class, handshake, transit);
	if (samples_note(k->out, handshake ? SAMPLE_ANY_RENDEZVOUS : SAMPLE_ANY, class, x->bytes,
			 transit, k->beside[i]))
		k->failed = 1;
	if (is_blocking_send(kind) && synchronous && !handshake)
		take_return(k, x, class);
	else if (kind == REGION_ISEND || (is_blocking_send(kind) && !handshake))
		add(k, SAMPLE_SEND, class, x->bytes, send->leave_ns - send->enter_ns);
	if (!handshake) {
		take_receive(k, x, class);
		take_pair(k, i, class, transit);
	}
}

static int by_arrival(const void *a, const void *b)
{
	const struct arrival *x = a, *y = b;

	return x->ns != y->ns ? (x->ns > y->ns) - (x->ns < y->ns)
			      : (x->sent_ns > y->sent_ns) - (x->sent_ns < y->sent_ns);
}

/* Arrivals of one receiver that are dated: by the sender's return or the receiver's. */
static size_t dated_arrivals(struct taker *k, uint32_t dst)
{
	size_t n = 0;

	for (uint32_t i = k->m->by_dst[dst]; i < k->m->by_dst[dst + 1]; i++) {
		const struct message *x = &k->m->m[i];
		const struct call *send = &k->t->calls[x->send_call];
		enum locality class = machine_locality(k->t, x->src, dst);
		struct arrival a = {send->enter_ns, send->leave_ns, x->bytes, class};

		messages_fetch(k->t, k->m, i);
		if (x->src == dst)
			continue;
		if (is_blocking_send(trace_call_kind(k->t, x->send_call)) &&
		    machine_is_synchronous(&k->t->regions[send->region]) &&
		    x->bytes <= k->eager_bytes[class]) {
			k->burst[n++] = a;
		} else if (receiver_saw(k, i)) {
			a.ns = x->done_ns;
			k->burst[n++] = a;
		}
	}
	sort(k->burst, n, sizeof(*k->burst), by_arrival);
	return n;
}

/* The fastest dated transits into one receiver. */
static void take_fastest(struct taker *k, uint32_t dst)
{
	size_t n = dated_arrivals(k, dst);

	for (size_t i = 0; i < n; i++) {
		const struct arrival *a = &k->burst[i];
		int64_t *fastest = &k->fastest_ns[a->class][samples_bin(a->bytes)];

		if (*fastest == 0 || a->ns - a->sent_ns < *fastest)
			*fastest = a->ns - a->sent_ns;
	}
}

/*
 * Was b, of about the same size, sent so early that it could have been there when a arrived?
 * Then it queued, and what it queued for, call it the receiver's port, went from a to b
 * without a pause: the spacing of their arrivals is the port's time for one message.
 */
static int follows(const struct taker *k, const struct arrival *a, const struct arrival *b)
{
	int bin = samples_bin(b->bytes);

	return a->class == b->class && samples_bin(a->bytes) == bin &&
	       b->sent_ns + k->fastest_ns[b->class][bin] <= a->ns;
}

static void take_bursts(struct taker *k, uint32_t dst)
{
	size_t n = dated_arrivals(k, dst);

	for (size_t first = 0, last; first < n; first = last + 1) {
		const struct arrival *a = &k->burst[first];

		for (last = first;
		     last + 1 < n && follows(k, &k->burst[last], &k->burst[last + 1]);)
			last++;
		if (last - first + 1 >= BURST_MIN)
			add(k, SAMPLE_SPACING, a->class, k->burst[last].bytes,
			    (k->burst[last].ns - a->ns) / (int64_t)(last - first));
	}
}

/* What calls complete, and which of their messages was sent last. */
static void find_last_sent(struct taker *k)
{
	for (uint32_t i = 0; i < k->m->n; i++) {
		const struct message *x = &k->m->m[i];
		struct taking *y = &k->taking[x->recv_done];

		if (y->receives == 0 || x->sent_ns < y->from_ns)
			y->from_ns = x->sent_ns;
		if (y->receives == 0 || x->sent_ns > y->to_ns) {
			y->to_ns = x->sent_ns;
			y->last = i;
		}
		y->receives++;
	}
}

static int by_place(const void *a, const void *b)
{
	const struct sample *x = a, *y = b;
	int order =
		(x->class << 16 | x->kind << 8 | x->bin) - (y->class << 16 | y->kind << 8 | y->bin);

	return order ? order : (x->ns > y->ns) - (x->ns < y->ns);
}

int samples_take(struct samples *out, const struct trace *t, const struct messages *m,
		 const uint64_t eager_bytes[LOCALITY_COUNT], struct err *err)
{
	struct taker k = {.out = out, .t = t, .m = m, .eager_bytes = eager_bytes};
	int ret = -1;

	memset(out, 0, sizeof(*out));
	if (presence_init(&k.presence, t, err))
		return -1;
	k.burst = huge_pages(calloc((size_t)m->n + 1, sizeof(*k.burst)));
	k.taking = huge_pages(calloc((size_t)t->n_calls + 1, sizeof(*k.taking)));
	k.beside = huge_pages(calloc((size_t)m->n + 1, sizeof(*k.beside)));
	if (!k.taking || !k.burst || !k.beside) {
		err_set(err, "out of memory for %u messages", m->n);
		goto out;
	}
	if (samples_find_crowds(k.beside, out, t, m, err))
		goto out;
	find_last_sent(&k);
	for (uint32_t r = 0; r < t->n_ranks; r++)
		take_fastest(&k, r);
	for (uint32_t i = 0; i < m->n; i += m->n / ENOUGH_MESSAGES + 1)
		take_message(&k, i);
	for (uint32_t r = 0; r < t->n_ranks; r++)
		take_bursts(&k, r);
	if (k.failed) {
		err_set(err, "out of memory for %zu samples", out->n);
		goto out;
	}
	if (out->n)
		sort(out->s, out->n, sizeof(*out->s), by_place);
	ret = 0;
out:
	if (ret)
		samples_release(out);
	free(k.burst);
	free(k.beside);
	free(k.taking);
	presence_release(&k.presence);
	return ret;
}

void samples_release(struct samples *s)
{
	free(s->s);
	memset(s, 0, sizeof(*s));
}

const struct sample *samples_of(const struct samples *s, enum locality class, enum sample_kind kind,
				int bin, size_t *n)
{
	struct sample low = {.ns = INT64_MIN, .kind = kind, .class = class, .bin = bin};
	struct sample high = {.ns = INT64_MAX, .kind = kind, .class = class, .bin = bin};
	size_t at[2] = {0, 0};

	for (int side = 0; side < 2; side++) {
		const struct sample *key = side ? &high : &low;
		size_t from = 0, to = s->n;

		while (from < to) {
			size_t mid = from + (to - from) / 2;

			if (by_place(&s->s[mid], key) < 0)
				from = mid + 1;
			else
				to = mid;
		}
		at[side] = from;
	}
	*n = at[1] - at[0];
	return s->s + at[0];
}
