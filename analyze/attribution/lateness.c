/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/attribution/lateness.h"

#include <string.h>

#include "analyze/attribution/causes.h"
#include "analyze/tools/growing.h"
#include "analyze/tools/sorting.h"

#define MUCH       0.1  /* of rank time */
#define ROWS_LEAST 4096 /* before those that are alike become one */

struct search {
	const struct trace *t;
	struct late_partner *rows;
	size_t n, cap;
};

const char *lateness_reason_name(enum lateness_reason reason)
{
	static const char *const names[] = {
		[LATENESS_COMPUTATION] = "computation",
		[LATENESS_HANDLER] = "handler",
		[LATENESS_NETWORK] = "network",
		[LATENESS_COLLECTIVE] = "collective",
		[LATENESS_MESSAGES] = "messages",
		[LATENESS_LOCK] = "lock",
		[LATENESS_CORE] = "core",
		[LATENESS_UNRECORDED] = "unrecorded",
		[LATENESS_UNKNOWN] = "unknown",
	};

	return names[reason];
}

static uint32_t site_of(const struct search *s, uint32_t call)
{
	return call == TRACE_NONE ? TRACE_NONE : s->t->calls[call].site;
}

static int compare(uint32_t a, uint32_t b)
{
	return (a > b) - (a < b);
}

static int by_key(const void *a, const void *b, void *arg)
{
	const struct late_partner *x = a, *y = b;
	const struct search *s = arg;
	int order = compare(site_of(s, x->call), site_of(s, y->call));

	order = order ? order : compare(s->t->calls[x->call].region, s->t->calls[y->call].region);
	order = order ? order : compare(x->rank, y->rank);
	order = order ? order : compare(x->reason, y->reason);
	return order ? order : compare(site_of(s, x->at), site_of(s, y->at));
}

static int by_time(const void *a, const void *b)
{
	const struct late_partner *x = a, *y = b;

	return x->ns != y->ns ? (x->ns < y->ns) - (x->ns > y->ns) : compare(x->call, y->call);
}

/* Rows with one key become one. */
static size_t merge(struct late_partner *row, size_t n, struct search *s)
{
	size_t kept = 0;

	sort_with(row, n, sizeof(*row), by_key, s);
	for (size_t k = 0; k < n; k++) {
		if (kept > 0 && by_key(&row[kept - 1], &row[k], s) == 0) {
			row[kept - 1].ns += row[k].ns;
			row[kept - 1].direct_ns += row[k].direct_ns;
			row[kept - 1].waits += row[k].waits;
		} else {
			row[kept++] = row[k];
		}
	}
	sort(row, kept, sizeof(*row), by_time);
	return kept;
}

/* A call's wait, a row for each of its causes. */
static int add(struct search *s, uint32_t call, const struct causes *x)
{
	for (size_t k = 0; k < x->n; k++) {
		const struct cause *c = &x->cause[k];

		if (GROW(s->rows, s->n + 1, s->cap))
			return -1;
		s->rows[s->n++] = (struct late_partner){call, c->rank, c->at,       c->reason,
							1,    c->ns,   c->direct_ns};
	}
	return 0;
}

static int find(struct search *s, const struct late_waits *w, struct causes *x)
{
	size_t most = ROWS_LEAST;

	for (uint32_t call = 0; call < w->t->n_calls; call++) {
		if (!late_waits_is(w, call))
			continue;
		if (causes_find(x, call) || add(s, call, x))
			return -1;
		if (s->n < most)
			continue;
		s->n = merge(s->rows, s->n, s);
		most = 2 * s->n > ROWS_LEAST ? 2 * s->n : ROWS_LEAST;
	}
	s->n = merge(s->rows, s->n, s);
	return 0;
}

static uint32_t count(const struct late_waits *w)
{
	uint32_t n = 0;

	for (uint32_t call = 0; call < w->t->n_calls; call++)
		n += late_waits_is(w, call) != 0;
	return n;
}

int lateness_find(struct lateness *out, const struct trace *t, const struct messages *m,
		  const struct attribution *a, struct err *err)
{
	struct search s = {.t = t};
	struct late_waits w;
	struct causes x;
	int ret;

	memset(out, 0, sizeof(*out));
	if (late_waits_find(&w, t, m, a, err))
		return -1;
	causes_init(&x, &w, count(&w));
	ret = find(&s, &w, &x);
	if (ret)
		err_set(err, "out of memory for %zu waits", s.n);
	causes_release(&x);
	late_waits_release(&w);
	*out = (struct lateness){.rows = s.rows, .n = s.n};
	for (size_t k = 0; k < out->n; k++)
		out->ns += out->rows[k].ns;
	if (!ret && (double)out->ns > MUCH * (double)a->budget.total_ns)
		ret = alone_find(t, &out->alone, err);
	if (ret)
		lateness_release(out);
	return ret;
}

void lateness_release(struct lateness *l)
{
	table_free(l->rows);
	memset(l, 0, sizeof(*l));
}
