/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmd/model/model_results.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define WHOLE_MAX 1e15 /* whole numbers below are exact as double and short in print */

json_t *model_results_number(double x)
{
	if (x == floor(x) && fabs(x) < WHOLE_MAX)
		return json_integer((json_int_t)x);
	return json_real(x);
}

json_t *model_results_array(size_t n, const double values[n])
{
	json_t *list = json_array();

	for (size_t i = 0; i < n; i++)
		if (json_array_append_new(list, model_results_number(values[i]))) {
			json_decref(list);
			return NULL;
		}
	return list;
}

/* The adapter's own spelling of a key, which outlives the call. */
static const char *declared(const struct model_results *out, const char *key)
{
	const struct model_output *o = out->model->adapter->outputs;

	while (o->key && strcmp(o->key, key))
		o++;
	assert(o->key);
	return o->key;
}

void model_put(struct model_results *out, const char *key, double value)
{
	const char *own = declared(out, key);

	if (!isfinite(value)) {
		out->infinite = out->infinite ? out->infinite : own;
		return;
	}
	assert(!json_object_get(out->values, own));
	if (json_object_set_new(out->values, own, model_results_number(value)))
		out->no_memory = 1;
}

void model_put_array(struct model_results *out, const char *key, size_t n, const double values[n])
{
	const char *own = declared(out, key);

	for (size_t i = 0; i < n; i++)
		if (!isfinite(values[i])) {
			out->infinite = out->infinite ? out->infinite : own;
			return;
		}
	if (json_object_set_new(out->values, own, model_results_array(n, values)))
		out->no_memory = 1;
}

void model_step(struct model_results *out, const char *label, double value, const char *equation)
{
	json_t *step = json_object();

	if (json_object_set_new(step, "label", json_string(label)) ||
	    json_object_set_new(step, "value",
				isfinite(value) ? model_results_number(value) : json_null()) ||
	    json_object_set_new(step, "equation", json_string(equation)) ||
	    json_array_append(out->steps, step))
		out->no_memory = 1;
	json_decref(step);
}

void model_note(struct model_results *out, const char *format, ...)
{
	char text[512];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	if (json_array_append_new(out->notes, json_string(text)))
		out->no_memory = 1;
}

void model_results_release(struct model_results *r)
{
	json_decref(r->values);
	json_decref(r->steps);
	json_decref(r->notes);
	*r = (struct model_results){0};
}

int model_evaluate(const struct model_args *in, struct model_results *out, struct err *err)
{
	struct model_results r = {
		.model = in->model,
		.values = json_object(),
		.steps = json_array(),
		.notes = json_array(),
	};
	int ret;

	r.no_memory = !r.values || !r.steps || !r.notes;
	ret = r.no_memory ? 0 : in->model->adapter->evaluate(in, &r, err);
	if (!ret && r.no_memory)
		ret = err_set(err, "%s: out of memory", in->model->name);
	if (!ret && r.infinite)
		ret = err_set(err, "%s: %s is beyond the range of numbers for these inputs",
			      in->model->name, r.infinite);
	if (ret)
		model_results_release(&r);
	else
		*out = r;
	return ret;
}
