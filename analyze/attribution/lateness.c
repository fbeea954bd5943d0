/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/attribution/lateness.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/attribution/causes.h"
#include "analyze/tools/growing.h"
#include "analyze/tools/share.h"
#include "analyze/tools/sorting.h"

#define MUCH         0.1  /* of rank time */
#define ROWS_LEAST   4096 /* before those that are alike become one */
#define RECENT       256
#define PART_LEAST   4096 /* calls, about, in a part of them that one hand looks at, */
#define PART_OF_RANK 32   /* and of each rank */

/* What one hand finds. */
struct search {
	const struct late_waits *w;
	struct causes x;
	uint32_t waits; /* calls that wait */
	struct late_partner *rows;
	size_t n, cap;
	size_t most;             /* rows before those that are alike become one */
	uint32_t recent[RECENT]; /* by a key's hash: where its row may be */
};

const char *lateness_reason_name(enum lateness_reason reason)
{
	static const char *const names[] = {
		[LATENESS_COMPUTATION] = "computation",
		[LATENESS_HANDLER] = "handler",
		[LATENESS_NETWORK] = "network",
		[LATENESS_PORT] = "port",
		[LATENESS_BUFFERS] = "back-pressure",
		[LATENESS_COLLECTIVE] = "collective",
		[LATENESS_MESSAGES] = "messages",
		[LATENESS_SLEEP] = "sleep",
		[LATENESS_LOCK] = "lock",
		[LATENESS_FILES] = "files",
		[LATENESS_CIRCLE] = "circle",
		[LATENESS_GONE] = "gone",
		[LATENESS_CORE] = "core",
		[LATENESS_UNRECORDED] = "unrecorded",
		[LATENESS_UNKNOWN] = "unknown",
	};

	return names[reason];
}

static uint32_t site_of(const struct search *s, uint32_t call)
{
	return call == TRACE_NONE ? TRACE_NONE : s->w->t->calls[call].site;
}

static int compare(uint32_t a, uint32_t b)
{
	return (a > b) - (a < b);
}

static int by_key(const void *a, const void *b, void *arg)
{
	const struct late_partner *x = a, *y = b;
	const struct search *s = arg;
	const struct call *calls = s->w->t->calls;
	int order = compare(site_of(s, x->call), site_of(s, y->call));

	order = order ? order : compare(calls[x->call].region, calls[y->call].region);
	order = order ? order : compare(x->rank, y->rank);
	order = order ? order : compare(x->reason, y->reason);
	return order ? order : compare(site_of(s, x->at), site_of(s, y->at));
}

static int by_time(const void *a, const void *b)
{
	const struct late_partner *x = a, *y = b;

	return x->ns != y->ns ? (x->ns < y->ns) - (x->ns > y->ns) : compare(x->call, y->call);
}

/* Of what has one key the first call is told, whichever hand has found it. */
static void take_in(struct late_partner *row, const struct late_partner *other)
{
	if (other->call < row->call) {
		row->call = other->call;
		row->at = other->at;
	}
	row->ns += other->ns;
	row->direct_ns += other->direct_ns;
	row->waits += other->waits;
}

/* Rows with one key become one. */
static void merge(struct search *s)
{
	struct late_partner *row = s->rows;
	size_t n = s->n;

	s->n = 0;
	sort_with(row, n, sizeof(*row), by_key, s);
	for (size_t k = 0; k < n; k++) {
		if (s->n > 0 && by_key(&row[s->n - 1], &row[k], s) == 0)
			take_in(&row[s->n - 1], &row[k]);
		else
			row[s->n++] = row[k];
	}
	sort(row, s->n, sizeof(*row), by_time);
}

/* Where the last row with the key of this one was put: it may have another one by now. */
static uint32_t *recent(struct search *s, const struct late_partner *row)
{
	uint32_t key = site_of(s, row->call) * 31 + site_of(s, row->at);

	return &s->recent[(key * 31 + row->rank * 9 + row->reason) % RECENT];
}

/* A call's wait, a row for each of its causes. */
static int add(struct search *s, uint32_t call)
{
	for (size_t k = 0; k < s->x.n; k++) {
		const struct cause *c = &s->x.cause[k];
		struct late_partner row = {call, c->rank, c->at, c->reason, 1, c->ns, c->direct_ns};
		uint32_t *at = recent(s, &row);

		if (*at < s->n && by_key(&s->rows[*at], &row, s) == 0) {
			take_in(&s->rows[*at], &row);
			continue;
		}
		if (GROW(s->rows, s->n + 1, s->cap))
			return -1;
		*at = (uint32_t)s->n;
		s->rows[s->n++] = row;
	}
	return 0;
}

/* Of one rank, of calls from first to end. */
static int find_in(struct search *s, uint32_t first, uint32_t end)
{
	for (uint32_t call = first; call < end; call++) {
		if (!late_waits_is(s->w, call))
			continue;
		if (causes_find(&s->x, call) || add(s, call))
			return -1;
		if (s->n < s->most)
			continue;
		merge(s);
		s->most = 2 * s->n > ROWS_LEAST ? 2 * s->n : ROWS_LEAST;
	}
	return 0;
}

/* Pieces: the same part of each rank's calls, as ranks wait for what others did about then. */
static uint32_t parts_of(const struct trace *t)
{
	uint32_t calls = PART_OF_RANK * t->n_ranks;

	return t->n_calls / (calls > PART_LEAST ? calls : PART_LEAST) + 1;
}

static int find_part(void *searches, unsigned hand, uint32_t part, struct err *err)
{
	struct search *s = (struct search *)searches + hand;
	const struct trace *t = s->w->t;
	uint64_t parts = parts_of(t);

	for (uint32_t r = 0; r < t->n_ranks; r++) {
		uint64_t calls = t->ranks[r].calls, first = t->ranks[r].first_call;

		if (find_in(s, (uint32_t)(first + calls * part / parts),
			    (uint32_t)(first + calls * (part + 1) / parts)))
			return err_set(err, "out of memory for %zu waits", s->n);
	}
	return 0;
}

/* A piece: how many a rank has. */
static int count_of_rank(void *searches, unsigned hand, uint32_t rank, struct err *err)
{
	struct search *s = (struct search *)searches + hand;
	const struct rank *r = &s->w->t->ranks[rank];

	(void)err;
	for (uint32_t call = r->first_call; call < r->first_call + r->calls; call++)
		s->waits += late_waits_is(s->w, call) != 0;
	return 0;
}

/* All hands' rows become those of the first. */
static int gather(struct search *s, unsigned hands, struct err *err)
{
	for (unsigned k = 1; k < hands; k++) {
		if (GROW_BY(s->rows, s->n, s[k].n, s->cap))
			return err_set(err, "out of memory for %zu waits", s->n);
		if (s[k].n)
			memcpy(s->rows + s->n, s[k].rows, s[k].n * sizeof(*s->rows));
		s->n += s[k].n;
	}
	merge(s);
	return 0;
}

/* By so many hands, a search each. */
static int find(struct search *s, unsigned hands, const struct late_waits *w, struct err *err)
{
	uint32_t waits = 0;

	for (unsigned k = 0; k < hands; k++)
		s[k] = (struct search){.w = w, .most = ROWS_LEAST};
	if (share_run(hands, w->t->n_ranks, count_of_rank, s, err))
		return -1;
	for (unsigned k = 0; k < hands; k++)
		waits += s[k].waits;
	for (unsigned k = 0; k < hands; k++)
		if (causes_init(&s[k].x, w, waits, err))
			return -1;
	if (share_run(hands, parts_of(w->t), find_part, s, err))
		return -1;
	return gather(s, hands, err);
}

/* Its rows are *out's. */
static int find_rows(struct lateness *out, const struct late_waits *w, struct err *err)
{
	unsigned hands = share_hands();
	struct search *s = calloc(hands, sizeof(*s));
	int ret;

	if (!s)
		return err_set(err, "out of memory for %u threads", hands);
	ret = find(s, hands, w, err);
	if (!ret) {
		*out = (struct lateness){.rows = s->rows, .n = s->n};
		s->rows = NULL;
	}
	for (unsigned k = 0; k < hands; k++) {
		causes_release(&s[k].x);
		table_free(s[k].rows);
	}
	free(s);
	return ret;
}

int lateness_find(struct lateness *out, const struct trace *t, const struct messages *m,
		  const struct attribution *a, struct err *err)
{
	struct late_waits w;
	int ret;

	memset(out, 0, sizeof(*out));
	if (late_waits_find(&w, t, m, a, err))
		return -1;
	ret = find_rows(out, &w, err);
	late_waits_release(&w);
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
