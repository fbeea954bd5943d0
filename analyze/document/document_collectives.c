/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Collectives as a section of the document: what each call site's cost, beside what they would
 * on an idle machine and, all-to-alls, by the machine's contention signature.
 */
#include "analyze/document/document_parts.h"
#include "analyze/flow/coll_costs.h"
#include "analyze/flow/gathering.h"
#include "common/table.h"

#include <uthash.h>

#include <stdlib.h>
#include <string.h>

#define ROWS_MAX 50

/* All collectives of one function from one place in communicators of one size. */
struct row {
	struct key {
		uint32_t region;
		uint32_t site;
		uint32_t ranks;
	} key;
	uint64_t count;
	uint64_t entered;        /* by all its ranks */
	uint64_t predicted;      /* of these */
	uint64_t contended;      /* likewise, by the signature */
	double bytes;            /* sums from here on */
	double took_s;           /* from the last entry to the last leave, of those all entered */
	double took_predicted_s; /* of those that were predicted */
	double idle_s;
	double took_contended_s;
	double signature_s;
	double alone_s;
	int64_t wait_ns; /* of all ranks */
	int64_t moving_ns;
	int64_t unattended_ns; /* after all began, while ranks were outside MPI */
	const char *algorithm;
	int algorithms_differ;
	uint8_t refused, no_signature; /* the first reason */
	int64_t *for_ns;               /* of wait_ns, by rank that was waited for, */
	int64_t for_several_ns;        /* and for several that never came, */
	uint32_t missing;              /* so many at most */
	UT_hash_handle hh;
};

/* One collective: where it counts, and how long its ranks waited in it. */
struct seen {
	struct row *row;
	int64_t wait_ns;
	int64_t member_ns; /* of that, in calls that waited for another one than all did */
	uint32_t rank;     /* who is waited for, or TRACE_NONE: nobody knows; */
	uint32_t awaited;  /* 1 + its call; 0: it is not in the trace */
};

static int compare(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

static int64_t took_ns(const struct row *r)
{
	return r->wait_ns + r->moving_ns + r->unattended_ns;
}

static int by_time(const struct row *x, const struct row *y)
{
	int order = compare(took_ns(y), took_ns(x));

	order = order ? order : compare(x->key.region, y->key.region);
	order = order ? order : compare(x->key.site, y->key.site);
	return order ? order : compare(x->key.ranks, y->key.ranks);
}

/* The row of a collective called from site; made when there is none. NULL: out of memory. */
static struct row *row_of(struct row **rows, const struct analysis *a, uint32_t k, uint32_t site)
{
	const struct collective *c = &a->collectives->c[k];
	struct key key = {c->region, site, a->trace->comms[c->comm].size};
	struct row *row;

	HASH_FIND(hh, *rows, &key, sizeof(key), row);
	if (row)
		return row;
	row = calloc(1, sizeof(*row));
	if (!row)
		return NULL;
	row->key = key;
	HASH_ADD(hh, *rows, key, sizeof(row->key), row);
	return row;
}

/*
 * One more collective, from its last entry to its last leave; of non-blocking ones what was seen.
 */
static void add(struct row *row, const struct collective *c, const struct coll_cost *x)
{
	double took_s =
		(double)(c->is_nonblocking ? c->seen_ns : c->last_leave_ns - c->last_enter_ns) /
		NS_PER_S;

	if (!row->count++) {
		row->refused = x->refused;
		row->no_signature = x->no_signature;
	}
	row->bytes += x->bytes;
	if (!c->is_short && x->refused != COLL_INCOMPLETE) {
		row->entered++;
		row->took_s += took_s;
	}
	if (x->refused == COLL_PREDICTED) {
		row->predicted++;
		row->took_predicted_s += took_s;
		row->idle_s += x->idle_s;
		row->algorithms_differ |= row->algorithm && strcmp(row->algorithm, x->algorithm);
		row->algorithm = x->algorithm;
	}
	if (x->no_signature == COLL_PREDICTED) {
		row->contended++;
		row->took_contended_s += took_s;
		row->signature_s += x->signature_s;
		row->alone_s += x->alone_s;
	}
}

/* Collective k counts where its first call is from. Returns 0, or -1: out of memory. */
static int see(const struct analysis *a, const struct coll_costs *costs, uint32_t k, uint32_t site,
	       struct seen *seen, struct row **rows)
{
	const struct collective *c = &a->collectives->c[k];
	struct coll_cost cost;

	if (seen[k].row)
		return 0;
	seen[k].row = row_of(rows, a, k, site);
	if (!seen[k].row)
		return -1;
	cost = coll_costs_at(costs, k);
	add(seen[k].row, c, &cost);
	seen[k].rank = gathering_awaited(a->trace, c);
	return 0;
}

/*
 * Non-blocking ones count where they are started. The time of a call that completes several is
 * the first's.
 */
static int find_nonblocking(const struct analysis *a, const struct coll_costs *costs,
			    struct seen *seen, struct row **rows)
{
	const struct collectives *c = a->collectives;

	for (uint32_t i = 0; i < c->n_starts; i++) {
		const struct collective_start *x = &c->starts[i];
		uint32_t k = x->collective;
		int64_t wait_ns, moving_ns;

		if (see(a, costs, k, a->trace->calls[x->start].site, seen, rows))
			return -1;
		if (!x->is_first)
			continue;
		wait_ns = slices_part(&a->attribution->call, x->done, COST_collective_wait);
		moving_ns = slices_part(&a->attribution->call, x->done, COST_collective_transfer);
		seen[k].wait_ns += wait_ns;
		seen[k].row->moving_ns += moving_ns;
		if (wait_ns || moving_ns) /* else it waited for a message at last */
			seen[k].row->unattended_ns +=
				slices_part(&a->attribution->call, x->done, COST_inattention);
	}
	return 0;
}

/* What takes less than a prediction shows that this is not what an idle machine does. */
static void doubt(struct row *row)
{
	if (row->took_predicted_s >= MACHINE_FASTEST * row->idle_s)
		return;
	row->predicted = 0;
	row->refused = COLL_CONTRADICTED;
	row->algorithm = NULL;
	row->algorithms_differ = 0;
}

/*
 * All rows. Each collective counts where its first call in the table is from; seen: room for
 * each. Returns 0, or -1: out of memory.
 */
static int find_rows(const struct analysis *a, const struct coll_costs *costs, struct seen *seen,
		     struct row **rows)
{
	const struct trace *t = a->trace;

	for (uint32_t i = 0; i < t->n_calls; i++) {
		uint32_t k = call_collective(&t->calls[i]);
		int64_t wait_ns;

		if (k == TRACE_NONE)
			continue;
		if (see(a, costs, k, t->calls[i].site, seen, rows))
			return -1;
		if (seen[k].rank == t->calls[i].rank)
			seen[k].awaited = i + 1;
		wait_ns = slices_part(&a->attribution->call, i, COST_collective_wait);
		seen[k].wait_ns += wait_ns;
		if (attribution_kept_by(a->attribution, i) != TRACE_NONE)
			seen[k].member_ns += wait_ns;
		seen[k].row->moving_ns +=
			t->calls[i].leave_ns - t->calls[i].enter_ns - wait_ns -
			slices_part(&a->attribution->call, i, COST_not_identifiable);
	}
	if (find_nonblocking(a, costs, seen, rows))
		return -1;
	for (uint32_t k = 0; k < a->collectives->n; k++)
		if (seen[k].row)
			seen[k].row->wait_ns += seen[k].wait_ns;
	for (struct row *r = *rows; r; r = r->hh.next)
		doubt(r);
	HASH_SORT(*rows, by_time);
	return 0;
}

/* How many ranks never entered it, and that is certain. */
static uint32_t missing_ranks(const struct analysis *a, const struct collective *c)
{
	uint32_t size = a->trace->comms[c->comm].size;

	return c->is_short && size > c->members ? size - c->members : 0;
}

/* For how long calls waited for another rank than the others of their collective. */
static void add_members(const struct analysis *a, const struct seen *seen)
{
	const struct trace *t = a->trace;

	for (uint32_t i = 0; a->attribution->kept_by && i < t->n_calls; i++) {
		uint32_t kept_by = a->attribution->kept_by[i];
		const struct row *r =
			kept_by != TRACE_NONE ? seen[call_collective(&t->calls[i])].row : NULL;

		if (r && r->for_ns)
			r->for_ns[t->calls[kept_by].rank] +=
				slices_part(&a->attribution->call, i, COST_collective_wait);
	}
}

/* For how long whom, of the rows that are told. Returns 0, or -1: out of memory. */
static int find_awaited(const struct analysis *a, const struct seen *seen, struct row *rows)
{
	uint32_t n = 0;

	for (struct row *r = rows; r && n < ROWS_MAX; r = r->hh.next, n++) {
		r->for_ns = calloc((size_t)a->trace->n_ranks + 1, sizeof(*r->for_ns));
		if (!r->for_ns)
			return -1;
	}
	for (uint32_t k = 0; k < a->collectives->n; k++) {
		const struct collective *c = &a->collectives->c[k];
		uint32_t rank = seen[k].awaited ? document_awaited(a, seen[k].awaited - 1,
								   c->first_enter_ns)
						: seen[k].rank;
		uint32_t missing = missing_ranks(a, c);
		struct row *r = seen[k].row;

		if (!r || !r->for_ns)
			continue;
		if (missing > r->missing)
			r->missing = missing;
		if (missing > 1)
			r->for_several_ns += seen[k].wait_ns - seen[k].member_ns;
		else if (rank != TRACE_NONE)
			r->for_ns[rank] += seen[k].wait_ns - seen[k].member_ns;
	}
	add_members(a, seen);
	return 0;
}

/* The mean of a sum over n; null: of none. */
static json_t *mean(double sum, uint64_t n)
{
	return n ? document_real(sum / (double)n) : json_null();
}

/* For how many that never came, and what of the waiting was for several of them; null: all came. */
static json_t *missing_section(const struct row *r)
{
	if (!r->missing)
		return json_null();
	return json_pack("{s:I, s:o}", "ranks", (json_int_t)r->missing, "share",
			 document_real(document_share(r->for_several_ns, r->wait_ns)));
}

/* Who was waited for most, and how many were; null: nobody. */
static json_t *awaited_section(const struct analysis *a, const struct row *r)
{
	uint32_t most = 0, ranks = 0;

	for (uint32_t i = 0; i < a->trace->n_ranks; i++) {
		ranks += r->for_ns[i] > 0;
		if (r->for_ns[i] > r->for_ns[most])
			most = i;
	}
	if (!ranks)
		return json_null();
	return json_pack("{s:I, s:I, s:o}", "ranks", (json_int_t)ranks, "rank", (json_int_t)most,
			 "share", document_real(document_share(r->for_ns[most], r->wait_ns)));
}

/* Who has how much of the bytes in one direction; null: there are none. */
static json_t *load_section(const struct count_column *l)
{
	if (!(l->bytes > 0))
		return json_null();
	return json_pack("{s:o, s:o, s:I, s:o, s:o, s:I}", "bytes", document_real(l->bytes),
			 "heaviest_share", document_real(l->most / l->bytes), "heaviest_ranks",
			 (json_int_t)l->ranks, "excess_share", document_real(l->rank_share),
			 "rank_share", document_real(l->rank_bytes / l->bytes), "rank",
			 (json_int_t)l->rank);
}

/* How its bytes are shared out among ranks; null: it has no counts of each rank. */
static json_t *counts_section(const struct analysis *a, const struct row *r)
{
	const struct count_load *u =
		count_loads_at(&a->attribution->counts, r->key.region, r->key.site, r->key.ranks);

	if (!u)
		return json_null();
	return json_pack("{s:o, s:o}", "sent", load_section(&u->load[COUNT_GIVEN]), "received",
			 load_section(&u->load[COUNT_GOT]));
}

static json_t *row_section(const struct analysis *a, const struct row *r)
{
	json_t *row = json_pack(
		"{s:o, s:I, s:I, s:o, s:o, s:o, s:o, s:o, s:o}", "callsite",
		document_callsite(a->trace, r->key.site, r->key.region), "count",
		(json_int_t)r->count, "ranks", (json_int_t)r->key.ranks, "bytes",
		mean(r->bytes, r->count), "wait_s", document_real((double)r->wait_ns / NS_PER_S),
		"moving_s", document_real((double)r->moving_ns / NS_PER_S), "unattended_s",
		document_real((double)r->unattended_ns / NS_PER_S), "share",
		document_real(document_share(took_ns(r), a->attribution->budget.total_ns)),
		"took_s", mean(r->took_s, r->entered));
	json_t *idle = json_pack(
		"{s:I, s:o, s:o, s:o, s:o}", "count", (json_int_t)r->predicted, "s",
		mean(r->idle_s, r->predicted), "took_s", mean(r->took_predicted_s, r->predicted),
		"algorithm", document_text(r->algorithms_differ ? "by the size" : r->algorithm),
		"why_not", document_text(r->predicted ? NULL : coll_refusal_text(r->refused)));
	json_t *signature =
		json_pack("{s:I, s:o, s:o, s:o, s:o}", "count", (json_int_t)r->contended, "s",
			  mean(r->signature_s, r->contended), "alone_s",
			  mean(r->alone_s, r->contended), "took_s",
			  mean(r->took_contended_s, r->contended), "why_not",
			  document_text(r->contended ? NULL : coll_refusal_text(r->no_signature)));

	json_object_set_new(row, "awaited", awaited_section(a, r));
	json_object_set_new(row, "missing", missing_section(r));
	json_object_set_new(row, "counts", counts_section(a, r));
	json_object_set_new(row, "idle", idle);
	json_object_set_new(row, "signature", signature);
	return row;
}

/* The rows as a list, which they are freed into. */
static json_t *list_of(const struct analysis *a, struct row *rows)
{
	json_t *list = json_array();
	struct row *r, *next;

	HASH_ITER(hh, rows, r, next) {
		HASH_DEL(rows, r);
		if (r->for_ns)
			json_array_append_new(list, row_section(a, r));
		free(r->for_ns);
		free(r);
	}
	return list;
}

json_t *document_collectives(const struct analysis *a)
{
	struct seen *seen = table_calloc((size_t)a->collectives->n + 1, sizeof(*seen));
	struct row *rows = NULL;
	struct coll_costs costs = {0};
	json_t *list = NULL;
	struct err err;
	int failed;

	failed = !seen || coll_costs_init(&costs, a->trace, a->collectives, a->machine, &err) ||
		 find_rows(a, &costs, seen, &rows) || find_awaited(a, seen, rows);
	list = list_of(a, rows);
	coll_costs_release(&costs);
	table_free(seen);
	if (failed) {
		json_decref(list);
		return NULL;
	}
	return json_pack("{s:I, s:o}", "count", (json_int_t)a->collectives->n, "operations", list);
}
