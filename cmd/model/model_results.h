/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a model answered, held as the JSON that text and --json are both printed from.
 * Adapters fill it with model_put() and its like (cmd/model/model.h).
 */
#ifndef CMD_MODEL_RESULTS_H
#define CMD_MODEL_RESULTS_H

#include <jansson.h>

#include "cmd/model/model_args.h"

struct model_results {
	const struct model *model;
	json_t *values;       /* {"key": number or [numbers]} */
	json_t *steps;        /* [{"label", "value", "equation"}] */
	json_t *notes;        /* [text] */
	const char *infinite; /* the first key whose value is no finite number; NULL = none */
	int no_memory;
};

/* Evaluate a model. Returns 0, or -1 with *err set and nothing to release. */
int model_evaluate(const struct model_args *in, struct model_results *out, struct err *err);
void model_results_release(struct model_results *r);

/* A number as JSON, whole ones without a point; NULL when it is not finite. */
json_t *model_results_number(double x);
json_t *model_results_array(size_t n, const double values[n]); /* NULL likewise */

#endif
