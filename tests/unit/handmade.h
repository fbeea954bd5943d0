/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A run made by hand: two ranks on two nodes, one message and a call each, with a finding. Tests
 * change what they want of it before they ask for its document.
 */
#ifndef TESTS_UNIT_HANDMADE_H
#define TESTS_UNIT_HANDMADE_H

#include "analyze/document/document.h"

struct handmade {
	struct run run;
	struct trace trace;
	struct messages messages;
	struct collectives collectives;
	struct clock_quality clock;
	struct machine machine;
	struct attribution attribution;
	struct hotspots hotspots;
	struct phases phases;
	struct patterns patterns;
	struct analysis analysis;
	struct rank ranks[2];
	struct region regions[2];
	struct call calls[2];
	struct hotspot hotspot;
};

/* Caller: handmade_release. */
void handmade_fill(struct handmade *f);
void handmade_release(struct handmade *f);

/* Its document, to be given back with json_decref(). */
json_t *handmade_document(struct handmade *f);

/* The number at a path such as "budget.parts.wire.s"; NaN when it is not there. */
double handmade_number(const json_t *value, const char *path);

/* Has one of a section's sentences (quality's conditions, summary's verdict) these words? */
int handmade_says(const json_t *document, const char *section, const char *list, const char *words);

static inline int has_condition(const json_t *document, const char *words)
{
	return handmade_says(document, "quality", "conditions", words);
}

/* Does the verdict have these words? */
static inline int is_verdict(struct handmade *f, const char *words)
{
	json_t *document = handmade_document(f);
	int yes = handmade_says(document, "summary", "verdict", words);

	json_decref(document);
	return yes;
}

/* What is sure. */
static inline struct part exactly(int64_t ns)
{
	return (struct part){ns, ns, ns};
}

#endif
