/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a model is asked with, and how its opinion is put. For opinion*.c only. */
#ifndef ANALYZE_OPINION_FACTS_H
#define ANALYZE_OPINION_FACTS_H

#include "analyze/opinion/opinion.h"
#include "analyze/opinion/opinion_network.h"
#include "analyze/opinion/server_load.h"

struct opinion_facts {
	const struct evidence_base *b;
	const struct trace *t;
	const struct machine *machine;
	const struct phases *phases;
	struct phase_load load;
	struct network_load network;
	int serves; /* 1: the run is one of clients and servers, and this is their load: */
	struct server_load server;
};

/* key: a literal. Beyond OPINION_VALUES nothing is kept. */
void opinion_put(struct opinion_values *values, const char *key, double value);
void opinion_refuse(struct opinion *o, const char *why);

/* Does the name of the phase's pattern begin so? */
int opinion_is_named(const struct opinion_facts *f, const char *name);

/* LoPC's, in the form that fits the phase. */
void opinion_lopc(const struct opinion_facts *f, struct opinion *o);

/* That of the Diamond DAG, of a phase that is a pipeline. */
void opinion_diamond(const struct opinion_facts *f, struct opinion *o);

#endif
