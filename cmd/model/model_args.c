/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmd/model/model_args.h"

#include "cmd/model/model_results.h"
#include "cmd/nearest.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KEY_MAX 64

static const struct model_input *input_at(const struct model_args *a, int i)
{
	return &a->model->adapter->inputs[i];
}

void model_args_init(struct model_args *a, const struct model *m)
{
	*a = (struct model_args){.model = m, .time_unit = "time"};
}

void model_args_release(struct model_args *a)
{
	for (int i = 0; i < MODEL_INPUTS_MAX; i++) {
		free(a->values[i].text);
		free(a->values[i].list);
	}
	*a = (struct model_args){0};
}

int model_args_index(const struct model *m, const char *key)
{
	for (int i = 0; m->adapter->inputs[i].key; i++) {
		assert(i < MODEL_INPUTS_MAX);
		if (!strcmp(m->adapter->inputs[i].key, key))
			return i;
	}
	return -1;
}

int model_args_refuse_key(const struct model *m, const char *key, struct err *err)
{
	const char *keys[MODEL_INPUTS_MAX];
	char help[64], advice[128];
	size_t n = 0;

	for (; m->adapter->inputs[n].key; n++)
		keys[n] = m->adapter->inputs[n].key;
	snprintf(help, sizeof(help), "contend model %s --help", m->name);
	return err_set(err, "%s has no input \"%s\"; %s", m->name, key,
		       nearest_advice(nearest(key, n, keys), "", help, sizeof(advice), advice));
}

int model_parse_number(const char *text, double *out)
{
	char *end;
	double x = strtod(text, &end);

	if (end == text || *end || !isfinite(x))
		return -1;
	*out = x;
	return 0;
}

/* Is the word one of "short|long|sync"? */
static int is_choice(const char *choices, const char *word)
{
	size_t n = strlen(word);

	for (const char *c = choices; n; c++) {
		size_t length = strcspn(c, "|");

		if (length == n && !strncmp(c, word, n))
			return 1;
		c += length;
		if (!*c)
			break;
	}
	return 0;
}

static int parse_list(const struct model_input *in, const char *text, struct model_value *v,
		      struct err *err)
{
	char *copy = strdup(text);
	double *list = calloc(strlen(text) + 1, sizeof(*list));
	char *rest = copy;
	char *item;
	size_t n = 0;

	if (!copy || !list) {
		err_set(err, "%s: out of memory", in->key);
		goto failed;
	}
	while ((item = strsep(&rest, ",")))
		if (model_parse_number(item, &list[n++])) {
			err_set(err, "%s=%s: expected numbers separated by commas", in->key, text);
			goto failed;
		}
	free(copy);
	v->list = list;
	v->n = n;
	return 0;
failed:
	free(list);
	free(copy);
	return -1;
}

/* What the text means for this input. */
static int parse_value(const struct model_input *in, const char *text, struct model_value *v,
		       struct err *err)
{
	switch (in->kind) {
	case MODEL_NUMBER:
		if (model_parse_number(text, &v->number))
			return err_set(err, "%s=%s: expected a finite number", in->key, text);
		return 0;
	case MODEL_LIST:
		return parse_list(in, text, v, err);
	case MODEL_WORD:
		if (!is_choice(in->unit, text))
			return err_set(err, "%s=%s: expected %s", in->key, text, in->unit);
		break;
	case MODEL_FILE:
		if (!*text)
			return err_set(err, "%s= needs the path of a file", in->key);
		break;
	}
	v->text = strdup(text);
	return v->text ? 0 : err_set(err, "%s: out of memory", in->key);
}

int model_args_give(struct model_args *a, const char *word, struct err *err)
{
	const char *equals = strchr(word, '=');
	char key[KEY_MAX];
	int i;

	if (!equals)
		return err_set(err, "\"%s\" is not of the form key=value", word);
	snprintf(key, sizeof(key), "%.*s", (int)(equals - word), word);
	i = model_args_index(a->model, key);
	if (i < 0)
		return model_args_refuse_key(a->model, key, err);
	if (a->values[i].origin == VALUE_GIVEN)
		return err_set(err, "%s is given twice", key);
	if (parse_value(input_at(a, i), equals + 1, &a->values[i], err))
		return -1;
	a->values[i].origin = VALUE_GIVEN;
	return 0;
}

static int take_default(const struct model_input *in, const json_t *j, struct model_value *v,
			struct err *err)
{
	char text[64];

	if (json_is_number(j)) {
		snprintf(text, sizeof(text), "%.17g", json_number_value(j));
		return parse_value(in, text, v, err);
	}
	if (json_is_string(j))
		return parse_value(in, json_string_value(j), v, err);
	return err_set(err, "\"%s\" is neither a number nor a text", in->key);
}

int model_args_machine(struct model_args *a, const json_t *model, const char *path, struct err *err)
{
	const json_t *own = json_object_get(model, a->model->name);
	const char *unit = json_string_value(json_object_get(model, "unit"));
	struct err why;

	if (unit)
		snprintf(a->time_unit, sizeof(a->time_unit), "%s", unit);
	for (int i = 0; input_at(a, i)->key; i++) {
		const struct model_input *in = input_at(a, i);
		const json_t *j = json_object_get(own, in->key);

		if (!j)
			j = json_object_get(model, in->key);
		if (!j || json_is_object(j) || a->values[i].origin != VALUE_NONE)
			continue;
		if (json_is_null(j)) {
			a->values[i].unidentified = 1;
			continue;
		}
		if (take_default(in, j, &a->values[i], &why))
			return err_set(err, "%s: model: %.400s", path, why.text);
		a->values[i].origin = VALUE_MACHINE;
	}
	return 0;
}

int model_args_finish(struct model_args *a, const char *except, struct err *err)
{
	for (int i = 0; input_at(a, i)->key; i++) {
		const struct model_input *in = input_at(a, i);
		struct model_value *v = &a->values[i];

		if (v->origin != VALUE_NONE || (except && !strcmp(in->key, except)))
			continue;
		if (v->unidentified)
			return err_set(err,
				       "the machine file's class %s has no %s that could be told "
				       "from 0: calibrate an idle machine again, or give %s %s=%s: "
				       "%s",
				       a->machine_class, in->key, a->model->name, in->key,
				       *in->unit ? in->unit : "NUMBER", in->help);
		if (!in->otherwise)
			return err_set(err, "%s needs %s=%s: %s", a->model->name, in->key,
				       *in->unit ? in->unit : "NUMBER", in->help);
		if (!*in->otherwise)
			continue;
		if (parse_value(in, in->otherwise, v, err))
			return -1;
		v->origin = VALUE_DEFAULT;
	}
	return 0;
}

void model_args_set(struct model_args *a, int index, double number)
{
	assert(input_at(a, index)->kind == MODEL_NUMBER);
	a->values[index].number = number;
	a->values[index].origin = VALUE_GIVEN;
}

static json_t *value_json(const struct model_input *in, const struct model_value *v)
{
	if (in->kind == MODEL_NUMBER)
		return model_results_number(v->number);
	if (in->kind == MODEL_LIST)
		return model_results_array(v->n, v->list);
	return json_string(v->text);
}

json_t *model_args_json(const struct model_args *a)
{
	json_t *all = json_object();

	for (int i = 0; input_at(a, i)->key; i++)
		if (a->values[i].origin != VALUE_NONE &&
		    json_object_set_new(all, input_at(a, i)->key,
					value_json(input_at(a, i), &a->values[i]))) {
			json_decref(all);
			return NULL;
		}
	return all;
}

static const struct model_value *value_of(const struct model_args *in, const char *key)
{
	int i = model_args_index(in->model, key);

	assert(i >= 0);
	return &in->values[i];
}

int model_has(const struct model_args *in, const char *key)
{
	return value_of(in, key)->origin != VALUE_NONE;
}

double model_number(const struct model_args *in, const char *key)
{
	const struct model_value *v = value_of(in, key);

	assert(v->origin != VALUE_NONE);
	return v->number;
}

const char *model_word(const struct model_args *in, const char *key)
{
	return value_of(in, key)->text;
}

int model_is(const struct model_args *in, const char *key, const char *word)
{
	const char *text = value_of(in, key)->text;

	return text && !strcmp(text, word);
}

size_t model_list(const struct model_args *in, const char *key, const double **values)
{
	const struct model_value *v = value_of(in, key);

	*values = v->list;
	return v->n;
}
