/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/signature_regimes.h"

#include "models/signature_data.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The best division of the sizes before one of them. */
struct division {
	size_t parts; /* ranges, and sizes outside all of them */
	double rest;  /* squared relative residuals, which decide among as many */
	size_t begin; /* of the last part */
	int serves;   /* 1: that is a range */
};

struct search {
	struct signature_question q;
	size_t count;
	const struct signature_sample *samples;
	struct signature_sample *chosen; /* room for all */
	const struct signature_group *groups;
	size_t n_groups;
	struct division *before; /* each size, and after the last */
};

static int fit_range(struct search *s, size_t begin, size_t end, struct signature_regime *r)
{
	struct err unused;
	size_t n = 0;

	r->from_bytes = s->groups[begin].bytes;
	r->to_bytes = s->groups[end - 1].bytes;
	for (size_t i = 0; i < s->count; i++)
		if (s->samples[i].bytes >= r->from_bytes && s->samples[i].bytes <= r->to_bytes)
			s->chosen[n++] = s->samples[i];
	return signature_fit(&s->q, n, s->chosen, &r->fit, &unused);
}

/* Is a signature near enough to all means of a range? *rest: how far from them. */
static int serves(const struct search *s, size_t begin, size_t end, const struct signature *fit,
		  double *rest)
{
	*rest = 0;
	for (size_t i = begin; i < end; i++) {
		const struct signature_group *g = &s->groups[i];
		struct err unused;
		double time, off;

		if (signature_time(fit, s->q.n, g->bytes, &time, &unused))
			return 0;
		off = fabs(g->mean * (s->q.n - 1) / time - 1);
		if (off > SIGNATURE_FITS &&
		    fabs(g->mean - time / (s->q.n - 1)) > 2 * g->sd / sqrt((double)g->n))
			return 0;
		*rest += off * off;
	}
	return 1;
}

static void divide(struct search *s, size_t end)
{
	struct division *best = &s->before[end];

	*best = s->before[end - 1]; /* the last size has no signature */
	best->parts++;
	best->begin = end - 1;
	best->serves = 0;
	for (size_t begin = 0; begin + SIGNATURE_SIZES_MIN <= end; begin++) {
		struct division d = s->before[begin];
		struct signature_regime r;
		double rest;

		d.parts++;
		if (d.parts > best->parts || fit_range(s, begin, end, &r) ||
		    !serves(s, begin, end, &r.fit.signature, &rest))
			continue;
		d.rest += rest;
		d.begin = begin;
		d.serves = 1;
		if (d.parts < best->parts || d.rest < best->rest || !best->serves)
			*best = d;
	}
}

/* The ranges of the best division, ascending. Returns how many. */
static int take(struct search *s, size_t end, int most, struct signature_regime out[most])
{
	const struct division *d = &s->before[end];
	int n;

	if (end == 0)
		return 0;
	n = take(s, d->begin, most, out);
	if (d->serves && n < most && !fit_range(s, d->begin, end, &out[n]))
		n++;
	return n;
}

/* From this size on, as a range: its signature is that of the whole. */
static void take_from(struct search *s, double from, struct signature_regime *r)
{
	size_t n = 0;

	for (size_t i = 0; i < s->count; i++)
		if (s->samples[i].bytes >= from && s->samples[i].bytes <= r->to_bytes)
			s->chosen[n++] = s->samples[i];
	r->from_bytes = from;
	signature_data_range(n, s->chosen, &r->fit);
}

/*
 * A range that holds for no fewer processes may do so without its smallest sizes, as fewer ranks
 * fill the network with larger messages only. Then it is two ranges of one signature, the upper one
 * into *upper. Returns whether it is.
 */
static int halve(struct search *s, struct signature_regime *r, struct signature_regime *upper)
{
	const struct signature_group *g = s->groups;

	for (size_t begin = 1; begin + SIGNATURE_SIZES_MIN <= s->n_groups; begin++) {
		*upper = *r;
		if (g[begin].bytes <= r->from_bytes ||
		    g[begin + SIGNATURE_SIZES_MIN - 1].bytes > r->to_bytes)
			continue;
		take_from(s, g[begin].bytes, upper);
		if (upper->fit.n_low < upper->fit.n) {
			r->to_bytes = g[begin - 1].bytes;
			return 1;
		}
	}
	return 0;
}

/* Those of n ranges that can be divided so. Returns how many there are then. */
static int halve_all(struct search *s, int n, int most, struct signature_regime out[most])
{
	struct signature_regime upper;

	for (int i = 0; i < n && n < most; i++) {
		if (!out[i].fit.n_below || out[i].fit.n_low < out[i].fit.n ||
		    !halve(s, &out[i], &upper))
			continue;
		memmove(&out[i + 2], &out[i + 1], (size_t)(n - i - 1) * sizeof(*out));
		out[++i] = upper;
		n++;
	}
	return n;
}

/* Ranges into out[], none when one signature serves all. Returns how many, or -1: no memory. */
static int find(const struct signature_data *d, struct search *s, const struct signature *all,
		int most, struct signature_regime out[most])
{
	double unused;
	int n = -1;

	s->groups = d->groups;
	s->n_groups = d->n_groups;
	if (serves(s, 0, d->n_groups, all, &unused))
		return 0;
	s->chosen = calloc(s->count, sizeof(*s->chosen));
	s->before = calloc(d->n_groups + 1, sizeof(*s->before));
	if (s->chosen && s->before) {
		for (size_t end = 1; end <= d->n_groups; end++)
			divide(s, end);
		n = take(s, d->n_groups, most, out);
		n = halve_all(s, n, most, out);
	}
	free(s->chosen);
	free(s->before);
	return n;
}

int signature_regimes(const struct signature_question *q, size_t count,
		      const struct signature_sample samples[count], int most,
		      struct signature_regime out[most], struct err *err)
{
	struct search s = {.q = *q, .count = count, .samples = samples};
	struct signature_data d;
	int n;

	if (signature_fit(q, count, samples, &out[0].fit, err))
		return -1;
	s.q.n = out[0].fit.n;
	if (signature_data_init(&d, &s.q, count, samples, err)) {
		signature_data_release(&d);
		return -1;
	}
	out[0].from_bytes = d.groups[0].bytes;
	out[0].to_bytes = d.groups[d.n_groups - 1].bytes;
	n = find(&d, &s, &out[0].fit.signature, most - 1, out + 1);
	signature_data_release(&d);
	return n < 0 ? err_set(err, "out of memory for %zu samples", count) : n + 1;
}
