/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Not contention: small collectives of one kind, or puts or gets that are each waited for, one
 * right after the other, that could be one of all their values. Each then only adds its bytes to
 * the first one; the replay (retime.c) says what the run saves. Whether later ones need what
 * earlier ones give is not known: likely not where hardly anything is computed between them and the
 * rows are of one length; at most none does.
 */
#include "analyze/gains/retime.h"
#include "analyze/gains/small_calls.h"
#include "analyze/hotspots/rules.h"
#include "common/number.h"
#include "common/table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PLACES_MAX 3   /* that are named, those with most to save */
#define IN_A_ROW   5   /* fewer are no habit */
#define ROWS       3   /* of a rank on average; nor are so few */
#define ALIKE      0.2 /* of them have the same length, or more */

struct rows {
	const struct evidence_base *b;
	struct small_calls small;
	int64_t *rest_ns; /* per call, for the replay of the place at work: it takes so much less */
	double *lost_s;   /* per rank, there */
	/* Of the place at work: */
	uint32_t follow;  /* that follow one at once */
	uint32_t n_ranks; /* that have any; the last one: */
	uint32_t rank;
	uint32_t n_rows;  /* of those near each other: */
	uint32_t *length; /* room for one per call */
	uint64_t bytes;   /* most that one moves for a rank */
	double took_s;
	struct small_call one;
};

static double took_s(const struct rows *w, const struct small_call *x)
{
	double sum = 0;

	for (uint32_t c = x->first; c <= x->last; c++)
		sum += (double)(w->b->t->calls[c].leave_ns - w->b->t->calls[c].enter_ns) * 1e-9;
	return sum;
}

/* What its bytes add to another one, about; as far as the machine is known. */
static double bytes_s(const struct rows *w, const struct small_call *x)
{
	uint32_t rank = w->b->t->calls[x->first].rank, next = (rank + 1) % w->b->t->n_ranks;
	struct idle_price all = evidence_price_of(w->b, rank, next, (double)x->bytes);
	struct idle_price none = evidence_price_of(w->b, rank, next, 0);

	return fmax(0, all.at.g_s - none.at.g_s) * x->hops;
}

static void weigh(const struct rows *w, double *key_s)
{
	const struct trace *t = w->b->t;
	struct small_call x;

	for (uint32_t c = 0; c < t->n_calls; c++)
		if (small_calls_at(&w->small, c, &x) &&
		    small_calls_gap(&w->small, &x) == SMALL_CALLS_AT_ONCE)
			key_s[trace_place(t, x.first)] += took_s(w, &x);
}

/* It is alike the one before it. */
static void add(struct rows *w, const struct small_call *x, enum small_calls_gap gap)
{
	double all_s = took_s(w, x), less_s = fmax(0, all_s - bytes_s(w, x));

	w->lost_s[w->b->t->calls[x->first].rank] += less_s;
	if (gap != SMALL_CALLS_AT_ONCE)
		return;
	for (uint32_t c = x->first; c <= x->last; c++) {
		const struct call *call = &w->b->t->calls[c];

		w->rest_ns[c] = (int64_t)((double)(call->leave_ns - call->enter_ns) * less_s /
					  fmax(all_s, 1e-9));
	}
	w->follow++;
	w->took_s += all_s;
	w->bytes = x->bytes > w->bytes ? x->bytes : w->bytes;
	w->one = *x;
}

/* One more at the place at work, in a row with those near it. */
static void count(struct rows *w, uint32_t rank, enum small_calls_gap gap)
{
	w->n_ranks += w->n_rows == 0 || rank != w->rank;
	w->rank = rank;
	if (gap < SMALL_CALLS_NEAR)
		w->length[w->n_rows++] = 0;
	w->length[w->n_rows - 1]++;
}

static void add_up(struct rows *w, uint32_t key)
{
	const struct trace *t = w->b->t;
	struct small_call x;

	memset(w->rest_ns, 0, t->n_calls * sizeof(*w->rest_ns));
	memset(w->lost_s, 0, t->n_ranks * sizeof(*w->lost_s));
	w->follow = w->n_rows = w->n_ranks = 0;
	w->bytes = 0;
	w->took_s = 0;
	for (uint32_t c = 0; c < t->n_calls; c++) {
		enum small_calls_gap gap;

		if (!small_calls_at(&w->small, c, &x) || trace_place(t, x.first) != key)
			continue;
		gap = small_calls_gap(&w->small, &x);
		count(w, t->calls[c].rank, gap);
		if (gap > SMALL_CALLS_ALONE)
			add(w, &x, gap);
	}
}

static int by_length(const void *a, const void *b)
{
	const uint32_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/*
 * How many stand in a row: the length that most rows have. 0: they have none, as of one who asks
 * until something has changed, or whether all are done; then the next one needs what this one gave.
 */
static uint32_t in_a_row(struct rows *w)
{
	uint32_t most = 0, length = 0;

	qsort(w->length, w->n_rows, sizeof(*w->length), by_length);
	for (uint32_t k = 0, n = 0; k < w->n_rows; k++) {
		n = k > 0 && w->length[k] == w->length[k - 1] ? n + 1 : 1;
		if (n > most) {
			most = n;
			length = w->length[k];
		}
	}
	return w->n_rows >= ROWS * w->n_ranks && most >= ALIKE * w->n_rows ? length : 0;
}

static void put_words(const struct rows *w, uint32_t row, struct hotspot *h)
{
	const char *name = w->b->t->regions[h->region].name;
	int is_access = w->one.first < w->one.last;
	char place[120];

	snprintf(h->title, sizeof(h->title), "%s small %s in a row, each %s",
		 number_words(row).text, name,
		 is_access ? "waited for by itself" : "a call of its own");
	snprintf(h->why, sizeof(h->why),
		 "not contention: %s %s come right after another one, mostly %s in a row, of at "
		 "most %s, and take %s each%s; hardly anything is computed between them",
		 number_words(w->follow).text, is_access ? "of them" : "calls",
		 number_words(row).text, number_bytes((double)w->bytes).text,
		 number_seconds(w->took_s / w->follow).text, is_access ? " with the flush" : "");
	rule_place(w->b->t, w->one.first, sizeof(place), place);
	if (is_access)
		snprintf(h->advice, sizeof(h->advice),
			 "move all of them with one call of %s, or flush once after the last, if "
			 "later ones need nothing that earlier ones give",
			 place);
	else
		snprintf(h->advice, sizeof(h->advice),
			 "hand in the values of all in one call of %s, if later ones need nothing "
			 "that earlier ones give",
			 place);
}

static int report(struct rows *w, uint32_t key, struct findings *out, struct err *err)
{
	const struct evidence_base *b = w->b;
	const struct retime one = {.rest_ns = w->rest_ns};
	struct hotspot h = {.kind = "aggregation", .rank = TRACE_NONE};
	uint32_t row;

	add_up(w, key);
	row = in_a_row(w);
	if (row < IN_A_ROW)
		return 0;
	rule_saves(b, w->lost_s, &h);
	if (retime_run(b, &one, &h.saves_mid_s, err))
		return -1;
	if (h.saves_mid_s < RULE_LEAST_SHARE * b->wall_s)
		return 0;
	h.saves_high_s = fmax(h.saves_mid_s, h.saves_high_s);
	h.site = rule_key_site(b->t, key);
	h.region = b->t->calls[w->one.first].region;
	put_words(w, row, &h);
	hotspot_evidence(&h, "calls", w->follow);
	hotspot_evidence(&h, "in_a_row", row);
	hotspot_evidence(&h, "bytes_of_call", (double)w->bytes);
	hotspot_evidence(&h, "took_s", w->took_s);
	return findings_add(out, &h, err);
}

static int look(struct rows *w, double *key_s, struct findings *out, struct err *err)
{
	weigh(w, key_s);
	for (int k = 0; k < PLACES_MAX; k++) {
		uint32_t key = rule_take_most(key_s, trace_places(w->b->t),
					      RULE_LEAST_SHARE * w->b->rank_time_s);

		if (key == TRACE_NONE)
			break;
		if (report(w, key, out, err))
			return -1;
	}
	return 0;
}

static int look_if_many(struct rows *w, struct findings *out, struct err *err)
{
	const struct trace *t = w->b->t;
	double *key_s = calloc(trace_places(t) + 1u, sizeof(*key_s));
	int ret = -1;

	w->rest_ns = table_calloc((size_t)t->n_calls + 1, sizeof(*w->rest_ns));
	w->length = table_alloc((size_t)t->n_calls + 1, sizeof(*w->length));
	w->lost_s = calloc((size_t)t->n_ranks + 1, sizeof(*w->lost_s));
	if (!key_s || !w->rest_ns || !w->length || !w->lost_s)
		err_set(err, "out of memory for %u calls", t->n_calls);
	else
		ret = look(w, key_s, out, err);
	free(w->lost_s);
	table_free(w->length);
	table_free(w->rest_ns);
	free(key_s);
	return ret;
}

int rule_small_calls(const struct evidence_base *b, struct findings *out, struct err *err)
{
	struct rows w = {.b = b};
	int ret = small_calls_init(&w.small, b, IN_A_ROW, err);

	if (!ret && w.small.n >= IN_A_ROW)
		ret = look_if_many(&w, out, err);
	small_calls_release(&w.small);
	return ret;
}
