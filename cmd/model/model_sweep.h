/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A model evaluated for a range of one input: table, CSV, JSON. */
#ifndef CMD_MODEL_SWEEP_H
#define CMD_MODEL_SWEEP_H

#include "cmd/model/model_results.h"
#include "report/style.h"

struct model_sweep {
	const char *key; /* NULL: no sweep, one row */
	int index;       /* of the key */
	double from;
	double step;
	size_t n;
};

/* "KEY=from:to:step"; NULL is no sweep. Returns 0, or -1 with *err set. */
int model_sweep_parse(const struct model *m, const char *text, struct model_sweep *out,
		      struct err *err);

/*
 * Evaluate and print: text, or as --json and --csv say. A row outside the model's domain is
 * left empty and the first such reason is said. Returns 0, or -1 with *err set: no row can be
 * evaluated, or the file cannot be written.
 */
int model_sweep_run(struct model_args *in, const struct model_sweep *s, const struct style *style,
		    struct err *err);

#endif
