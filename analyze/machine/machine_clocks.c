/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/machine/machine_clocks.h"

#include "analyze/tools/sorting.h"
#include "common/ascending.h"
#include "common/table.h"

#include <math.h>
#include <stdlib.h>

#define MATTERS     0.05 /* clocks that are off by so much of a time; less, and it is as known */
#define ROUND_TIMES 10   /* so soon one follows the other, in their own time: clocks do not drift */

/* What the clocks may have added to a time, or taken from it, s. INFINITY: nothing is known. */
struct doubt {
	double added_s, taken_s;
};

static double ahead_s(const struct trace *t, uint32_t a, uint32_t b)
{
	int64_t ns = trace_clock_ahead_ns(t, a, b);

	return ns == INT64_MAX ? INFINITY : (double)ns * 1e-9;
}

static struct doubt doubt_of(const struct samples *all, const struct sample *s)
{
	const struct message *x;

	if (s->message == TRACE_NONE)
		return (struct doubt){0, 0};
	x = &all->m->m[s->message];
	return (struct doubt){ahead_s(all->t, x->src, x->dst), ahead_s(all->t, x->dst, x->src)};
}

/* One that went from a clock to another. */
struct trip {
	uint32_t low, high; /* the clocks */
	int is_back;        /* from the high one */
	int64_t at_ns;      /* it was sent */
	int64_t ns;
};

static int by_pair(const void *a, const void *b)
{
	const struct trip *x = a, *y = b;

	if (x->low != y->low)
		return x->low < y->low ? -1 : 1;
	if (x->high != y->high)
		return x->high < y->high ? -1 : 1;
	return (x->at_ns > y->at_ns) - (x->at_ns < y->at_ns);
}

/* Room for what there is to sort. */
struct work {
	struct trip *trip;
	double *s;
};

/* Half of each round trip into w->s, ascending; returns how many. */
static size_t find_rounds(struct work *w, const struct samples *all, const struct sample *s,
			  size_t n)
{
	size_t trips = 0, rounds = 0;

	for (size_t i = 0; i < n; i++) {
		const struct message *x;
		uint32_t from, to;

		if (s[i].message == TRACE_NONE)
			continue;
		x = &all->m->m[s[i].message];
		from = all->t->ranks[x->src].clock;
		to = all->t->ranks[x->dst].clock;
		if (from != to)
			w->trip[trips++] =
				(struct trip){from < to ? from : to, from < to ? to : from,
					      from > to, x->sent_ns, s[i].ns};
	}
	sort(w->trip, trips, sizeof(*w->trip), by_pair);
	for (size_t i = 1; i < trips; i++) {
		const struct trip *a = &w->trip[i - 1], *b = &w->trip[i];

		if (a->low == b->low && a->high == b->high && a->is_back != b->is_back &&
		    b->at_ns - a->at_ns <= ROUND_TIMES * (a->ns + b->ns))
			w->s[rounds++] = (double)(a->ns + b->ns) / 2 * 1e-9;
	}
	sort(w->s, rounds, sizeof(*w->s), ascending);
	return rounds;
}

/*
 * The most that the quantile can be: none took longer than it seems and the clocks took from it. If
 * nothing is known of that, what they take on average, from which clocks take as much as they add
 * where as much goes one way as the other.
 */
static double most_s(struct work *w, const struct samples *all, const struct sample *s, size_t n,
		     double p)
{
	double sum = 0, *least = &w->s[(size_t)floor((double)n * p)];

	for (size_t i = 0; i < n; i++) {
		w->s[i] = (double)s[i].ns * 1e-9 + doubt_of(all, &s[i]).taken_s;
		sum += (double)s[i].ns * 1e-9;
	}
	sort(w->s, n, sizeof(*w->s), ascending);
	return isfinite(*least) ? *least : sum / (double)n;
}

static void take_rounds(struct low *time, const double *s, size_t n, double p)
{
	double spread = 1.96 * sqrt((double)n * p * (1 - p)), rank = floor((double)n * p);
	size_t at = (size_t)rank, to = (size_t)ceil(rank + spread);

	to = to < n ? to : n - 1;
	time->s = s[at];
	time->n = n;
	if (s[at] > 0)
		time->half_width = fmin(1, fmax(time->half_width, s[to] / s[at] - 1));
}

int machine_clocks_judge(struct known *k, const struct samples *all, enum locality class,
			 enum sample_kind kind, int bin, double p, struct err *err)
{
	size_t n, rounds;
	const struct sample *s = samples_of(all, class, kind, bin, &n);
	struct doubt worst = {0, 0};
	struct work w = {NULL, NULL};

	for (size_t i = 0; i < n && all->t->clocks > 1; i++) {
		struct doubt d = doubt_of(all, &s[i]);

		worst = (struct doubt){fmax(worst.added_s, d.added_s),
				       fmax(worst.taken_s, d.taken_s)};
	}
	if (fmax(worst.added_s, worst.taken_s) <= MATTERS * k->time.s) {
		if (k->time.s > 0)
			k->time.half_width =
				fmin(1, k->time.half_width +
						fmax(worst.added_s, worst.taken_s) / k->time.s);
		return 0;
	}
	/* whether its receiver waited for one is by these clocks, too */
	s = samples_of(all, class, samples_any_of(kind), bin, &n);
	w.trip = table_alloc(n, sizeof(*w.trip));
	w.s = table_alloc(n, sizeof(*w.s));
	if (!w.trip || !w.s) {
		table_free(w.trip);
		table_free(w.s);
		return err_set(err, "out of memory for %zu samples", n);
	}
	rounds = find_rounds(&w, all, s, n);
	if (rounds) {
		take_rounds(&k->time, w.s, rounds, p);
	} else {
		k->less_s = fmin(k->time.s, worst.added_s);
		k->more_s = fmax(0, most_s(&w, all, s, n, p) - k->time.s);
	}
	table_free(w.trip);
	table_free(w.s);
	return 0;
}
