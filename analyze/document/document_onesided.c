/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One-sided communication as a section of the document: what was moved, and who waited for whom. */
#include "analyze/document/document_parts.h"

#include <stdlib.h>
#include <string.h>

#define ROWS_MAX 50

#define FENCE ONESIDED_CAUSES /* beside the causes of onesided.h */

/* Waits of one call site for one rank, for one cause. */
struct row {
	uint32_t call; /* one of them */
	uint32_t site;
	uint32_t region;
	uint32_t rank; /* waited for */
	int cause;
	uint64_t waits;
	int64_t ns;
};

struct rows {
	struct row *r;
	size_t n;
};

static int compare(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

static int by_key(const void *a, const void *b)
{
	const struct row *x = a, *y = b;
	int order = compare(x->cause, y->cause);

	order = order ? order : compare(x->region, y->region);
	order = order ? order : compare(x->site, y->site);
	return order ? order : compare(x->rank, y->rank);
}

static int by_time(const void *a, const void *b)
{
	const struct row *x = a, *y = b;
	int order = compare(y->ns, x->ns);

	return order ? order : compare(x->call, y->call);
}

/* How long a call waited, and for whom; 0: for nobody. */
static int64_t waited(const struct analysis *a, const struct onesided_call *x, struct row *row)
{
	const struct call *c = &a->trace->calls[x->call];
	int64_t ns = x->until_ns - c->enter_ns;

	*row = (struct row){x->call, c->site, c->region, x->rank, x->cause, 1, ns};
	if (call_collective(c) != TRACE_NONE) {
		row->cause = FENCE;
		row->rank = a->collectives->c[call_collective(c)].last_rank;
		row->ns = slices_part(&a->attribution->call, x->call, COST_collective_wait);
	}
	return row->ns;
}

/* One row for each site, cause and rank, most time first. Returns 0, or -1. */
static int find_rows(const struct analysis *a, struct rows *rows)
{
	const struct onesided *o = &a->attribution->onesided;
	size_t kept = 0;

	rows->n = 0;
	rows->r = calloc((size_t)o->n + 1, sizeof(*rows->r));
	if (!rows->r)
		return -1;
	for (uint32_t i = 0; i < o->n; i++)
		if (waited(a, &o->calls[i], &rows->r[rows->n]) > 0)
			rows->n++;
	qsort(rows->r, rows->n, sizeof(*rows->r), by_key);
	for (size_t k = 0; k < rows->n; k++) {
		if (kept && !by_key(&rows->r[kept - 1], &rows->r[k])) {
			rows->r[kept - 1].ns += rows->r[k].ns;
			rows->r[kept - 1].waits++;
		} else {
			rows->r[kept++] = rows->r[k];
		}
	}
	rows->n = kept;
	qsort(rows->r, rows->n, sizeof(*rows->r), by_time);
	return 0;
}

static json_t *waits_list(const struct analysis *a)
{
	json_t *list = json_array();
	struct rows rows;

	if (!list || find_rows(a, &rows)) {
		json_decref(list);
		return NULL;
	}
	for (size_t k = 0; k < rows.n && k < ROWS_MAX; k++) {
		const struct row *r = &rows.r[k];

		json_array_append_new(
			list,
			json_pack("{s:s, s:o, s:I, s:I, s:o, s:o}", "cause",
				  r->cause == FENCE ? "late_fence" : onesided_cause_name(r->cause),
				  "callsite", document_callsite(a->trace, r->site, r->region),
				  "rank", (json_int_t)r->rank, "waits", (json_int_t)r->waits, "s",
				  document_real((double)r->ns / NS_PER_S), "share",
				  document_real(
					  document_share(r->ns, a->attribution->budget.total_ns))));
	}
	free(rows.r);
	return list;
}

static json_t *moved(const struct trace *t, enum op_kind kind)
{
	json_int_t n = 0;
	uint64_t bytes = 0, more;

	for (uint32_t i = 0; i < t->n_ops; i++)
		if (t->ops[i].kind == kind) {
			n++;
			more = op_bytes(&t->ops[i]);
			bytes = more > INT64_MAX - bytes ? INT64_MAX : bytes + more;
		}
	return json_pack("{s:I, s:I}", "count", n, "bytes", (json_int_t)bytes);
}

/* Whose memory is busiest; null: no operation of another rank is told. */
static json_t *busiest(const struct target_load *l)
{
	if (!(l->all_operations > 0))
		return json_null();
	return json_pack("{s:I, s:f, s:f}", "rank", (json_int_t)l->most, "operations_share",
			 l->operations[l->most] / l->all_operations, "lock_s", l->lock_s[l->most]);
}

int document_has_windows(const struct trace *t)
{
	for (uint32_t i = 0; i < t->n_ops; i++)
		if (t->ops[i].kind >= OP_PUT)
			return 1;
	return 0;
}

json_t *document_onesided(const struct analysis *a)
{
	const struct onesided *o = &a->attribution->onesided;
	int64_t ns = 0;

	if (!o->n && !document_has_windows(a->trace))
		return json_null();
	for (uint32_t i = 0; i < o->n; i++) {
		const struct call *c = &a->trace->calls[o->calls[i].call];

		ns += c->leave_ns - c->enter_ns;
	}
	return json_pack("{s:o, s:o, s:o, s:o, s:I, s:o, s:o}", "put", moved(a->trace, OP_PUT),
			 "get", moved(a->trace, OP_GET), "atomic", moved(a->trace, OP_ATOMIC),
			 "target", busiest(&a->attribution->targets), "synchronizing_calls",
			 (json_int_t)o->n, "synchronizing_s", document_real((double)ns / NS_PER_S),
			 "waits", waits_list(a));
}
