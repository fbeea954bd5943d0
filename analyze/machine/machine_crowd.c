/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How many other messages were under way at both of a message's ends, and in all, and how long
 * those ends' ports took for a crowd of messages? And how many lacked a core? For
 * machine_samples.c.
 */
#include "analyze/machine/machine_samples.h"

#include "analyze/tools/instants.h"
#include "analyze/tools/sorting.h"
#include "common/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ENOUGH_INTERVALS \
	300000      /* ranks beyond are left out: all of their messages count as in a crowd */
#define STRETCHES 8 /* of a run with more messages than that are looked at */

/* A message as one of its ends sees it. */
struct interval {
	int64_t from_ns;
	int64_t to_ns;
	uint32_t message;
	uint32_t way; /* enum way */
};

/* In through another port than out; or anywhere between nodes. */
enum way { WAY_OUT, WAY_IN, WAY_ABROAD };

/* Of one hand. */
struct ends {
	size_t room;  /* of each: */
	int64_t *ns;  /* the begins of the intervals of one rank, ascending, and the ends; */
	double *sums; /* of all before one, likewise */
};

/* Of a run with very many messages: stretches of length_ns, one in so many; else all of it. */
struct stretches {
	int64_t length_ns;
	uint32_t every;
};

struct crowd {
	const struct trace *t;
	const struct messages *m;
	struct sample_pieces *pieces;
	uint32_t ranks;       /* the first so many are looked at: */
	uint32_t *at;         /* where the intervals of each begin */
	struct interval *v;   /* of their messages */
	struct interval *far; /* of those between nodes, */
	uint32_t n_far;
	struct stretches stretches; /* in these stretches of time */
	struct ends ends[SHARE_MOST];
	struct beside *beside; /* per message */
};

static int by_begin(const void *a, const void *b)
{
	const struct interval *x = a, *y = b;

	return x->way != y->way ? (x->way > y->way) - (x->way < y->way)
				: (x->from_ns > y->from_ns) - (x->from_ns < y->from_ns);
}

static int by_time(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* How many of n ascending times are before when; near: about so many. */
static uint32_t before(const int64_t *ns, uint32_t n, uint32_t near, int64_t when)
{
	return instants_until((struct instants){ns, sizeof(*ns), n}, near, when - 1);
}

/*
 * How much time there is between each of the first k instants, which are before when, and when; ns.
 */
static double since(const double *sums, size_t k, int64_t when)
{
	return (double)k * when - sums[k];
}

static float *count_of(struct beside *b, enum way way)
{
	return way == WAY_OUT ? &b->out : way == WAY_IN ? &b->in : &b->abroad;
}

/* Room for n intervals and what is before and after them. Returns 0, or -1: out of memory. */
static int make_room(struct ends *e, size_t n)
{
	if (n + 2 <= e->room)
		return 0;
	table_free(e->ns);
	table_free(e->sums);
	e->room = n + 2;
	e->ns = table_alloc(2 * e->room, sizeof(*e->ns));
	e->sums = table_alloc(2 * e->room, sizeof(*e->sums));
	return e->ns && e->sums ? 0 : -1;
}

/* Of one way, of one rank or of all, by begin: how many others each has beside it, on average. */
static void count_others(struct crowd *c, const struct ends *e, const struct interval *v,
			 uint32_t n)
{
	int64_t *begins_ns = e->ns, *ends_ns = e->ns + e->room;
	double *begin_sums = e->sums, *end_sums = e->sums + e->room;
	int64_t zero_ns = n ? v[0].from_ns : 0;
	uint32_t begun = 0, ended = 0, begun_at_end = 0, ended_at_end = 0;

	for (uint32_t k = 0; k < n; k++) {
		begins_ns[k] = v[k].from_ns - zero_ns;
		ends_ns[k] = v[k].to_ns - zero_ns;
	}
	sort(ends_ns, n, sizeof(*ends_ns), by_time);
	begin_sums[0] = end_sums[0] = 0;
	for (uint32_t k = 0; k < n; k++) {
		begin_sums[k + 1] = begin_sums[k] + begins_ns[k];
		end_sums[k + 1] = end_sums[k] + ends_ns[k];
	}
	for (uint32_t k = 0; k < n; k++) {
		int64_t from = v[k].from_ns - zero_ns, to = v[k].to_ns - zero_ns;
		struct beside *b = &c->beside[v[k].message];
		double under_way;

		begun = before(begins_ns, n, begun, from);
		ended = before(ends_ns, n, ended, from);
		begun_at_end = before(begins_ns, n, begun_at_end, to);
		ended_at_end = before(ends_ns, n, ended_at_end, to);
		under_way = since(begin_sums, begun_at_end, to) -
			    since(end_sums, ended_at_end, to) - since(begin_sums, begun, from) +
			    since(end_sums, ended, from);
		if (to > from) /* less itself */
			*count_of(b, v[k].way) = fmax(0, under_way / (to - from) - 1);
	}
}

/*
 * Runs of messages of one size class that overlap: all of them went through one port between
 * the first's begin and the last's end, so it takes no longer for each than their share of that.
 */
static int take_runs(const struct crowd *c, struct sample_notes *notes, const struct interval *v,
		     uint32_t n)
{
	for (uint32_t first = 0, last; first < n; first = last) {
		const struct message *x = &c->m->m[v[first].message];
		int64_t end_ns = v[first].to_ns;
		enum locality class = machine_locality(c->t, x->src, x->dst);

		for (last = first + 1; last < n && v[last].from_ns < end_ns; last++) {
			const struct message *y = &c->m->m[v[last].message];

			if (samples_bin(y->bytes) != samples_bin(x->bytes) ||
			    machine_locality(c->t, y->src, y->dst) != class)
				break;
			end_ns = v[last].to_ns > end_ns ? v[last].to_ns : end_ns;
		}
		if (last - first > 1 &&
		    samples_note(notes, SAMPLE_SHARE, class,
				 (struct sample){.ns = (end_ns - v[first].from_ns) /
						       (int64_t)(last - first),
						 .bytes = x->bytes,
						 .crowd = last - first - 1,
						 .message = TRACE_NONE}))
			return -1;
	}
	return 0;
}

static int take_rank(struct crowd *c, unsigned hand, uint32_t rank, struct err *err)
{
	struct interval *v = c->v + c->at[rank];
	uint32_t n = c->at[rank + 1] - c->at[rank], out = 0;
	struct sample_notes *notes = &c->pieces->hand[hand];
	struct sample_piece *piece = &c->pieces->piece[rank];
	struct ends *e = &c->ends[hand];

	if (make_room(e, n))
		return err_set(err, "out of memory for %u messages", n);
	*piece = (struct sample_piece){hand, notes->n, notes->n};
	sort(v, n, sizeof(*v), by_begin);
	while (out < n && v[out].way == WAY_OUT)
		out++;
	count_others(c, e, v, out);
	count_others(c, e, v + out, n - out);
	if (take_runs(c, notes, v, out) || take_runs(c, notes, v + out, n - out))
		return err_set(err, "out of memory for %zu samples", notes->n);
	piece->to = notes->n;
	return 0;
}

/*
 * The messages between nodes that are looked at. In the first half of a stretch others may have
 * begun before it. Each other node sends one at a time: more than these do not meet in the network,
 * however many are waiting for it. Returns 0, or -1: out of memory.
 */
static int look_abroad(struct crowd *c, struct ends *e)
{
	const struct stretches *s = &c->stretches;
	float most = c->t->nodes - 1.0f;

	if (make_room(e, c->n_far))
		return -1;
	sort(c->far, c->n_far, sizeof(*c->far), by_begin);
	count_others(c, e, c->far, c->n_far);
	for (uint32_t k = 0; k < c->n_far; k++) {
		float *others = &c->beside[c->far[k].message].abroad;
		int is_early = s->every > 1 && c->far[k].from_ns % s->length_ns < s->length_ns / 2;

		*others = is_early ? INFINITY : fminf(*others, most);
	}
	return 0;
}

/* What is between nodes, which takes longest, then each rank. */
static int take_piece(void *crowd, unsigned hand, uint32_t piece, struct err *err)
{
	struct crowd *c = crowd;

	if (piece > 0)
		return take_rank(c, hand, piece - 1, err);
	return look_abroad(c, &c->ends[hand])
		       ? err_set(err, "out of memory for %u messages", c->m->n)
		       : 0;
}

/*
 * Waiting for a core is in most durations of a class if most of its messages have such an end. A
 * core that others take at times leaves enough of them alone.
 */
static void find_without_core(int without_core[LOCALITY_COUNT], const struct trace *t,
			      const struct messages *m)
{
	int64_t more[LOCALITY_COUNT] = {0};
	uint32_t share = 0;

	for (uint32_t r = 0; r < t->n_ranks; r++)
		share += trace_shares_core(t, r) != 0;
	for (uint32_t i = 0; i < m->n && share > 0; i++) {
		const struct message *x = &m->m[i];

		if (x->src == x->dst)
			continue;
		more[machine_locality(t, x->src, x->dst)] +=
			trace_shares_core(t, x->src) || trace_shares_core(t, x->dst) ? 1 : -1;
	}
	for (int k = 0; k < LOCALITY_COUNT; k++)
		without_core[k] = more[k] > 0;
}

/* Is it between nodes, in a stretch of time that is looked at? */
static int is_far(const struct crowd *c, const struct message *x)
{
	const struct stretches *s = &c->stretches;

	return machine_locality(c->t, x->src, x->dst) == LOCALITY_NETWORK &&
	       (s->every == 1 || x->sent_ns / s->length_ns % s->every == 0);
}

/*
 * What is looked at, and how many intervals that is: of as many ranks as there is room for, and
 * between nodes. Returns 0, or -1: out of memory.
 */
static int choose(struct crowd *c)
{
	uint32_t *at = c->at, n = 0;

	c->stretches.every = c->m->n / ENOUGH_INTERVALS + 1;
	c->stretches.length_ns = c->t->wall_ns / ((int64_t)STRETCHES * c->stretches.every) + 1;
	for (uint32_t i = 0; i < c->m->n; i++) {
		const struct message *x = &c->m->m[i];
		int far = is_far(c, x);

		at[x->src + 1] += x->src != x->dst;
		at[x->dst + 1] += x->src != x->dst;
		c->beside[i].abroad = far ? 0 : INFINITY;
		c->n_far += (uint32_t)far;
	}
	for (; c->ranks < c->t->n_ranks && (uint64_t)n + at[c->ranks + 1] <= ENOUGH_INTERVALS;
	     c->ranks++) {
		n += at[c->ranks + 1];
		at[c->ranks + 1] = n;
	}
	c->v = table_alloc((size_t)n + 1, sizeof(*c->v));
	c->far = table_alloc((size_t)c->n_far + 1, sizeof(*c->far));
	return c->v && c->far ? 0 : -1;
}

/* The intervals of the ranks, grouped: v[at[r]] .. v[at[r + 1] - 1]; and those between nodes. */
static void fill(struct crowd *c)
{
	uint32_t *at = c->at, n_far = 0;

	for (uint32_t i = 0; i < c->m->n; i++) {
		const struct message *x = &c->m->m[i];
		const uint32_t end[] = {x->src, x->dst};
		struct interval v = {x->sent_ns, x->done_ns, i, WAY_ABROAD};

		if (c->beside[i].abroad == 0)
			c->far[n_far++] = v;
		for (v.way = WAY_OUT; v.way <= WAY_IN && x->src != x->dst; v.way++)
			if (end[v.way] < c->ranks)
				c->v[at[end[v.way]]++] = v;
			else
				c->beside[i].out = c->beside[i].in = INFINITY;
	}
	memmove(at + 1, at, c->ranks * sizeof(*at));
	at[0] = 0;
}

int samples_find_crowds(struct beside *beside, struct sample_pieces *pieces,
			int without_core[LOCALITY_COUNT], const struct trace *t,
			const struct messages *m, struct err *err)
{
	struct crowd c = {.t = t, .m = m, .pieces = pieces, .beside = beside};
	int ret = -1;

	c.at = calloc((size_t)t->n_ranks + 2, sizeof(*c.at));
	if (!c.at)
		return err_set(err, "out of memory for %u ranks", t->n_ranks);
	find_without_core(without_core, t, m);
	if (choose(&c)) {
		err_set(err, "out of memory for %u messages", m->n);
		goto out;
	}
	fill(&c);
	ret = share_run(share_hands(), c.ranks + 1, take_piece, &c, err);
out:
	for (unsigned k = 0; k < SHARE_MOST; k++) {
		table_free(c.ends[k].ns);
		table_free(c.ends[k].sums);
	}
	table_free(c.far);
	table_free(c.v);
	free(c.at);
	return ret;
}
