/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/clock.h"

#include <uthash.h>

#include <stdlib.h>

#define PAIRS_OF_MOST 1024 /* clocks */
#define SHIFT_MAX_NS  (INT64_MAX / 8)

/* The fastest message from one clock to another. */
struct pair {
	struct {
		uint32_t from, to;
	} clocks;
	int64_t fastest_ns;
	int64_t known_ns; /* the recorder's bound of their difference, INT64_MAX = none */
	UT_hash_handle hh;
};

struct audit {
	struct trace *t;
	struct messages *m;
	struct pair *pairs;
	int64_t *shift_ns; /* per clock */
	struct clock_quality out;
};

static uint32_t clock_of(const struct audit *a, uint32_t rank)
{
	return a->t->ranks[rank].clock;
}

static struct pair *pair_find(const struct audit *a, uint32_t from, uint32_t to)
{
	struct pair key = {.clocks = {from, to}}, *found;

	HASH_FIND(hh, a->pairs, &key.clocks, sizeof(key.clocks), found);
	return found;
}

/* What the recorder says: both may be off the reference. */
static int64_t recorded_bound(const struct trace *t, uint32_t a, uint32_t b)
{
	int64_t x = t->ranks[a].clock_error_ns, y = t->ranks[b].clock_error_ns;

	return x < 0 || y < 0 || x > SHIFT_MAX_NS || y > SHIFT_MAX_NS ? INT64_MAX : x + y;
}

/* From the sender's entry to the receiver's completion: never negative with one clock. */
static int measure(struct audit *a, const struct message *message)
{
	uint32_t from = clock_of(a, message->src), to = clock_of(a, message->dst);
	int64_t ns = message->done_ns - a->t->calls[message->send_call].enter_ns;
	struct pair *pair;

	if (from == to)
		return 0;
	a->out.violations += ns < 0;
	pair = pair_find(a, from, to);
	if (!pair) {
		pair = malloc(sizeof(*pair));
		if (!pair)
			return -1;
		*pair = (struct pair){.clocks = {from, to},
				      .fastest_ns = ns,
				      .known_ns = recorded_bound(a->t, message->src, message->dst)};
		HASH_ADD(hh, a->pairs, clocks, sizeof(pair->clocks), pair);
	}
	if (ns < pair->fastest_ns)
		pair->fastest_ns = ns;
	return 0;
}

/*
 * Least shifts >= 0 with shift(to) >= shift(from) - fastest for all pairs: longest
 * paths, by relaxation. Where messages both ways are too fast (a clock that drifts)
 * no shift helps; after as many rounds as there are clocks, or where shifts would grow
 * beyond reason, those are left alone.
 */
static void find_shifts(struct audit *a)
{
	uint32_t round, changed = 1;
	struct pair *p;

	for (round = 0; changed && round < a->t->clocks; round++) {
		changed = 0;
		for (p = a->pairs; p; p = p->hh.next) {
			int64_t least = a->shift_ns[p->clocks.from] - p->fastest_ns;

			if (least > a->shift_ns[p->clocks.to] && least <= SHIFT_MAX_NS) {
				a->shift_ns[p->clocks.to] = least;
				changed = 1;
			}
		}
	}
}

/* Move the ranks of shifted clocks, then let time start at 0 again. */
static void apply_shifts(struct audit *a)
{
	struct trace *t = a->t;
	int64_t begin_ns = INT64_MAX, end_ns = INT64_MIN;
	uint32_t r, i;

	for (r = 0; r < t->n_ranks; r++) {
		int64_t shift_ns = a->shift_ns[clock_of(a, r)];

		if (t->ranks[r].begin_ns + shift_ns < begin_ns)
			begin_ns = t->ranks[r].begin_ns + shift_ns;
		if (t->ranks[r].end_ns + shift_ns > end_ns)
			end_ns = t->ranks[r].end_ns + shift_ns;
	}
	t->wall_ns = end_ns - begin_ns;
	for (r = 0; r < t->n_ranks; r++) {
		struct rank *rank = &t->ranks[r];
		int64_t shift_ns = a->shift_ns[rank->clock] - begin_ns;

		rank->begin_ns += shift_ns;
		rank->end_ns += shift_ns;
		for (i = rank->first_call; i < rank->first_call + rank->calls; i++) {
			t->calls[i].enter_ns += shift_ns;
			t->calls[i].leave_ns += shift_ns;
		}
		for (i = rank->first_op; i < rank->first_op + rank->ops; i++)
			t->ops[i].time_ns += shift_ns;
		for (i = a->m->by_dst[r]; i < a->m->by_dst[r + 1]; i++) {
			struct message *x = &a->m->m[i];

			x->done_ns += shift_ns;
			x->send_done_ns += a->shift_ns[clock_of(a, x->src)] - begin_ns;
			if (x->not_here_ns != INT64_MIN)
				x->not_here_ns += shift_ns;
		}
	}
}

/* Room for what is known of each pair of clocks; of very many the largest error goes for all. */
static int make_pairs(struct trace *t)
{
	size_t n = (size_t)t->clocks * t->clocks;

	free(t->pair_error_ns);
	t->pair_error_ns = NULL;
	if (t->clocks < 2 || t->clocks > PAIRS_OF_MOST)
		return 0;
	t->pair_error_ns = calloc(n, sizeof(*t->pair_error_ns));
	return t->pair_error_ns ? 0 : -1;
}

static int64_t shifted(const struct audit *a, const struct pair *p)
{
	return p->fastest_ns + a->shift_ns[p->clocks.to] - a->shift_ns[p->clocks.from];
}

/*
 * The offset that is left between two clocks lies within [-backward, forward], as far as the
 * messages tell; within the recorder's bound, if that is closer and they do not disprove it.
 */
static void judge(struct audit *a)
{
	const struct pair *p, *back;

	for (p = a->pairs; p; p = p->hh.next) {
		int64_t forward_ns = shifted(a, p), bound_ns = llabs(forward_ns), skew_ns;

		back = pair_find(a, p->clocks.to, p->clocks.from);
		if (p->known_ns < bound_ns && p->fastest_ns >= -p->known_ns &&
		    (!back || back->fastest_ns >= -p->known_ns))
			bound_ns = p->known_ns;
		if (bound_ns > a->out.error_ns)
			a->out.error_ns = bound_ns;
		if (a->t->pair_error_ns)
			a->t->pair_error_ns[(size_t)p->clocks.from * a->t->clocks + p->clocks.to] =
				a->shift_ns[p->clocks.from] == a->shift_ns[p->clocks.to]
					? bound_ns
					: CLOCK_MOVED;
		if (!back)
			continue;
		skew_ns = llabs(forward_ns - shifted(a, back)) / 2;
		if (skew_ns > a->out.skew_ns)
			a->out.skew_ns = skew_ns;
	}
}

int64_t clock_pair_error_ns(const struct trace *t, const struct clock_quality *q, uint32_t a,
			    uint32_t b)
{
	if (t->ranks[a].clock == t->ranks[b].clock && t->pair_error_ns)
		return 0;
	if (!t->pair_error_ns)
		return q->error_ns;
	return t->pair_error_ns[(size_t)t->ranks[a].clock * t->clocks + t->ranks[b].clock];
}

int clock_align(struct trace *t, struct messages *m, struct clock_quality *out, struct err *err)
{
	struct audit a = {.t = t, .m = m};
	struct pair *p, *next;
	uint32_t i;
	int ret = -1;

	a.shift_ns = calloc((size_t)t->clocks + 1, sizeof(*a.shift_ns));
	for (i = 0; a.shift_ns && i < m->n; i++) {
		messages_fetch(t, m, i);
		if (measure(&a, &m->m[i]))
			goto out;
	}
	if (!a.shift_ns)
		goto out;
	if (a.out.violations) {
		find_shifts(&a);
		apply_shifts(&a);
		for (i = 0; i < t->clocks; i++)
			a.out.moved_nodes += a.shift_ns[i] != 0;
	}
	if (make_pairs(t))
		goto out;
	judge(&a);
	*out = a.out;
	ret = 0;
out:
	if (ret)
		err_set(err, "%s: out of memory while comparing its clocks", t->anchor);
	HASH_ITER(hh, a.pairs, p, next) {
		HASH_DEL(a.pairs, p);
		free(p);
	}
	free(a.shift_ns);
	return ret;
}
