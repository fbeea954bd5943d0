/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who is waited for, and what kept them, as rows of the document. */
#include "analyze/document/document_parts.h"

#define ROWS_MAX 50

static json_t *callsite_of(const struct trace *t, uint32_t call)
{
	if (call == TRACE_NONE)
		return json_null();
	return document_callsite(t, t->calls[call].site, t->calls[call].region);
}

json_t *document_late_partners(const struct analysis *a)
{
	json_t *rows = json_array();
	size_t k;

	for (k = 0; rows && a->lateness && k < a->lateness->n && k < ROWS_MAX; k++) {
		const struct late_partner *p = &a->lateness->rows[k];
		json_t *row = json_pack(
			"{s:o, s:I, s:o, s:o, s:o, s:I, s:s, s:o}", "callsite",
			callsite_of(a->trace, p->call), "waits", (json_int_t)p->waits, "s",
			document_real((double)p->ns / NS_PER_S), "direct_s",
			document_real((double)p->direct_ns / NS_PER_S), "share",
			document_real(document_share(p->ns, a->attribution->budget.total_ns)),
			"rank", (json_int_t)p->rank, "reason", lateness_reason_name(p->reason),
			"place", callsite_of(a->trace, p->at));

		if (!row || json_array_append_new(rows, row)) {
			json_decref(rows);
			return NULL;
		}
	}
	return rows;
}

json_t *document_alone(const struct analysis *a)
{
	const struct alone *x = a->lateness ? &a->lateness->alone : NULL;

	if (!x || x->share <= 0)
		return json_null();
	return json_pack("{s:o, s:o, s:I, s:o, s:b}", "share", document_real(x->share),
			 "idle_share", document_real(x->idle), "rank", (json_int_t)x->rank,
			 "rank_share", document_real(x->most), "by_turns", alone_is_by_turns(x));
}
