/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Back-pressure: sends that need no receive wait all the same, as those before them fill their
 * receiver's buffers. What the run would save if these had room says a replay: next to nothing
 * where the receiver is what all wait for in the end. A send is believed to wait for room only
 * while the one before it to the same rank has come and lies there, so not in a burst whose
 * messages are still on their way, nor where the receiver is in a call that takes them; only if
 * that was in such a call before the send returned, as who computes makes no room; and only if
 * neither end lacks a core. Where the machine file does not say how many messages the receiver has
 * room for, or that such messages do not wait for their receives, the wait may have been another
 * one: that counts towards the most alone. Leaves out receivers that rule_incast, rule_server or
 * rule_skew name.
 */
#include "analyze/hotspots/rules.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/gains/retime.h"
#include "analyze/tools/instants.h"
#include "common/number.h"
#include "common/table.h"

#define PLACES_MAX 5  /* that are looked at, those with most to gain */
#define SENDS_MIN  10 /* that had to wait; fewer are no habit */

/* A send's wait for room: until its receiver looks, and takes what is before it; or perhaps. */
#define BLOCKED (1u << COST_inattention | 1u << COST_back_pressure)
#define PERHAPS (1u << COST_sender_port | 1u << COST_not_identifiable)

struct pressure {
	const struct evidence_base *b;
	const struct findings *out;
	uint32_t *last;   /* per destination: the message before */
	double *to_s;     /* per destination: blocked sends of the place at work */
	int64_t *less_ns; /* for the replay: per message, */
	int64_t *rest_ns; /* and per call */
};

/* How long a send waited for room, ns. */
struct stall {
	int64_t ns;       /* 0: it did not */
	int64_t alone_ns; /* of that its receiver was outside MPI */
	int64_t sure_ns;  /* likely for that and nothing else */
	int64_t most_ns;
	int posted; /* what lay before it had its receive, for most of that */
};

/* The blocked sends of a place. */
struct blocked {
	uint32_t key;
	uint32_t sends, n;
	uint32_t sure, posted;     /* of the n: for nothing else; those before had their receive */
	uint32_t receivers, most;  /* so many; the one that blocks longest, */
	uint32_t message;          /* and the message to it that waits longest */
	double blocked_s, alone_s; /* by all; of that until their receiver enters MPI */
};

/* The call in which message i may have waited for room, and for nothing else; or TRACE_NONE. */
static uint32_t waiting_call(const struct evidence_base *b, uint32_t i)
{
	const struct message *x = &b->m->m[i];
	enum region_kind kind;

	if (x->send_done == TRACE_NONE || x->src == x->dst || evidence_is_held(b, i))
		return TRACE_NONE;
	kind = trace_call_kind(b->t, x->send_done);
	return kind == REGION_SEND || kind == REGION_WAIT ? x->send_done : TRACE_NONE;
}

static int is_posted_by(const struct evidence_base *b, uint32_t i, int64_t ns)
{
	const struct message *x = &b->m->m[i];

	return message_is_posted(b->t, x) && b->t->calls[x->recv_call].enter_ns <= ns;
}

/* Does MPI look at what has come in a call of that kind, for all that is known of MPIs? */
static int looks(enum region_kind kind)
{
	return kind != REGION_OTHER && kind != REGION_MPI_LOCAL && kind != REGION_ISEND &&
	       kind != REGION_IRECV && kind != REGION_IO;
}

/*
 * First moment since from at which the receiver of message i is in a call that looks at what has
 * come; end if it is in none before.
 */
static int64_t looks_ns(const struct evidence_base *b, uint32_t i, int64_t from_ns, int64_t end_ns)
{
	const struct message *x = &b->m->m[i];
	const struct rank *r = &b->t->ranks[x->dst];
	uint32_t k;

	if (r->is_threaded) /* who is in which call, and since when, is not in their order */
		return earlier(end_ns,
			       presence_next_ns(&b->a->presence, x->dst, x->recv_done, from_ns));
	k = presence_call_before(&b->a->presence, x->dst, x->recv_done, from_ns);
	for (k = k == TRACE_NONE ? r->first_call : k; k < r->first_call + r->calls; k++) {
		const struct call *c = &b->t->calls[k];

		if (c->enter_ns >= end_ns)
			break;
		if (c->leave_ns > from_ns && looks(trace_call_kind(b->t, k)))
			return later(from_ns, c->enter_ns);
	}
	return end_ns;
}

/* From when on message i does not lie at its receiver any more: that looks, and asks for it. */
static int64_t taken_ns(const struct evidence_base *b, uint32_t i)
{
	const struct message *x = &b->m->m[i];

	if (!message_is_posted(b->t, x))
		return x->done_ns;
	return looks_ns(b, i, later(b->a->arrival_ns[i], b->t->calls[x->recv_call].enter_ns),
			x->done_ns);
}

/* Did the receiver of message i look in between, for all that the clocks tell? */
static int has_looked(const struct evidence_base *b, uint32_t i, int64_t from_ns, int64_t to_ns)
{
	const struct message *x = &b->m->m[i];
	int64_t ahead_ns = trace_clock_ahead_ns(b->t, x->src, x->dst);

	if (ahead_ns == INT64_MAX)
		return 1;
	to_ns += ahead_ns + 1;
	return looks_ns(b, i, from_ns, to_ns) < to_ns;
}

/* Is it known that messages such as i wait for room, and for nothing else? */
static int is_known(const struct evidence_base *b, uint32_t i)
{
	const struct machine_class *c = &b->machine->classes[evidence_price(b, i)->class];
	uint64_t bytes = b->m->m[i].bytes;

	return !c->eager_assumed && !machine_is_open(c, bytes) &&
	       machine_credit_at(c, bytes).most != CREDIT_UNKNOWN;
}

/* Message i, in that call, as long as the one before it lay there. */
static struct stall stall_behind(const struct evidence_base *b, uint32_t before, uint32_t i,
				 uint32_t call)
{
	const struct call *c = &b->t->calls[call];
	int64_t from_ns = later(c->enter_ns, b->a->arrival_ns[before]);
	int64_t to_ns = earlier(c->leave_ns, taken_ns(b, before));
	struct stall x = {.ns = earlier(to_ns - from_ns, slices_sum(&b->a->call, call, BLOCKED))};

	if (x.ns <= 0 || !has_looked(b, i, from_ns, c->leave_ns))
		return (struct stall){0};
	x.alone_ns = earlier(x.ns, slices_part(&b->a->call, call, COST_inattention));
	x.sure_ns = is_known(b, i) ? x.ns : 0;
	x.posted = is_posted_by(b, before, from_ns + x.ns / 2);
	x.most_ns = slices_sum(&b->a->call, call, BLOCKED | PERHAPS);
	return x;
}

/* Message k of the senders' list. */
static struct stall stall_of(const struct pressure *p, uint32_t k)
{
	const struct evidence_base *b = p->b;
	uint32_t i = b->senders.message[k], before;
	const struct message *x = &b->m->m[i];
	uint32_t call = waiting_call(b, i);

	before = p->last[x->dst];
	p->last[x->dst] = i;
	if (call == TRACE_NONE || before == TRACE_NONE || b->m->m[before].src != x->src ||
	    b->m->m[before].done_ns <= x->sent_ns || trace_lacks_core(b->t, x->src) ||
	    trace_lacks_core(b->t, x->dst) || findings_explain_sends(p->out, b, x->dst))
		return (struct stall){0};
	return stall_behind(b, before, i, call);
}

/* Nothing was sent before the first message of a place. */
static void begin_place(struct pressure *p)
{
	for (uint32_t r = 0; r < p->b->t->n_ranks; r++)
		p->last[r] = TRACE_NONE;
}

static void add(struct pressure *p, struct blocked *x, uint32_t i, const struct stall *stall,
		int64_t *longest_ns)
{
	uint32_t dst = p->b->m->m[i].dst;

	x->n++;
	x->sure += stall->sure_ns > 0;
	x->posted += stall->posted;
	x->receivers += p->to_s[dst] == 0;
	x->blocked_s += stall->ns * 1e-9;
	x->alone_s += stall->alone_ns * 1e-9;
	p->to_s[dst] += stall->ns * 1e-9;
	if (x->n == 1 || p->to_s[dst] > p->to_s[x->most]) {
		*longest_ns = dst == x->most ? *longest_ns : 0;
		x->most = dst;
	}
	if (dst == x->most && stall->ns >= *longest_ns) {
		*longest_ns = stall->ns;
		x->message = i;
	}
}

static struct blocked count_blocked(struct pressure *p, uint32_t key)
{
	const struct evidence_base *b = p->b;
	const struct senders *s = &b->senders;
	struct blocked x = {.key = key, .sends = s->at[key + 1] - s->at[key]};
	int64_t longest_ns = 0;

	begin_place(p);
	memset(p->to_s, 0, b->t->n_ranks * sizeof(*p->to_s));
	for (uint32_t k = s->at[key]; k < s->at[key + 1]; k++) {
		struct stall stall;

		messages_fetch_in(b->m, s->message, s->at[key + 1], k);
		stall = stall_of(p, k);
		if (stall.ns > 0)
			add(p, &x, s->message[k], &stall, &longest_ns);
	}
	return x;
}

enum doubt { LIKELY, AT_MOST };

/* What the run saves if none of them waits. Returns 0, or -1 with *err set. */
static int save(struct pressure *p, uint32_t key, enum doubt doubt, double *saved_s,
		struct err *err)
{
	const struct evidence_base *b = p->b;
	const struct retime freed = {.less_ns = p->less_ns, .rest_ns = p->rest_ns};

	memset(p->less_ns, 0, b->m->n * sizeof(*p->less_ns));
	memset(p->rest_ns, 0, b->t->n_calls * sizeof(*p->rest_ns));
	begin_place(p);
	for (uint32_t k = b->senders.at[key]; k < b->senders.at[key + 1]; k++) {
		uint32_t i = b->senders.message[k];
		struct stall stall = stall_of(p, k);
		int64_t ns = doubt == AT_MOST ? stall.most_ns : stall.sure_ns;

		if (ns <= 0)
			continue;
		p->less_ns[i] = earlier(ns, retime_way_ns(b, i));
		p->rest_ns[b->m->m[i].send_done] = ns;
	}
	return retime_run(b, &freed, saved_s, err);
}

/* Who was outside MPI meanwhile, and how it receives. */
static void say_who(const struct pressure *p, const struct blocked *x, struct hotspot *h)
{
	const struct message *m = &p->b->m->m[x->message];
	size_t used = strlen(h->why);
	char place[80];

	rule_place(p->b->t, m->recv_call == TRACE_NONE ? m->recv_done : m->recv_call, sizeof(place),
		   place);
	if (x->receivers == 1)
		snprintf(h->why + used, sizeof(h->why) - used,
			 "; for %s of that rank %u was outside MPI; it receives them with %s",
			 number_seconds(x->alone_s).text, x->most, place);
	else
		snprintf(h->why + used, sizeof(h->why) - used,
			 "; for %s of that their receivers were outside MPI; rank %u, which blocks "
			 "longest, receives with %s",
			 number_seconds(x->alone_s).text, x->most, place);
}

static void write_words(const struct pressure *p, const struct blocked *x, struct hotspot *h)
{
	int is_sure = x->sure == x->n;
	size_t used;

	used = (size_t)snprintf(h->title, sizeof(h->title), "%s sends %s for room at ",
				number_count(x->n).text, is_sure ? "wait" : "may wait");
	if (x->receivers == 1)
		snprintf(h->title + used, sizeof(h->title) - used, "rank %u", x->most);
	else
		snprintf(h->title + used, sizeof(h->title) - used, "%u receivers", x->receivers);
	snprintf(h->why, sizeof(h->why),
		 "%snot the network: %u of %u sends wait, as those before them to the same rank "
		 "have "
		 "come, are not received yet and %s its buffers, %s in all",
		 is_sure ? "" : "perhaps ", x->n, x->sends, is_sure ? "fill" : "may fill",
		 number_seconds(x->blocked_s).text);
	say_who(p, x, h);
	used = strlen(h->why);
	if (!is_sure)
		snprintf(
			h->why + used, sizeof(h->why) - used,
			"; how many it has room for is not known for all: contend calibrate tells");
	snprintf(h->advice, sizeof(h->advice),
		 "let the receiver take them earlier or more often: %s, so that MPI takes them; or "
		 "send fewer ahead: wait for an answer after so many",
		 2 * x->posted < x->n
			 ? "receive in between its computation, or call MPI_Iprobe there"
			 : "posted they are already, so call MPI_Test in its computation");
}

static int report(struct pressure *p, const struct blocked *x, struct findings *out,
		  struct err *err)
{
	const struct senders *s = &p->b->senders;
	struct hotspot h = {.kind = "back_pressure", .rank = TRACE_NONE};

	if (save(p, x->key, LIKELY, &h.saves_mid_s, err) ||
	    save(p, x->key, AT_MOST, &h.saves_high_s, err))
		return -1;
	h.saves_high_s = fmax(h.saves_mid_s, h.saves_high_s);
	h.site = senders_site(s, x->key);
	h.region = senders_region(s, x->key);
	if (x->receivers == 1)
		h.rank = x->most;
	write_words(p, x, &h);
	hotspot_evidence(&h, "sends", x->sends);
	hotspot_evidence(&h, "blocked", x->n);
	hotspot_evidence(&h, "blocked_s", x->blocked_s);
	hotspot_evidence(&h, "receiver_outside_s", x->alone_s);
	hotspot_evidence(&h, "receivers", x->receivers);
	hotspot_evidence(&h, "known_to_wait", x->sure);
	hotspot_evidence(&h, "receives_posted", x->posted);
	return findings_add(out, &h, err);
}

/* The places with most to gain, one after the other. key_s: what is blocked at each. */
static int look(struct pressure *p, double *key_s, struct findings *out, struct err *err)
{
	const struct evidence_base *b = p->b;

	for (uint32_t key = 0; key < b->senders.keys; key++) {
		struct blocked x = count_blocked(p, key);

		if (x.n >= SENDS_MIN)
			key_s[key] = x.blocked_s;
	}
	for (int n = 0; n < PLACES_MAX; n++) {
		uint32_t key = rule_take_most(key_s, b->senders.keys, RULE_LEAST_SHARE * b->wall_s);
		struct blocked x;

		if (key == TRACE_NONE)
			break;
		x = count_blocked(p, key);
		if (report(p, &x, out, err))
			return -1;
	}
	return 0;
}

int rule_back_pressure(const struct evidence_base *b, struct findings *out, struct err *err)
{
	const struct part *parts = b->a->budget.parts;
	size_t ranks = (size_t)b->t->n_ranks + 1;
	struct pressure p = {.b = b, .out = out};
	double *key_s = NULL;
	int ret = -1;

	if ((parts[COST_back_pressure].ns + parts[COST_inattention].ns) * 1e-9 <
	    RULE_LEAST_SHARE * b->wall_s)
		return 0;
	key_s = calloc(b->senders.keys + 1u, sizeof(*key_s));
	p.last = calloc(ranks, sizeof(*p.last));
	p.to_s = calloc(ranks, sizeof(*p.to_s));
	p.less_ns = table_calloc(b->m->n + 1u, sizeof(*p.less_ns));
	p.rest_ns = table_calloc(b->t->n_calls + 1u, sizeof(*p.rest_ns));
	if (!key_s || !p.last || !p.to_s || !p.less_ns || !p.rest_ns)
		err_set(err, "out of memory for %u calls", b->t->n_calls);
	else
		ret = look(&p, key_s, out, err);
	table_free(p.rest_ns);
	table_free(p.less_ns);
	free(p.to_s);
	free(p.last);
	free(key_s);
	return ret;
}
