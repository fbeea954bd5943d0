/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a model of `contend model` declares, and what its adapter may ask and answer.
 *
 * cmd/model/models.def has one row for each model; cmd/model/model_FAMILY.c has its adapter: tables
 * of inputs and outputs, and a function that takes the values of the first, calls the
 * pure module under models/ and puts the second. No arithmetic here: it belongs there.
 * Numbers are in the units of the input, any one unit of time used throughout.
 * Everything else (command line, defaults, machine files, JSON, text, sweeps) is done by
 * model_args.c, model_sweep.c and model_print.c for all models alike.
 */
#ifndef CMD_MODEL_H
#define CMD_MODEL_H

#include <stddef.h>

#include "common/err.h"

enum model_kind {
	MODEL_NUMBER,
	MODEL_WORD, /* one of a few words */
	MODEL_LIST, /* numbers separated by commas */
	MODEL_FILE, /* a path; the adapter reads it with csv.h or model_json.h */
};

#define MODEL_REQUIRED NULL
#define MODEL_OPTIONAL "" /* the adapter asks model_has() */

struct model_input {
	const char *key;
	enum model_kind kind;
	const char *unit;      /* "time", "bytes", "time/byte", ...; of a word: "short|long" */
	const char *otherwise; /* MODEL_REQUIRED, MODEL_OPTIONAL or a default as one types it */
	const char *help;
};

struct model_output {
	const char *key; /* a number or an array of them */
	const char *unit;
	const char *help;
};

struct model_args;
struct model_results;

/* Both tables end with a row whose key is NULL. */
struct model_adapter {
	const struct model_input *inputs;
	const struct model_output *outputs;
	/* Returns 0, or -1 with *err set: values outside the model's domain, a bad file. */
	int (*evaluate)(const struct model_args *in, struct model_results *out, struct err *err);
};

struct model {
	const char *name;
	const char *title;
	const char *source;
	const struct model_adapter *adapter;
};

#define MODEL(id, name, title, source) extern const struct model_adapter model_##id;
#include "cmd/model/models.def"
#undef MODEL

/* All models, in the order of models.def. */
size_t model_count(void);
const struct model *model_at(size_t i);
const struct model *model_find(const char *name); /* case is none; NULL when there is none */

/* For adapters: the values. A key that is not in the adapter's table is a mistake (assert). */
int model_has(const struct model_args *in, const char *key);
double model_number(const struct model_args *in, const char *key);
const char *model_word(const struct model_args *in, const char *key); /* also the path of a file */
int model_is(const struct model_args *in, const char *key, const char *word);
size_t model_list(const struct model_args *in, const char *key, const double **values); /* lent */

/*
 * For adapters: the answers. Keys must be in the adapter's table, each at most once; what
 * does not exist for these inputs is left out. Numbers that are not finite make the whole
 * evaluation fail with a message, as does want of memory, so callers need not check.
 */
void model_put(struct model_results *out, const char *key, double value);
void model_put_array(struct model_results *out, const char *key, size_t n, const double values[n]);

/* One line of --explain: what, its value, the equation it comes from ("(5')", "Claim 1"). */
void model_step(struct model_results *out, const char *label, double value, const char *equation);

/* A sentence beside the results: range of validity, known experience. */
void model_note(struct model_results *out, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif
