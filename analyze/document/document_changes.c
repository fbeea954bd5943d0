/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the run would take if the program did something else: contend predict. */
#include "analyze/document/document_parts.h"

static json_t *change(const struct analysis *a, const struct change *x)
{
	json_t *row =
		json_pack("{s:s, s:o, s:o, s:o}", "kind", x->kind, "title", document_text(x->title),
			  "callsite",
			  x->region == TRACE_NONE ? json_null()
						  : document_callsite(a->trace, x->site, x->region),
			  "why_not", document_text(x->why_not));

	if (!*x->why_not)
		document_saving(a, &x->saving, row);
	return row;
}

json_t *document_changes(const struct analysis *a)
{
	json_t *list = json_array();

	for (uint32_t k = 0; k < a->changes->n; k++)
		json_array_append_new(list, change(a, &a->changes->row[k]));
	return list;
}
