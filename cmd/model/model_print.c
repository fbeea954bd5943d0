/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmd/model/model_print.h"

#include "cmd/model/model_table.h"
#include "common/wording.h"
#include "report/layout.h"

#include <stdio.h>
#include <string.h>

/* Prints the table and frees it. */
static int finish(struct model_table *t, struct err *err)
{
	int ret = model_table_print(t, err);

	model_table_free(t);
	return ret;
}

static void say(const struct style *s, const char *label, const char *text)
{
	struct layout l = {.out = stdout, .style = s};

	layout_begin(&l, label, 2);
	layout_words(&l, text);
	layout_end(&l);
}

void model_print_title(const struct model *m, const struct style *s)
{
	struct layout l = {.out = stdout, .style = s};
	char title[200];

	snprintf(title, sizeof(title), "%s: %s (%s)", m->name, m->title, m->source);
	layout_begin(&l, "", 0);
	layout_words(&l, title);
	layout_end(&l);
	putchar('\n');
}

struct number model_print_number(const json_t *number)
{
	struct number n = {"-"};

	if (json_is_number(number))
		snprintf(n.text, sizeof(n.text), "%.6g", json_number_value(number));
	return n;
}

int model_print_list(const struct style *s, struct err *err)
{
	static const struct column heads[] = {{"model", COLUMN_LEFT}, {"what", COLUMN_LEFT}};
	struct model_table *t = model_table_new(s, 2, heads);

	for (size_t i = 0; i < model_count(); i++) {
		const struct model *m = model_at(i);

		model_table_add(t, (const char *const[]){m->name, m->title});
	}
	return finish(t, err);
}

/* "required", "may be missing" or the default. */
static struct number default_text(const struct model_input *in)
{
	struct number n;

	snprintf(n.text, sizeof(n.text), "%s",
		 !in->otherwise   ? "required"
		 : *in->otherwise ? in->otherwise
				  : "optional");
	return n;
}

int model_print_help(const struct model *m, const struct style *s, struct err *err)
{
	static const struct column in_heads[] = {{"input", COLUMN_LEFT},
						 {"unit", COLUMN_LEFT},
						 {"default", COLUMN_LEFT},
						 {"meaning", COLUMN_LEFT}};
	static const struct column out_heads[] = {
		{"result", COLUMN_LEFT}, {"unit", COLUMN_LEFT}, {"meaning", COLUMN_LEFT}};
	struct model_table *t = model_table_new(s, 4, in_heads);

	printf("Usage: contend model %s key=value...\n", m->name);
	model_print_title(m, s);
	for (const struct model_input *in = m->adapter->inputs; in->key; in++)
		model_table_add(t, (const char *const[]){in->key, in->unit, default_text(in).text,
							 in->help});
	if (finish(t, err))
		return -1;
	putchar('\n');
	t = model_table_new(s, 3, out_heads);
	for (const struct model_output *o = m->adapter->outputs; o->key; o++)
		model_table_add(t, (const char *const[]){o->key, o->unit, o->help});
	if (finish(t, err))
		return -1;
	putchar('\n');
	say(s, "", "Values are plain numbers; any one unit of time, used throughout.");
	return 0;
}

/* A unit with the name that the machine file has for "time". */
static struct number unit_text(const struct model_args *in, const char *unit)
{
	const char *time = strstr(unit, "time");
	struct number n;

	if (time)
		snprintf(n.text, sizeof(n.text), "%.*s%s%s", (int)(time - unit), unit,
			 in->time_unit, time + strlen("time"));
	else
		snprintf(n.text, sizeof(n.text), "%s", unit);
	return n;
}

/* The value as one types it. */
static void input_text(const struct model_args *in, int i, char *text, size_t size)
{
	const struct model_value *v = &in->values[i];
	struct wording w = wording_begin(size, text);

	switch (in->model->adapter->inputs[i].kind) {
	case MODEL_NUMBER:
		wording_add(&w, "%.10g", v->number);
		break;
	case MODEL_LIST:
		for (size_t j = 0; j < v->n; j++)
			wording_add(&w, "%s%.10g", j ? "," : "", v->list[j]);
		break;
	default:
		wording_add(&w, "%s", v->text);
	}
}

static int print_inputs(const struct model_args *in, const struct style *s, struct err *err)
{
	static const struct column heads[] = {{"input", COLUMN_LEFT},
					      {"value", COLUMN_RIGHT},
					      {"unit", COLUMN_LEFT},
					      {"from", COLUMN_LEFT}};
	static const char *const origins[] = {"", "given", "machine", "default"};
	struct model_table *t = model_table_new(s, 4, heads);
	const struct model_input *inputs = in->model->adapter->inputs;
	char text[256], machine[40];

	snprintf(machine, sizeof(machine), "machine%s%s", *in->machine_class ? ", class " : "",
		 in->machine_class);
	for (int i = 0; inputs[i].key; i++) {
		if (in->values[i].origin == VALUE_NONE)
			continue;
		input_text(in, i, text, sizeof(text));
		model_table_add(t,
				(const char *const[]){inputs[i].key, text,
						      inputs[i].kind == MODEL_WORD
							      ? ""
							      : unit_text(in, inputs[i].unit).text,
						      in->values[i].origin == VALUE_MACHINE
							      ? machine
							      : origins[in->values[i].origin]});
	}
	return finish(t, err);
}

static int print_steps(const json_t *steps, const struct style *s, struct err *err)
{
	static const struct column heads[] = {
		{"step", COLUMN_LEFT}, {"value", COLUMN_RIGHT}, {"equation", COLUMN_LEFT}};
	struct model_table *t = model_table_new(s, 3, heads);
	const json_t *step;
	size_t i;

	json_array_foreach(steps, i, step) {
		model_table_add(t, (const char *const[]){
					   json_string_value(json_object_get(step, "label")),
					   model_print_number(json_object_get(step, "value")).text,
					   json_string_value(json_object_get(step, "equation"))});
	}
	putchar('\n');
	return finish(t, err);
}

/* One row of a number, one for each element of an array. */
static void result_rows(struct model_table *t, const struct model_args *in,
			const struct model_output *o, const json_t *value)
{
	struct number unit = unit_text(in, o->unit);
	char name[80];

	if (!json_is_array(value)) {
		model_table_add(t, (const char *const[]){o->key, model_print_number(value).text,
							 unit.text, o->help});
		return;
	}
	for (size_t i = 0; i < json_array_size(value); i++) {
		snprintf(name, sizeof(name), "%s[%zu]", o->key, i);
		model_table_add(t, (const char *const[]){
					   name, model_print_number(json_array_get(value, i)).text,
					   unit.text, i ? "" : o->help});
	}
}

int model_print_answer(const struct model_args *in, const struct model_results *r,
		       enum model_detail detail, const struct style *s, struct err *err)
{
	static const struct column heads[] = {{"result", COLUMN_LEFT},
					      {"value", COLUMN_RIGHT},
					      {"unit", COLUMN_LEFT},
					      {"meaning", COLUMN_LEFT}};
	struct model_table *t;
	const json_t *note;
	size_t i;

	model_print_title(in->model, s);
	if (print_inputs(in, s, err) ||
	    (detail == DETAIL_STEPS && json_array_size(r->steps) && print_steps(r->steps, s, err)))
		return -1;
	putchar('\n');
	t = model_table_new(s, 4, heads);
	for (const struct model_output *o = in->model->adapter->outputs; o->key; o++)
		if (json_object_get(r->values, o->key))
			result_rows(t, in, o, json_object_get(r->values, o->key));
	if (finish(t, err))
		return -1;
	if (json_array_size(r->notes))
		putchar('\n');
	json_array_foreach(r->notes, i, note)
		say(s, "", json_string_value(note));
	return 0;
}

int model_print_json(const struct model_args *in, const struct model_results *r,
		     enum model_detail detail, struct err *err)
{
	json_t *d = json_pack("{s:s, s:o, s:O}", "model", in->model->name, "inputs",
			      model_args_json(in), "results", r->values);
	int ret = d ? 0 : -1;

	if (!ret && *in->machine_class)
		ret = json_object_set_new(d, "machine_class", json_string(in->machine_class));
	if (!ret && detail == DETAIL_STEPS)
		ret = json_object_set(d, "steps", r->steps);
	if (!ret && json_array_size(r->notes))
		ret = json_object_set(d, "notes", r->notes);
	if (!ret)
		ret = json_dumpf(d, stdout, JSON_INDENT(1) | JSON_REAL_PRECISION(15));
	json_decref(d);
	if (ret)
		return err_set(err, "cannot write the results of %s", in->model->name);
	putchar('\n');
	return 0;
}
