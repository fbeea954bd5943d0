/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Not contention: small collectives of one kind, one right after the other, that could be one of
 * all their values. Each then only adds its bytes to the first one; the replay (retime.c) says what
 * the run saves. That later ones need what earlier ones give is not known: nothing is certain.
 */
#include "analyze/gains/retime.h"
#include "analyze/hotspots/rules.h"
#include "analyze/tools/instants.h"
#include "common/number.h"
#include "common/table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PLACES_MAX  3   /* that are named, those with most to save */
#define IN_A_ROW    4   /* on average, fewer are no habit */
#define AT_ONCE     4   /* so many times less than one takes is between them: nothing is computed */
#define SMALL_BYTES 256 /* of a collective: more take time that is not each call's */

struct row {
	const struct evidence_base *b;
	uint8_t *follows; /* per call: it comes right after one of its kind */
	int64_t *rest_ns; /* per call, for the replay of the place at work: it takes so much less */
	double *lost_s;   /* per rank, there */
	/* Of the place at work: */
	uint32_t calls, first; /* that follow; and a first one before each row of them */
	uint64_t bytes;        /* most that one moves for a rank */
	double took_s;
	uint32_t call; /* one of them */
};

static const struct collective *small(const struct evidence_base *b, uint32_t call)
{
	uint32_t k = call_collective(&b->t->calls[call]);
	const struct collective *c = k == TRACE_NONE ? NULL : &b->c->c[k];

	return c && c->bytes > 0 && c->bytes <= SMALL_BYTES && !c->is_nonblocking && !c->is_mixed &&
			       !c->is_short
		       ? c
		       : NULL;
}

/* What a call takes when the last one has come, ns. */
static int64_t takes_ns(const struct evidence_base *b, uint32_t call)
{
	const struct call *x = &b->t->calls[call];

	return x->leave_ns - later(x->enter_ns, small(b, call)->last_enter_ns);
}

/* By place and power of 2: so many calls take so many ns. */
#define POWERS 48
#define IDLE   20 /* one in so many is as quick as on an idle machine */

static void count_all(const struct evidence_base *b, uint32_t *counts)
{
	for (uint32_t c = 0; c < b->t->n_calls; c++) {
		unsigned power = 0;

		if (!small(b, c))
			continue;
		for (int64_t ns = takes_ns(b, c); ns > 1 && power < POWERS - 1; ns /= 2)
			power++;
		counts[(size_t)trace_place(b->t, c) * POWERS + power]++;
	}
}

/* What a call at a place takes if nothing, as a missing core, is in its way: the quickest do. */
static int64_t idle_ns(const uint32_t *counts, uint32_t place)
{
	const uint32_t *n = &counts[(size_t)place * POWERS];
	uint64_t all = 0, sum = 0;
	unsigned power = 0;

	for (unsigned k = 0; k < POWERS; k++)
		all += n[k];
	while (power < POWERS - 1 && IDLE * (sum += n[power]) < all)
		power++;
	return INT64_C(2) << power;
}

/* Does call come right after one of its kind, with next to nothing between them? */
static int follows(const struct evidence_base *b, const int64_t *idle, uint32_t call)
{
	const struct call *x = &b->t->calls[call];
	const struct collective *c = small(b, call), *before;

	if (!c || call == b->t->ranks[x->rank].first_call || b->t->ranks[x->rank].is_threaded)
		return 0;
	before = small(b, call - 1);
	return before && before->comm == c->comm && before->root == c->root &&
	       x[-1].region == x->region &&
	       (x->enter_ns - x[-1].leave_ns) * AT_ONCE < idle[trace_place(b->t, call - 1)];
}

/* What its bytes add to another one, at most; as far as the machine is known. */
static double bytes_s(const struct evidence_base *b, uint32_t call)
{
	const struct collective *c = small(b, call);
	uint32_t rank = b->t->calls[call].rank, next = (rank + 1) % b->t->n_ranks;
	struct idle_price all = evidence_price_of(b, rank, next, (double)c->bytes);
	struct idle_price none = evidence_price_of(b, rank, next, 0);

	return fmax(0, all.at.g_s - none.at.g_s) * ceil(log2(fmax(2, c->members)));
}

static void mark(struct row *w, const int64_t *idle, double *key_s)
{
	const struct trace *t = w->b->t;

	for (uint32_t c = 0; c < t->n_calls; c++) {
		w->follows[c] = (uint8_t)follows(w->b, idle, c);
		if (w->follows[c])
			key_s[trace_place(t, c)] +=
				(double)(t->calls[c].leave_ns - t->calls[c].enter_ns) * 1e-9;
	}
}

static void add_up(struct row *w, uint32_t key)
{
	const struct trace *t = w->b->t;

	memset(w->rest_ns, 0, t->n_calls * sizeof(*w->rest_ns));
	memset(w->lost_s, 0, t->n_ranks * sizeof(*w->lost_s));
	w->calls = w->first = 0;
	w->bytes = 0;
	w->took_s = 0;
	for (uint32_t c = 0; c < t->n_calls; c++) {
		const struct call *x = &t->calls[c];
		double took_s = (double)(x->leave_ns - x->enter_ns) * 1e-9, less_s;

		if (!w->follows[c] || trace_place(t, c) != key)
			continue;
		less_s = fmax(0, took_s - bytes_s(w->b, c));
		w->rest_ns[c] = (int64_t)(less_s * 1e9);
		w->lost_s[x->rank] += less_s;
		w->calls++;
		w->first += !w->follows[c - 1];
		w->took_s += took_s;
		w->call = c;
		if (small(w->b, c)->bytes > w->bytes)
			w->bytes = small(w->b, c)->bytes;
	}
}

static int report(struct row *w, uint32_t key, struct findings *out, struct err *err)
{
	const struct evidence_base *b = w->b;
	const struct retime one = {.rest_ns = w->rest_ns};
	struct hotspot h = {.kind = "aggregation", .rank = TRACE_NONE};
	double in_a_row;
	const char *name;
	char place[120];

	add_up(w, key);
	in_a_row = 1 + (double)w->calls / fmax(1, w->first);
	if (in_a_row < IN_A_ROW)
		return 0;
	rule_saves(b, w->lost_s, &h);
	if (retime_run(b, &one, &h.saves_mid_s, err))
		return -1;
	if (h.saves_mid_s < RULE_LEAST_SHARE * b->wall_s)
		return 0;
	h.saves_high_s = fmax(h.saves_mid_s, h.saves_high_s);
	h.site = rule_key_site(b->t, key);
	h.region = b->t->calls[w->call].region;
	name = b->t->regions[h.region].name;
	snprintf(h.title, sizeof(h.title), "%s small %s in a row, each a call of its own",
		 number_words(in_a_row).text, name);
	snprintf(
		h.why, sizeof(h.why),
		"not contention: %s calls come right after another one, %s in a row on average, of "
		"at most %s, and take %s each; next to nothing is computed between them",
		number_words(w->calls).text, number_words(in_a_row).text,
		number_bytes((double)w->bytes).text, number_seconds(w->took_s / w->calls).text);
	snprintf(h.advice, sizeof(h.advice),
		 "hand in the values of all in one call of %s, if later ones need nothing that "
		 "earlier ones give",
		 rule_place(b->t, w->call, sizeof(place), place));
	hotspot_evidence(&h, "calls", w->calls);
	hotspot_evidence(&h, "in_a_row", in_a_row);
	hotspot_evidence(&h, "bytes_of_call", (double)w->bytes);
	hotspot_evidence(&h, "took_s", w->took_s);
	return findings_add(out, &h, err);
}

/* Mark them all. Returns 0, or -1 with *err set (out of memory). */
static int find_rows(struct row *w, double *key_s, struct err *err)
{
	size_t places = (size_t)trace_places(w->b->t) + 1;
	uint32_t *counts = table_calloc(places * POWERS, sizeof(*counts));
	int64_t *idle = table_calloc(places, sizeof(*idle));
	int ret = 0;

	if (!counts || !idle) {
		ret = err_set(err, "out of memory for %zu places", places);
	} else {
		count_all(w->b, counts);
		for (uint32_t k = 0; k < trace_places(w->b->t); k++)
			idle[k] = idle_ns(counts, k);
		mark(w, idle, key_s);
	}
	table_free(idle);
	table_free(counts);
	return ret;
}

static int look(struct row *w, double *key_s, struct findings *out, struct err *err)
{
	if (find_rows(w, key_s, err))
		return -1;
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

int rule_small_collectives(const struct evidence_base *b, struct findings *out, struct err *err)
{
	struct row w = {.b = b};
	double *key_s;
	int ret = -1;

	if (!b->c->n)
		return 0;
	key_s = calloc(trace_places(b->t) + 1u, sizeof(*key_s));
	w.follows = table_calloc((size_t)b->t->n_calls + 1, sizeof(*w.follows));
	w.rest_ns = table_calloc((size_t)b->t->n_calls + 1, sizeof(*w.rest_ns));
	w.lost_s = calloc((size_t)b->t->n_ranks + 1, sizeof(*w.lost_s));
	if (!key_s || !w.follows || !w.rest_ns || !w.lost_s)
		err_set(err, "out of memory for %u calls", b->t->n_calls);
	else
		ret = look(&w, key_s, out, err);
	free(w.lost_s);
	table_free(w.rest_ns);
	table_free(w.follows);
	free(key_s);
	return ret;
}
