/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The models' opinions beside what was measured. */
#include "analyze/document/document_parts.h"
#include "analyze/opinion/opinion.h"

#define VISITS_MOST 4096 /* rows of V */

static json_t *values_section(const struct opinion_values *values)
{
	json_t *section = json_object();
	uint32_t i;

	for (i = 0; i < values->n; i++)
		json_object_set_new(section, values->v[i].key, document_real(values->v[i].value));
	return section;
}

/* Who asks whom: a list of from, to and share, of what is not 0. NULL: more than a reader wants. */
static json_t *visits_section(const struct opinion *o)
{
	size_t pairs = (size_t)o->ranks * o->ranks, n = 0;
	json_t *list;

	for (size_t k = 0; k < pairs && n <= VISITS_MOST; k++)
		n += o->V[k] > 0;
	if (n > VISITS_MOST)
		return NULL;
	list = json_array();
	for (size_t k = 0; k < pairs; k++)
		if (o->V[k] > 0)
			json_array_append_new(list,
					      json_pack("[I, I, f]", (json_int_t)(k / o->ranks),
							(json_int_t)(k % o->ranks), o->V[k]));
	return list;
}

static json_t *inputs_section(const struct opinion *o)
{
	json_t *section = values_section(&o->inputs);
	json_t *visits = o->V ? visits_section(o) : NULL;

	if (visits)
		json_object_set_new(section, "V", visits);
	return section;
}

json_t *document_models(const struct analysis *a)
{
	json_t *list = json_array();
	uint32_t i;

	for (i = 0; a->opinions && i < a->opinions->n; i++) {
		const struct opinion *o = &a->opinions->o[i];

		json_array_append_new(
			list, json_pack("{s:s, s:I, s:b, s:o, s:o, s:o, s:o, s:o}", "name", o->name,
					"phase", (json_int_t)o->phase, "valid", o->valid, "why_not",
					document_text(o->valid ? NULL : o->why_not), "not_compared",
					document_text(o->not_compared[0] ? o->not_compared : NULL),
					"inputs", inputs_section(o), "predicted",
					values_section(&o->predicted), "measured",
					values_section(&o->measured)));
	}
	return list;
}
