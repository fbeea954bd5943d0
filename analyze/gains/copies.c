/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/gains/copies.h"

#include <math.h>

#include "analyze/flow/coll_costs.h"
#include "analyze/flow/gathering.h"
#include "analyze/gains/retime.h"
#include "analyze/tools/instants.h"
#include "common/table.h"

#define MOST_OTHERS  0.75 /* of the other ranks, as partners */
#define FEW_MESSAGES 0.01 /* of what a rank sends on average: of such pairs nothing is known */
#define ANOTHER_WAY  2    /* times as long, by an algorithm chosen for so many ranks */

enum growth { GROWTH_LIKELY, GROWTH_SHORT, GROWTH_LONG, GROWTHS };

/* How many times as long a collective takes. */
struct times {
	double of[GROWTHS];
};

struct copies {
	const struct evidence_base *b;
	double ranks, now;
	struct times *times; /* per collective */
	int64_t *last_ns;    /* per collective of all ranks: its last one after the mean */
	int takes_turns;     /* who is the last of these is another one from step to step */
	int64_t *less_ns, *rest_ns, *own_ns;
};

/* Partners of a rank, of those that it sends to and of those that send to it. */
struct partners {
	uint32_t to, from;
};

/* Count those of all messages that a rank sends. sent: per rank, zero before and after. */
static void count_partners(const struct evidence_base *b, uint32_t rank, double least,
			   uint32_t *sent, struct partners *p)
{
	const struct senders *s = &b->senders;

	for (uint32_t k = s->of_rank[rank]; k < s->of_rank[rank + 1]; k++)
		sent[b->m->m[s->by_call[k]].dst]++;
	for (uint32_t k = s->of_rank[rank]; k < s->of_rank[rank + 1]; k++) {
		uint32_t dst = b->m->m[s->by_call[k]].dst;
		int counts = dst != rank && sent[dst] > least;

		sent[dst] = 0;
		p[rank].to += counts;
		p[dst].from += counts;
	}
}

int copies_are_apart(const struct evidence_base *b, struct err *err)
{
	uint32_t n = b->t->n_ranks;
	double least = FEW_MESSAGES * b->m->n / n, most = MOST_OTHERS * (n - 1.0);
	uint32_t *sent = table_calloc((size_t)n + 1, sizeof(*sent));
	struct partners *p = table_calloc((size_t)n + 1, sizeof(*p));
	int apart = 1;

	if (!sent || !p)
		apart = err_set(err, "out of memory for %u ranks", n);
	for (uint32_t r = 0; apart > 0 && r < n; r++)
		count_partners(b, r, least, sent, p);
	for (uint32_t r = 0; apart > 0 && r < n; r++)
		apart = p[r].to <= most && p[r].from <= most;
	table_free(p);
	table_free(sent);
	return apart;
}

/* As many times as long as there are ranks to tell, and steps to tell them. */
static double by_ranks(double now, double then)
{
	return now > 1 ? fmax(0, then - 1) / (now - 1) : 1;
}

static double by_steps(double now, double then)
{
	return now > 1 ? log2(fmax(1, then)) / log2(now) : 1;
}

static double by_formula(const struct coll_costs *costs, uint32_t k, double now, double then)
{
	struct coll_cost a = coll_costs_at(costs, k), z = coll_costs_among(costs, k, then);

	return then > 1 && a.refused == COLL_PREDICTED && z.refused == COLL_PREDICTED &&
			       a.idle_s > 0
		       ? z.idle_s / a.idle_s
		       : by_steps(now, then);
}

/* Copies of a communicator of some ranks are as it is; or they grow with the ranks. */
static struct times times_of(const struct copies *x, const struct coll_costs *costs, uint32_t k)
{
	double now = x->b->t->comms[x->b->c->c[k].comm].size, then = now * x->ranks / x->now;
	double likely = by_formula(costs, k, now, then), all = by_ranks(now, then);
	struct times times = {{now < x->now ? 1 : likely, 1, 1}};

	if (then > now)
		times.of[GROWTH_LONG] = fmax(fmax(1, ANOTHER_WAY * likely), all);
	else if (then < now)
		times.of[GROWTH_SHORT] = fmin(fmin(1, likely / ANOTHER_WAY), all);
	return times;
}

static int find_times(struct copies *x, struct err *err)
{
	struct coll_costs costs;

	if (coll_costs_init(&costs, x->b->t, x->b->c, x->b->machine, err))
		return -1;
	for (uint32_t k = 0; k < x->b->c->n; k++)
		x->times[k] = times_of(x, &costs, k);
	coll_costs_release(&costs);
	return 0;
}

/* Is it one in which all wait for the last? */
static int is_meeting(const struct copies *x, uint32_t k)
{
	const struct collective *c = &x->b->c->c[k];

	return c->root < 0 && c->members == x->now && !c->is_nonblocking;
}

/* Is no rank the last in half of them? Returns 0, or -1 with *err set (out of memory). */
static int find_turns(struct copies *x, struct err *err)
{
	uint32_t *last = table_calloc((size_t)x->b->t->n_ranks + 1, sizeof(*last));
	uint32_t all = 0, most = 0;

	if (!last)
		return err_set(err, "out of memory for %u ranks", x->b->t->n_ranks);
	for (uint32_t k = 0; k < x->b->c->n; k++) {
		uint32_t rank = x->b->c->c[k].last_rank;

		if (!is_meeting(x, k))
			continue;
		all++;
		last[rank]++;
		most = last[rank] > most ? last[rank] : most;
	}
	x->takes_turns = 2 * most < all;
	table_free(last);
	return 0;
}

/* By how much its last rank is after the mean: all come to it in no order. */
static void find_last(struct copies *x)
{
	const struct trace *t = x->b->t;

	for (uint32_t c = 0; c < t->n_calls; c++) {
		uint32_t k = call_collective(&t->calls[c]);

		if (k != TRACE_NONE && is_meeting(x, k))
			x->last_ns[k] += (x->b->c->c[k].last_enter_ns - t->calls[c].enter_ns) /
					 x->b->c->c[k].members;
	}
}

/* How much later than the mean the last of so many comes, as a share of what it does now. */
static double later_by(const struct copies *x, enum growth growth)
{
	double as_exponential = by_steps(x->now, x->ranks), as_normal = sqrt(as_exponential);

	if (growth == GROWTH_LIKELY)
		return x->takes_turns ? as_normal - 1 : 0;
	if (growth == GROWTH_LONG)
		return fmax(0, as_exponential - 1);
	return x->ranks < x->now ? -1 : 0; /* it may come with the others */
}

/* How much later than the mean a call comes to its meeting; 0: it does not. */
static int64_t late_ns(const struct copies *x, uint32_t call, uint32_t k)
{
	return later(0,
		     x->b->t->calls[call].enter_ns - (x->b->c->c[k].last_enter_ns - x->last_ns[k]));
}

static void change_call(struct copies *x, uint32_t call, uint32_t k, enum growth growth)
{
	int64_t ns = slices_sum(&x->b->a->call, call,
				1u << COST_collective_transfer | 1u << COST_network_contention);

	x->rest_ns[call] += (int64_t)((double)ns * (1 - x->times[k].of[growth]));
}

static void change(struct copies *x, enum growth growth)
{
	const struct evidence_base *b = x->b;
	double times = later_by(x, growth);

	for (uint32_t c = 0; c < b->t->n_calls; c++) {
		uint32_t k = call_collective(&b->t->calls[c]);

		x->rest_ns[c] = x->own_ns[c] = 0;
		if (k == TRACE_NONE)
			continue;
		change_call(x, c, k, growth);
		if (is_meeting(x, k))
			x->own_ns[c] = -(int64_t)((double)late_ns(x, c, k) * times);
	}
	for (uint32_t i = 0; i < b->c->n_starts; i++)
		if (b->c->starts[i].is_first)
			change_call(x, b->c->starts[i].done, b->c->starts[i].collective, growth);
}

static int save(struct copies *x, struct what_if_saving *out, struct err *err)
{
	const struct retime then = {
		.less_ns = x->less_ns, .rest_ns = x->rest_ns, .own_ns = x->own_ns};
	double s[GROWTHS], margin_s, least_s, most_s;

	for (int g = 0; g < GROWTHS; g++) {
		change(x, (enum growth)g);
		if (retime_change(x->b, &then, &s[g], err))
			return -1;
	}
	margin_s = what_if_margin_s(x->b, s[GROWTH_LIKELY]);
	least_s = s[GROWTH_LONG] - margin_s;
	most_s = fmin(s[GROWTH_SHORT] + margin_s, x->b->wall_s);
	if (x->ranks >= x->now) /* more ranks wait for no fewer, */
		most_s = fmin(most_s, 0);
	if (x->ranks <= x->now) /* and fewer for no more */
		least_s = fmax(least_s, 0);
	*out = (struct what_if_saving){fmin(s[GROWTH_LIKELY], least_s), s[GROWTH_LIKELY],
				       fmax(s[GROWTH_LIKELY], most_s)};
	return 0;
}

int copies_saving(const struct evidence_base *b, uint32_t ranks, struct what_if_saving *out,
		  struct err *err)
{
	size_t calls = (size_t)b->t->n_calls + 1, collectives = (size_t)b->c->n + 1;
	struct copies x = {.b = b, .ranks = ranks, .now = b->t->n_ranks};
	int ret = -1;

	x.times = table_calloc(collectives, sizeof(*x.times));
	x.last_ns = table_calloc(collectives, sizeof(*x.last_ns));
	x.less_ns = table_calloc((size_t)b->m->n + 1, sizeof(*x.less_ns));
	x.rest_ns = table_calloc(calls, sizeof(*x.rest_ns));
	x.own_ns = table_calloc(calls, sizeof(*x.own_ns));
	if (!x.times || !x.last_ns || !x.less_ns || !x.rest_ns || !x.own_ns) {
		err_set(err, "out of memory for %u calls", b->t->n_calls);
	} else if (!find_times(&x, err) && !find_turns(&x, err)) {
		find_last(&x);
		ret = save(&x, out, err);
	}
	table_free(x.own_ns);
	table_free(x.rest_ns);
	table_free(x.less_ns);
	table_free(x.last_ns);
	table_free(x.times);
	return ret;
}
