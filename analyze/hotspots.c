/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/hotspots.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/rules.h"

static int (*const rules[])(const struct evidence_base *, struct findings *, struct err *) = {
	rule_order,
	rule_incast,
};

int findings_add(struct findings *f, const struct hotspot *h, struct err *err)
{
	if (f->n == f->room) {
		uint32_t room = f->room ? 2 * f->room : 8;
		struct hotspot *more = reallocarray(f->h, room, sizeof(*more));

		if (!more)
			return err_set(err, "out of memory for %u hotspots", room);
		f->h = more;
		f->room = room;
	}
	f->h[f->n++] = *h;
	return 0;
}

void hotspot_evidence(struct hotspot *h, const char *key, double value)
{
	if (h->n_evidence < HOTSPOT_EVIDENCE_MAX)
		h->evidence[h->n_evidence++] = (struct evidence){key, value};
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

double rule_gini(double *x, size_t n)
{
	double sum = 0, weighted = 0;

	qsort(x, n, sizeof(*x), by_value);
	for (size_t i = 0; i < n; i++) {
		sum += x[i];
		weighted += (2.0 * (i + 1) - n - 1) * x[i];
	}
	return sum > 0 ? weighted / (n * sum) : 0;
}

static int by_saving(const void *a, const void *b)
{
	const struct hotspot *x = a, *y = b;

	if (x->saves_mid_s != y->saves_mid_s)
		return x->saves_mid_s < y->saves_mid_s ? 1 : -1;
	return x->saves_high_s < y->saves_high_s ? 1 : x->saves_high_s > y->saves_high_s ? -1 : 0;
}

/* Not worth a line: less than a hundredth of the run at the very best. */
static int is_trifle(const struct hotspot *h, double wall_s)
{
	return h->saves_high_s < 0.01 * wall_s;
}

/* High only where at least some of the saving is certain. */
static enum severity severity_of(const struct hotspot *h, double wall_s)
{
	if (h->saves_mid_s >= 0.05 * wall_s && h->saves_low_s > 0)
		return SEVERITY_HIGH;
	return h->saves_mid_s >= 0.02 * wall_s ? SEVERITY_MEDIUM : SEVERITY_LOW;
}

int hotspots_find(const struct trace *t, const struct messages *m, const struct collectives *c,
		  const struct machine *machine, const struct attribution *a, struct hotspots *out,
		  struct err *err)
{
	struct evidence_base base = {
		.t = t,
		.m = m,
		.c = c,
		.machine = machine,
		.a = a,
		.wall_s = t->wall_ns * 1e-9,
		.rank_time_s = t->wall_ns * 1e-9 * t->n_ranks,
	};
	struct findings found = {0};
	int ret = -1;

	if (senders_init(&base.senders, t, m, err))
		return -1;
	for (size_t k = 0; k < sizeof(rules) / sizeof(*rules); k++)
		if (rules[k](&base, &found, err))
			goto out;
	for (uint32_t k = 0; k < found.n;)
		if (is_trifle(&found.h[k], base.wall_s))
			found.h[k] = found.h[--found.n];
		else
			k++;
	for (uint32_t k = 0; k < found.n; k++)
		found.h[k].severity = severity_of(&found.h[k], base.wall_s);
	if (found.n)
		qsort(found.h, found.n, sizeof(*found.h), by_saving);
	*out = (struct hotspots){found.h, found.n};
	ret = 0;
out:
	if (ret)
		free(found.h);
	senders_release(&base.senders);
	return ret;
}

void hotspots_release(struct hotspots *h)
{
	free(h->h);
	memset(h, 0, sizeof(*h));
}
