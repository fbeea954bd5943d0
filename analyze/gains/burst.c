/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/gains/burst.h"

#include "analyze/tools/instants.h"

#define CALLS_MAX 64 /* of a round, that are looked at */
#define AT_TIMES  4  /* in few rounds so many times what goes by in most, */
#define COLD      32 /* or that many, where others have had the core meanwhile */

static const struct message *message_at(const struct evidence_base *b, uint32_t k)
{
	return &b->m->m[b->senders.message[k]];
}

/* Is nothing received between messages k - 1 and k, nor much computed? */
static int continues(const struct evidence_base *b, uint32_t k)
{
	const struct message *x = message_at(b, k), *before = message_at(b, k - 1);
	const struct idle_price *p = evidence_price(b, b->senders.message[k - 1]);

	if (x->src != before->src ||
	    b->senders.breaks[x->send_call] != b->senders.breaks[before->send_call])
		return 0;
	return presence_between_ns(&b->a->presence, before->send_call, x->send_call) * 1e-9 <=
	       p->L_s + p->at.g_s;
}

/*
 * From the entry of a call to that of a later one of its rank: is there next to nothing that the
 * program could do beside calling MPI, so many times, for messages like i?
 */
static int is_idle(const struct evidence_base *b, uint32_t from, uint32_t to, uint32_t i,
		   unsigned times)
{
	const struct idle_price *p = evidence_price(b, i);
	const int64_t *outside_ns = b->a->presence.outside_ns;

	return to - from <= CALLS_MAX &&
	       (outside_ns[to] - outside_ns[from]) * 1e-9 <=
		       times * (p->at.o_s_s + (to - from) * BURST_GAP_NS * 1e-9);
}

/* The same for any one round. */
static int is_idle_enough(const struct evidence_base *b, uint32_t from, uint32_t to, uint32_t i)
{
	unsigned times = trace_lacks_core(b->t, b->t->calls[from].rank) ? COLD : AT_TIMES;

	return is_idle(b, from, to, i, times);
}

/* Does a call of the rank between these two wait for all, or send in a round of its own? */
static int is_interrupted(const struct evidence_base *b, uint32_t from, uint32_t to)
{
	const uint32_t *breaks = b->senders.breaks;

	for (uint32_t c = from + 1; c < to; c++) {
		enum region_kind kind = trace_call_kind(b->t, c);

		if (kind == REGION_COLLECTIVE || kind == REGION_PROBE || kind == REGION_IO ||
		    (senders_is_send(kind) && breaks[c] != breaks[from] && breaks[c] != breaks[to]))
			return 1;
	}
	return 0;
}

/*
 * May message k be sent with the round before it, which began with message first, with all that is
 * received in between? Rounds that differ in where they send are other steps of something.
 */
static int crosses(const struct evidence_base *b, uint32_t first, uint32_t k)
{
	const struct message *x = message_at(b, k), *before = message_at(b, k - 1);

	return x->src == before->src && x->dst == message_at(b, first)->dst && x->dst != x->src &&
	       x->bytes == before->bytes && !b->t->ranks[x->src].is_threaded &&
	       is_idle_enough(b, before->send_call, x->send_call, b->senders.message[k]) &&
	       !is_interrupted(b, before->send_call, x->send_call);
}

/* Or does the first message follow a receive, and hand on what came? */
static int is_passed_on(const struct evidence_base *b, uint32_t k)
{
	const struct message *x = message_at(b, k);
	const uint32_t *breaks = b->senders.breaks;
	uint32_t first = b->t->ranks[x->src].first_call, c = x->send_call;

	while (c > first && x->send_call - c < CALLS_MAX) {
		c--;
		if (breaks[c] != (c > 0 ? breaks[c - 1] : 0))
			return trace_call_kind(b->t, c) != REGION_COLLECTIVE &&
			       is_idle_enough(b, c, x->send_call, b->senders.message[k]);
	}
	return 0;
}

/* What is received between rounds. */
struct rounds {
	uint32_t first;      /* message of the one at work */
	int64_t answered_ns; /* what is sent from then on may be an answer to it */
	uint32_t next, end;  /* of what its rank receives */
	uint32_t n;          /* so many, and those */
	uint32_t answers;    /* after which an answer may have come, or nothing is known to, */
	uint32_t computes;   /* or something may be computed */
};

static void begin_rounds(const struct evidence_base *b, struct rounds *r, uint32_t k)
{
	const struct message *x = message_at(b, k);
	struct instants done = {&b->m->m[b->m->by_dst[x->src]].done_ns, sizeof(*b->m->m),
				b->m->by_dst[x->src + 1] - b->m->by_dst[x->src]};

	*r = (struct rounds){.first = k, .answered_ns = x->done_ns};
	if (done.n > 0)
		r->next = b->m->by_dst[x->src] + instants_until(done, 0, x->sent_ns);
	r->end = b->m->by_dst[x->src + 1];
}

/* A round ends before message k. */
static void next_round(const struct evidence_base *b, struct rounds *r, uint32_t k)
{
	uint32_t from = message_at(b, k - 1)->send_call, until = message_at(b, k)->send_call;
	int came = 0, answers = 0;

	for (; r->next < r->end && b->m->m[r->next].recv_done < until; r->next++) {
		came = 1;
		answers |= b->m->m[r->next].sent_ns >= r->answered_ns;
	}
	r->n++;
	r->answers += !came || answers;
	r->computes += !is_idle(b, from, until, b->senders.message[k], 1);
	r->first = k;
	r->answered_ns = message_at(b, k)->done_ns;
}

/*
 * Who waits for answers gets one in each round; else, where ranks take turns, what comes late may
 * look like one in every other round.
 */
#define MOST_ANSWERS 0.75
#define MOST_COMPUTE 0.5

/* Do messages go on from k across receives, and not only until plain? *wide: as far as they may. */
static int is_across(const struct evidence_base *b, uint32_t k, uint32_t plain, uint32_t end,
		     uint32_t *wide)
{
	struct rounds r;
	uint32_t i;

	begin_rounds(b, &r, k);
	for (i = k + 1; i < end; i++)
		if (i < plain || continues(b, i))
			r.answered_ns = earlier(r.answered_ns, message_at(b, i)->done_ns);
		else if (crosses(b, r.first, i))
			next_round(b, &r, i);
		else
			break;
	*wide = i;
	return r.answers < MOST_ANSWERS * r.n && r.computes < MOST_COMPUTE * r.n;
}

/* What is looked at soon after place k. */
static void fetch(const struct evidence_base *b, uint32_t k, uint32_t end)
{
	messages_fetch_in(b->m, b->senders.message, end, k);
	if (end - k > MESSAGES_AHEAD)
		prefetch(&b->a->sizes.of[b->senders.message[k + MESSAGES_AHEAD]]);
}

struct burst burst_at(const struct evidence_base *b, uint32_t k, uint32_t end, uint32_t refused)
{
	struct burst burst = {.end = k + 1, .refused = refused};
	uint32_t wide;

	for (; burst.end < end && continues(b, burst.end); burst.end++)
		fetch(b, burst.end, end);
	fetch(b, burst.end, end);
	if (k < refused || burst.end == end || !crosses(b, k, burst.end) || is_passed_on(b, k))
		return burst;
	if (is_across(b, k, burst.end, end, &wide)) {
		burst.across = wide > burst.end;
		burst.end = wide;
	} else {
		burst.refused = wide;
	}
	return burst;
}
