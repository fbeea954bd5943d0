/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Phases and patterns: who sends to whom, by name. */
#include "analyze/document/document_parts.h"
#include "analyze/patterns/patterns.h"

static const char *const scope_names[] = {
	[PATTERN_RUN] = "run",
	[PATTERN_PHASE] = "phase",
	[PATTERN_CALLSITE] = "callsite",
	[PATTERN_COMMUNICATOR] = "communicator",
	[PATTERN_COLLECTIVE] = "collective",
};

static json_t *phase_section(const struct analysis *a, uint32_t i)
{
	const struct trace *t = a->trace;
	const struct phase *p = &a->phases->p[i];

	return json_pack("{s:I, s:f, s:f, s:f, s:f, s:I, s:I, s:I, s:o}", "phase",
			 (json_int_t)i + 1, "begin_s", (double)p->begin_ns / NS_PER_S, "end_s",
			 (double)p->end_ns / NS_PER_S, "spent_s", (double)p->spent_ns / NS_PER_S,
			 "share", document_share(p->spent_ns, a->attribution->budget.total_ns),
			 "rounds", (json_int_t)p->rounds, "calls", (json_int_t)p->calls, "sites",
			 (json_int_t)p->sites, "ended_by",
			 document_text(p->ended_by == TRACE_NONE ? NULL
								 : t->regions[p->ended_by].name));
}

json_t *document_phases(const struct analysis *a)
{
	json_t *list = json_array();
	uint32_t i;

	for (i = 0; a->phases && i < a->phases->n; i++)
		json_array_append_new(list, phase_section(a, i));
	return list;
}

static json_t *equivalent_names(const struct pattern *p)
{
	json_t *names = json_array();
	uint32_t i;

	for (i = 0; i < p->n_equivalent; i++)
		json_array_append_new(names, json_string(p->equivalent[i]));
	return names;
}

/* How sure the name is. confident: null of what has no form. */
static json_t *confidence(const struct pattern *p)
{
	json_t *is = p->best.regular ? json_boolean(pattern_is_confident(p)) : json_null();

	return json_pack("{s:o, s:f, s:f}", "confident", is, "margin", p->margin, "doubt",
			 p->doubt);
}

static json_t *pattern_section(const struct analysis *a, const struct found *f)
{
	const struct candidate *c = &f->p.best;
	const char *comm = f->comm == TRACE_NONE ? NULL : a->trace->comms[f->comm].name;
	double all = a->patterns->bytes;
	json_t *section;

	section = json_pack("{s:I, s:o, s:o, s:f, s:f, s:o, s:o}", "phase", (json_int_t)f->phase,
			    "callsite", document_callsite(a->trace, f->site, f->region), "name",
			    json_sprintf("%s%s", c->name, c->permuted ? ", ranks permuted" : ""),
			    "score", f->p.score, "residual", 1 - c->explained, "runner_up",
			    document_text(*f->p.runner_up ? f->p.runner_up : NULL), "equivalent",
			    equivalent_names(&f->p));
	if (section)
		json_object_update_new(
			section,
			json_pack("{s:s, s:o, s:o, s:o, s:I, s:I, s:f, s:o, s:b, s:f, s:f, s:f, "
				  "s:f}",
				  "scope", scope_names[f->scope], "communicator",
				  document_text(comm), "communicator_id",
				  f->comm == TRACE_NONE ? json_null() : json_integer(f->comm),
				  "why_none", document_text(*f->p.why_none ? f->p.why_none : NULL),
				  "ranks", (json_int_t)f->active, "messages",
				  (json_int_t)f->messages, "bytes", f->bytes, "share",
				  f->scope == PATTERN_COLLECTIVE || all <= 0
					  ? json_null()
					  : json_real(f->bytes / all),
				  "permuted", c->permuted, "explained", c->explained, "presence",
				  c->presence, "uniformity", c->uniformity, "rounds",
				  f->time.rounds));
	if (section)
		json_object_update_new(section, confidence(&f->p));
	return section;
}

json_t *document_patterns(const struct analysis *a)
{
	json_t *list = json_array();
	uint32_t i;

	for (i = 0; a->patterns && i < a->patterns->n; i++)
		json_array_append_new(list, pattern_section(a, &a->patterns->f[i]));
	return list;
}
