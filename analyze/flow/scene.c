/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/flow/scene.h"

#include "analyze/tools/radix.h"
#include "analyze/tools/share.h"
#include "common/table.h"

#include <stdlib.h>
#include <string.h>

#define PIECE_LEAST 1024 /* messages, if there are so many */

static uint16_t flags_of(const struct scene *s, const struct message *x,
			 const struct machine *machine)
{
	const struct region *r = &s->t->regions[s->t->calls[x->send_call].region];
	enum locality class = machine_locality(s->t, x->src, x->dst);
	const struct machine_class *c = &machine->classes[class];
	uint16_t flags = 0;

	if (class == LOCALITY_NETWORK)
		flags |= MESSAGE_NETWORK;
	if (x->bytes > c->eager_bytes && x->src != x->dst)
		flags |= MESSAGE_RENDEZVOUS;
	if (machine_is_open(c, x->bytes) && x->src != x->dst)
		flags |= MESSAGE_OPEN;
	if (machine_is_synchronous(r))
		flags |= MESSAGE_SSEND;
	if (flags & (MESSAGE_SSEND | MESSAGE_RENDEZVOUS))
		flags |= MESSAGE_SYNCHRONOUS;
	if (r->kind == REGION_SEND || r->kind == REGION_SSEND)
		flags |= MESSAGE_BLOCKING;
	if (s->t->ranks[x->src].node != s->t->ranks[x->dst].node)
		flags |= MESSAGE_CLOCKS;
	if (r->kind == REGION_SENDRECV)
		flags |= MESSAGE_SENDRECV;
	if (message_is_dated(s->t, x))
		flags |= MESSAGE_DATED;
	if (!message_is_posted(s->t, x))
		flags |= MESSAGE_UNPOSTED;
	if (x->not_here_ns != INT64_MIN)
		flags |= MESSAGE_TESTED;
	if (trace_shares_core(s->t, x->src) || trace_shares_core(s->t, x->dst))
		flags |= MESSAGE_SHARES_CORE;
	if (trace_lacks_core(s->t, x->src) || trace_lacks_core(s->t, x->dst))
		flags |= MESSAGE_LACKS_CORE;
	return flags;
}

/*
 * The call that waits for message x, and since when: a Recv that follows a Probe began to
 * wait with the Probe, which x released.
 */
static int64_t asked_since(struct scene *s, uint32_t i)
{
	const struct message *x = &s->m->m[i];
	uint32_t probe = message_probe(s->t, x);

	if (probe == TRACE_NONE)
		return s->t->calls[x->recv_done].enter_ns;
	s->release[probe] = (struct release){.message = i};
	return s->t->calls[probe].enter_ns;
}

/* The facts, by one rank after the other: what its calls and the messages to it are. */
struct fact_finding {
	struct scene *s;
	const struct machine *machine;
	unsigned hands;
	struct radix *room[SHARE_MOST]; /* of each hand: to put a rank's messages in order, twice */
	uint32_t most;                  /* so many it has at most */
};

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
		.src = x->src,
		.dst = x->dst,
		.recv_done = x->recv_done,
		.send_done = x->send_done,
		.size = s->sizes->of[i],
		.flags = flags_of(s, x, machine),
		.taken_in = trace_call_kind(s->t, x->recv_done),
	};
}

static uint32_t send_call_of(const struct scene *s, uint32_t i)
{
	return s->m->m[i].send_call;
}

/* The messages of a piece in order of their send calls, which are by source and entry. */
static void line_up(const struct fact_finding *f, unsigned hand, uint32_t from, uint32_t n)
{
	const struct messages *m = f->s->m;
	struct radix *v = f->room[hand];

	for (uint32_t k = 0; k < n; k++)
		v[k] = (struct radix){m->m[from + k].send_call, from + k};
	v = radix_sort(v, v + f->most, n, f->s->t->n_calls);
	for (uint32_t k = 0; k < n; k++)
		f->s->to[from + k] = v[k].value;
}

static void line_up_rank(const struct fact_finding *f, unsigned hand, uint32_t rank)
{
	uint32_t end = f->s->m->by_dst[rank + 1], next;

	for (uint32_t i = f->s->m->by_dst[rank]; i < end; i = next) {
		next = scene_piece_end(f->s, i, end);
		line_up(f, hand, i, next - i);
	}
}

/* Messages i - 1 and i of one receiver: did one call complete both, at its end? */
static int are_together(const struct scene *s, uint32_t i)
{
	const struct facts *x = &s->facts[i - 1], *y = &s->facts[i];

	return x->recv_done == y->recv_done && !((x->flags | y->flags) & MESSAGE_DATED);
}

/* Ranks are looked at at the same time. */
static void take_longest(uint32_t *most, uint32_t n)
{
	uint32_t had = __atomic_load_n(most, __ATOMIC_RELAXED);

	while (n > had &&
	       !__atomic_compare_exchange_n(most, &had, n, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
		;
}

/* Pieces of the messages to a rank, which are in order of completion: from the last one back. */
static void cut(struct scene *s, uint32_t rank)
{
	uint32_t first = s->m->by_dst[rank], end = s->m->by_dst[rank + 1], i;
	int64_t sent_ns = INT64_MAX;

	for (i = end; i-- > first;) {
		struct facts *x = &s->facts[i];

		sent_ns = x->sent_ns < sent_ns ? x->sent_ns : sent_ns;
		x->is_first = i == first || (end - i >= PIECE_LEAST && !x->with_before &&
					     x[-1].done_ns < sent_ns);
		if (!x->is_first)
			continue;
		take_longest(&s->most, end - i);
		end = i;
	}
}

/* Message x is one more of its locality. */
static void count(struct census *c, const struct facts *x)
{
	int is_open = (x->flags & MESSAGE_OPEN) != 0;
	int is_rendezvous = (x->flags & MESSAGE_RENDEZVOUS) != 0;

	c += (x->flags & MESSAGE_NETWORK) ? LOCALITY_NETWORK : LOCALITY_NODE;
	c->messages++;
	c->rendezvous += is_rendezvous;
	c->open += is_open;
	c->open_rendezvous += is_open && is_rendezvous;
	c->open_late += is_open && x->posted_ns > x->sent_ns &&
			!(x->flags & (MESSAGE_UNPOSTED | MESSAGE_SSEND));
}

/* Ranks are counted at the same time. */
static void add_up(struct census *sum, const struct census *x)
{
	__atomic_fetch_add(&sum->messages, x->messages, __ATOMIC_RELAXED);
	__atomic_fetch_add(&sum->rendezvous, x->rendezvous, __ATOMIC_RELAXED);
	__atomic_fetch_add(&sum->open, x->open, __ATOMIC_RELAXED);
	__atomic_fetch_add(&sum->open_rendezvous, x->open_rendezvous, __ATOMIC_RELAXED);
	__atomic_fetch_add(&sum->open_late, x->open_late, __ATOMIC_RELAXED);
}

static void gather_of_rank(const struct fact_finding *f, uint32_t rank)
{
	struct scene *s = f->s;
	const struct rank *r = &s->t->ranks[rank];
	struct census census[LOCALITY_COUNT] = {0};

	for (uint32_t c = r->first_call; c < r->first_call + r->calls; c++)
		s->release[c] = RELEASE_BY_NOBODY;
	for (uint32_t i = s->m->by_dst[rank]; i < s->m->by_dst[rank + 1]; i++) {
		messages_fetch(s->t, s->m, i);
		gather_facts(s, i, f->machine);
		s->facts[i].with_before = i > s->m->by_dst[rank] && are_together(s, i);
		count(census, &s->facts[i]);
	}
	cut(s, rank);
	for (int k = 0; k < LOCALITY_COUNT; k++)
		add_up(&s->census[k], &census[k]);
}

/* The first piece is the longest; one for each rank. */
static int gather_piece(void *work, unsigned hand, uint32_t piece, struct err *err)
{
	const struct fact_finding *f = work;
	struct scene *s = f->s;

	if (piece == 0)
		return lines_init(&s->by_send, s->t->n_calls, send_call_of, s, NULL, err);
	gather_of_rank(f, piece - 1);
	line_up_rank(f, hand, piece - 1);
	return 0;
}

/* Returns 0, or -1: out of memory. */
static int make_tables(struct fact_finding *f)
{
	struct scene *s = f->s;
	size_t messages = (size_t)s->m->n + 1;

	s->facts = table_lines(messages, sizeof(*s->facts));
	s->release = table_alloc((size_t)s->t->n_calls + 1, sizeof(*s->release));
	s->to = table_alloc(messages, sizeof(*s->to));
	if (!s->facts || !s->release || !s->to)
		return -1;
	s->facts[s->m->n] = (struct facts){0};
	f->most = messages_most(s->m, s->t->n_ranks) + 1;
	for (unsigned k = 0; k < f->hands; k++)
		if (!(f->room[k] = table_alloc(f->most, 2 * sizeof(struct radix))))
			return -1;
	return 0;
}

int scene_init(struct scene *s, const struct trace *t, const struct messages *m,
	       const struct sizes *sizes, const struct machine *machine, struct err *err)
{
	struct fact_finding f = {.s = s, .machine = machine, .hands = share_hands()};
	int ret = -1;

	memset(s, 0, sizeof(*s));
	s->t = t;
	s->m = m;
	s->sizes = sizes;
	if (!unseen_init(&s->unseen, t, err))
		ret = make_tables(&f) ? err_set(err, "out of memory for %u messages", m->n)
				      : share_run(f.hands, t->n_ranks + 1, gather_piece, &f, err);
	for (unsigned k = 0; k < f.hands; k++)
		table_free(f.room[k]);
	if (ret)
		scene_release(s);
	return ret;
}

/* Those to one receiver. */
static int take_for_rendezvous(void *scene, unsigned hand, uint32_t rank, struct err *err)
{
	struct scene *s = scene;

	(void)hand, (void)err;
	for (uint32_t i = s->m->by_dst[rank]; i < s->m->by_dst[rank + 1]; i++)
		if (s->facts[i].flags & MESSAGE_OPEN)
			s->facts[i].flags |= MESSAGE_RENDEZVOUS | MESSAGE_SYNCHRONOUS;
	return 0;
}

static int take_for_eager(void *scene, unsigned hand, uint32_t rank, struct err *err)
{
	struct scene *s = scene;

	(void)hand, (void)err;
	for (uint32_t i = s->m->by_dst[rank]; i < s->m->by_dst[rank + 1]; i++) {
		struct facts *x = &s->facts[i];
		unsigned other = x->flags & MESSAGE_SSEND
					 ? MESSAGE_RENDEZVOUS
					 : MESSAGE_RENDEZVOUS | MESSAGE_SYNCHRONOUS;

		if (x->flags & MESSAGE_OPEN)
			x->flags &= (uint16_t)~other;
	}
	return 0;
}

int scene_take_open(struct scene *s, int for_rendezvous)
{
	uint32_t others = 0;
	struct err err;

	for (int k = 0; k < LOCALITY_COUNT; k++)
		others += for_rendezvous ? s->census[k].open - s->census[k].open_rendezvous
					 : s->census[k].open_rendezvous;
	if (others)
		share_run(share_hands(), s->t->n_ranks,
			  for_rendezvous ? take_for_rendezvous : take_for_eager, s, &err);
	return others > 0;
}

int64_t scene_clock_error_ns(const struct scene *s, uint32_t i)
{
	if (!(s->facts[i].flags & MESSAGE_CLOCKS))
		return 0;
	return clock_pair_error_ns(s->t, s->clock, s->facts[i].src, s->facts[i].dst);
}

void scene_release(struct scene *s)
{
	table_free(s->release);
	table_free(s->to);
	lines_release(&s->by_send);
	table_free(s->facts);
	unseen_release(&s->unseen);
	memset(s, 0, sizeof(*s));
}
