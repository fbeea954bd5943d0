/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How many other messages were under way at both of a message's ends, and in all, and how long
 * those ends' ports took for a crowd of messages? And how many lacked a core? For
 * machine_samples.c.
 */
#include "analyze/machine_samples.h"

#include "analyze/sorting.h"
#include "common/huge.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ENOUGH_INTERVALS \
	600000      /* ranks beyond are left out: all of their messages count as in a crowd */
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

struct crowd {
	const struct trace *t;
	const struct messages *m;
	struct samples *out;
	struct interval *v;
	size_t room;  /* of each: */
	int64_t *ns;  /* the begins of the intervals of one rank, ascending, and the ends; */
	double *sums; /* of all before one, likewise */
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

/* The first of n ascending times that is not before when. */
static size_t first_at(const int64_t *ns, size_t n, int64_t when)
{
	size_t low = 0;

	while (low < n) {
		size_t mid = low + (n - low) / 2;

		if (ns[mid] < when)
			low = mid + 1;
		else
			n = mid;
	}
	return low;
}

/* The same for times that ascend from call to call, from the last one's place on. */
static size_t next_at(const int64_t *ns, size_t n, size_t k, int64_t when)
{
	while (k < n && ns[k] < when)
		k++;
	return k;
}

/* How much time there is between each of the first k instants, which are before when, and when; ns. */
static double since(const double *sums, size_t k, int64_t when)
{
	return (double)k * when - sums[k];
}

static float *count_of(struct beside *b, enum way way)
{
	return way == WAY_OUT ? &b->out : way == WAY_IN ? &b->in : &b->abroad;
}

/* Of one way, of one rank or of all, by begin: how many others each has beside it, on average. */
static void count_others(struct crowd *c, const struct interval *v, size_t n)
{
	size_t room = c->room;
	int64_t *begins_ns = c->ns, *ends_ns = c->ns + room;
	double *begin_sums = c->sums, *end_sums = c->sums + room;
	int64_t zero_ns = n ? v[0].from_ns : 0;
	size_t begun = 0, ended = 0;

	for (size_t k = 0; k < n; k++) {
		begins_ns[k] = v[k].from_ns - zero_ns;
		ends_ns[k] = v[k].to_ns - zero_ns;
	}
	sort(ends_ns, n, sizeof(*ends_ns), by_time);
	begin_sums[0] = end_sums[0] = 0;
	for (size_t k = 0; k < n; k++) {
		begin_sums[k + 1] = begin_sums[k] + begins_ns[k];
		end_sums[k + 1] = end_sums[k] + ends_ns[k];
	}
	for (size_t k = 0; k < n; k++) {
		int64_t from = v[k].from_ns - zero_ns, to = v[k].to_ns - zero_ns;
		struct beside *b = &c->beside[v[k].message];
		double under_way;

		begun = next_at(begins_ns, n, begun, from);
		ended = next_at(ends_ns, n, ended, from);
		under_way = since(begin_sums, first_at(begins_ns, n, to), to) -
			    since(end_sums, first_at(ends_ns, n, to), to) -
			    since(begin_sums, begun, from) + since(end_sums, ended, from);
		if (to > from) /* less itself */
			*count_of(b, v[k].way) = fmax(0, under_way / (to - from) - 1);
	}
}

/*
 * Runs of messages of one size class that overlap: all of them went through one port between
 * the first's begin and the last's end, so it takes no longer for each than their share of that.
 */
static int take_runs(struct crowd *c, const struct interval *v, size_t n)
{
	for (size_t first = 0, last; first < n; first = last) {
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
		    samples_note(c->out, SAMPLE_SHARE, class, x->bytes,
				 (end_ns - v[first].from_ns) / (int64_t)(last - first),
				 (struct beside){.in = last - first - 1}))
			return -1;
	}
	return 0;
}

/* The intervals of ranks 0 .. ranks - 1, grouped: v[at[r]] .. v[at[r + 1] - 1]. */
static void fill(struct crowd *c, uint32_t *at, uint32_t ranks)
{
	for (uint32_t i = 0; i < c->m->n; i++) {
		const struct message *x = &c->m->m[i];
		const uint32_t end[] = {x->src, x->dst};

		for (uint32_t side = 0; side < 2 && x->src != x->dst; side++)
			if (end[side] < ranks)
				c->v[at[end[side]]++] =
					(struct interval){x->sent_ns, x->done_ns, i, side};
			else
				c->beside[i].out = c->beside[i].in = INFINITY;
	}
	memmove(at + 1, at, ranks * sizeof(*at));
	at[0] = 0;
}

static int take_rank(struct crowd *c, struct interval *v, size_t n)
{
	size_t out = 0;

	sort(v, n, sizeof(*v), by_begin);
	while (out < n && v[out].way == WAY_OUT)
		out++;
	count_others(c, v, out);
	count_others(c, v + out, n - out);
	return take_runs(c, v, out) || take_runs(c, v + out, n - out);
}

/* Room for n intervals. Returns 0, or -1: out of memory. */
static int make_room(struct crowd *c, size_t n)
{
	if (n + 2 <= c->room)
		return 0;
	free(c->v);
	free(c->ns);
	free(c->sums);
	c->room = n + 2;
	c->v = huge_pages(calloc(c->room, sizeof(*c->v)));
	c->ns = huge_pages(calloc(2 * c->room, sizeof(*c->ns)));
	c->sums = huge_pages(calloc(2 * c->room, sizeof(*c->sums)));
	return c->v && c->ns && c->sums ? 0 : -1;
}

/* Of a run with very many messages: stretches of length_ns, one in so many; else all of it. */
struct stretches {
	int64_t length_ns;
	uint32_t every;
};

static int is_within(const struct crowd *c, const struct stretches *s, uint32_t i)
{
	const struct message *x = &c->m->m[i];

	return machine_locality(c->t, x->src, x->dst) == LOCALITY_NETWORK &&
	       x->sent_ns / s->length_ns % s->every == 0;
}

/*
 * All messages between nodes; of very many those of some stretches of time, in the first halves of
 * which others may have begun before. Each other node sends one at a time: more than these do not
 * meet in the network, however many are waiting for it. Returns 0, or -1: out of memory.
 */
static int look_abroad(struct crowd *c)
{
	float most = c->t->nodes - 1.0f;
	struct stretches s = {.every = c->m->n / ENOUGH_INTERVALS + 1};
	size_t n = 0, k = 0;

	s.length_ns = s.every > 1 ? c->t->wall_ns / ((int64_t)STRETCHES * s.every) + 1 : INT64_MAX;
	for (uint32_t i = 0; i < c->m->n; i++) {
		int within = is_within(c, &s, i);

		c->beside[i].abroad = within ? 0 : INFINITY;
		n += (size_t)within;
	}
	if (make_room(c, n))
		return -1;
	for (uint32_t i = 0; i < c->m->n; i++) {
		const struct message *x = &c->m->m[i];

		if (c->beside[i].abroad == 0)
			c->v[k++] = (struct interval){x->sent_ns, x->done_ns, i, WAY_ABROAD};
	}
	sort(c->v, n, sizeof(*c->v), by_begin);
	count_others(c, c->v, n);
	for (k = 0; k < n; k++) {
		float *others = &c->beside[c->v[k].message].abroad;
		int is_early = s.every > 1 && c->v[k].from_ns % s.length_ns < s.length_ns / 2;

		*others = is_early ? INFINITY : fminf(*others, most);
	}
	return 0;
}

/*
 * Waiting for a core is in most durations of a class if most of its messages have such an end. A
 * core that others take at times leaves enough of them alone.
 */
static void find_without_core(struct samples *out, const struct trace *t, const struct messages *m)
{
	int64_t more[LOCALITY_COUNT] = {0};

	for (uint32_t i = 0; i < m->n; i++) {
		const struct message *x = &m->m[i];

		if (x->src == x->dst)
			continue;
		more[machine_locality(t, x->src, x->dst)] +=
			trace_shares_core(t, x->src) || trace_shares_core(t, x->dst) ? 1 : -1;
	}
	for (int k = 0; k < LOCALITY_COUNT; k++)
		out->without_core[k] = more[k] > 0;
}

int samples_find_crowds(struct beside *beside, struct samples *out, const struct trace *t,
			const struct messages *m, struct err *err)
{
	struct crowd c = {.t = t, .m = m, .out = out, .beside = beside};
	uint32_t *at = calloc((size_t)t->n_ranks + 2, sizeof(*at));
	uint32_t ranks = 0, n = 0;
	int ret = -1;

	if (!at)
		return err_set(err, "out of memory for %u ranks", t->n_ranks);
	find_without_core(out, t, m);
	for (uint32_t i = 0; i < m->n; i++) {
		if (m->m[i].src == m->m[i].dst)
			continue;
		at[m->m[i].src + 1]++;
		at[m->m[i].dst + 1]++;
	}
	for (; ranks < t->n_ranks && (uint64_t)n + at[ranks + 1] <= ENOUGH_INTERVALS; ranks++) {
		n += at[ranks + 1];
		at[ranks + 1] = n;
	}
	if (make_room(&c, n)) {
		err_set(err, "out of memory for %u messages", n);
		goto out;
	}
	fill(&c, at, ranks);
	for (uint32_t r = 0; r < ranks; r++)
		if (take_rank(&c, c.v + at[r], at[r + 1] - at[r])) {
			err_set(err, "out of memory for %zu samples", out->n);
			goto out;
		}
	if (look_abroad(&c)) {
		err_set(err, "out of memory for %u messages", m->n);
		goto out;
	}
	ret = 0;
out:
	free(c.sums);
	free(c.ns);
	free(c.v);
	free(at);
	return ret;
}
