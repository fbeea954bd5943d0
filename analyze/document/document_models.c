/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The models' opinions beside what was measured. */
#include "analyze/document/document_parts.h"
#include "analyze/opinion/opinion.h"

static json_t *values_section(const struct opinion_values *values)
{
	json_t *section = json_object();
	uint32_t i;

	for (i = 0; i < values->n; i++)
		json_object_set_new(section, values->v[i].key, document_real(values->v[i].value));
	return section;
}

json_t *document_models(const struct analysis *a)
{
	json_t *list = json_array();
	uint32_t i;

	for (i = 0; a->opinions && i < a->opinions->n; i++) {
		const struct opinion *o = &a->opinions->o[i];

		json_array_append_new(list, json_pack("{s:s, s:I, s:b, s:o, s:o, s:o, s:o}", "name",
						      o->name, "phase", (json_int_t)o->phase,
						      "valid", o->valid, "why_not",
						      document_text(o->valid ? NULL : o->why_not),
						      "inputs", values_section(&o->inputs),
						      "predicted", values_section(&o->predicted),
						      "measured", values_section(&o->measured)));
	}
	return list;
}
