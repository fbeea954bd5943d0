/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The values of a model's inputs: from the command line, else from a machine file, else
 * the default. Life cycle: model_args_init(), any number of model_args_give(), perhaps
 * model_args_machine(), model_args_finish(), then evaluate; model_args_release().
 */
#ifndef CMD_MODEL_ARGS_H
#define CMD_MODEL_ARGS_H

#include <jansson.h>

#include "cmd/model/model.h"

#define MODEL_INPUTS_MAX 32

enum model_origin { VALUE_NONE, VALUE_GIVEN, VALUE_MACHINE, VALUE_DEFAULT };

struct model_value {
	enum model_origin origin; /* VALUE_NONE: no value */
	int unidentified;         /* 1: the machine file has it, but its measurement told nothing */
	double number;
	char *text; /* of words and files */
	size_t n;
	double *list;
};

struct model_args {
	const struct model *model;
	char time_unit[24]; /* for text: the machine file's, else "time" */
	char machine_class
		[16]; /* of a machine file's classes, the one that values are from; or "" */
	struct model_value values[MODEL_INPUTS_MAX]; /* as in the adapter's table */
};

void model_args_init(struct model_args *a, const struct model *m);
void model_args_release(struct model_args *a);

/* Take "key=value". Returns 0, or -1 with *err set: unknown key (the nearest is named), given
 * twice, not a number. */
int model_args_give(struct model_args *a, const char *word, struct err *err);

/* Values for keys not given from the "model" object of a machine file, see model_machine.c. */
int model_args_machine(struct model_args *a, const json_t *model, const char *path,
		       struct err *err);

/* Defaults for what has no value yet. Returns 0, or -1 with *err set: a required one is missing,
 * apart from except (NULL = none), which a sweep will set. */
int model_args_finish(struct model_args *a, const char *except, struct err *err);

/* The index of a key in the model's table; -1 when it has none. */
int model_args_index(const struct model *m, const char *key);

/* "no key X; nearest". Returns -1. */
int model_args_refuse_key(const struct model *m, const char *key, struct err *err);

/* Set a number, as a sweep does. */
void model_args_set(struct model_args *a, int index, double number);

/* What the text is as a finite number. Returns 0, or -1 (no message). */
int model_parse_number(const char *text, double *out);

/* {"key": value, ...} of all that have a value. NULL without memory. */
json_t *model_args_json(const struct model_args *a);

#endif
