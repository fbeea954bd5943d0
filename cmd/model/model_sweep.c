/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmd/model/model_sweep.h"

#include "cmd/model/model_print.h"
#include "common/options.h"
#include "report/columns.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define POINTS_MAX  1000000
#define OUTPUTS_MAX 32

/* A table of answers: {"value": x, "results": {...}} for each row; "results" is missing where
 * the model does not apply. */
struct sweep_table {
	json_t *rows;
	size_t n_columns;
	const struct model_output *columns[OUTPUTS_MAX]; /* the numbers that some row has */
	char first_failure[600];
};

int model_sweep_parse(const struct model *m, const char *text, struct model_sweep *out,
		      struct err *err)
{
	struct model_sweep s = {.n = 1};
	double ends[3];
	char copy[256];
	char *rest = copy;
	char *key;

	*out = s;
	if (!text)
		return 0;
	snprintf(copy, sizeof(copy), "%s", text);
	key = strsep(&rest, "=");
	s.index = model_args_index(m, key);
	if (s.index < 0)
		return model_args_refuse_key(m, key, err);
	s.key = m->adapter->inputs[s.index].key;
	if (m->adapter->inputs[s.index].kind != MODEL_NUMBER)
		return err_set(err, "--sweep=%s: %s is not a number", text, key);
	for (int i = 0; i < 3; i++) {
		const char *word = strsep(&rest, ":");

		if (!word || model_parse_number(word, &ends[i]) || (i == 2 && rest))
			return err_set(err, "--sweep=%s: expected KEY=from:to:step", text);
	}
	s.from = ends[0];
	s.step = ends[2];
	if (s.step == 0 || (ends[1] - ends[0]) / s.step < 0)
		return err_set(err, "--sweep=%s: steps of %g do not lead from %g to %g", text,
			       s.step, ends[0], ends[1]);
	/* The end belongs to it, though it be a rounding error away. */
	double steps = floor((ends[1] - ends[0]) / s.step * (1 + 1e-12) + 1e-9);

	if (steps >= POINTS_MAX)
		return err_set(err, "--sweep=%s: more than %d rows", text, POINTS_MAX);
	s.n = (size_t)steps + 1;
	*out = s;
	return 0;
}

static void note_columns(const struct model *m, const json_t *values, struct sweep_table *t)
{
	for (const struct model_output *o = m->adapter->outputs; o->key; o++) {
		size_t i = 0;

		if (!json_is_number(json_object_get(values, o->key)))
			continue;
		while (i < t->n_columns && t->columns[i] != o)
			i++;
		if (i == t->n_columns && i < OUTPUTS_MAX)
			t->columns[t->n_columns++] = o;
	}
}

static int add_row(struct model_args *in, const struct model_sweep *s, double at,
		   struct sweep_table *t, struct err *err)
{
	struct model_results r;
	struct err why;
	json_t *row = json_object();
	int ret = 0;

	if (s->key) {
		model_args_set(in, s->index, at);
		ret = json_object_set_new(row, s->key, model_results_number(at));
	}
	if (model_evaluate(in, &r, &why)) {
		if (!*t->first_failure && s->key)
			snprintf(t->first_failure, sizeof(t->first_failure), "%s=%g: %s", s->key,
				 at, why.text);
		else if (!s->key)
			snprintf(t->first_failure, sizeof(t->first_failure), "%s", why.text);
	} else {
		note_columns(in->model, r.values, t);
		ret |= json_object_set(row, "results", r.values);
		model_results_release(&r);
	}
	if (ret || json_array_append(t->rows, row))
		ret = err_set(err, "out of memory for %zu rows", s->n);
	json_decref(row);
	return ret;
}

static int print_text(const struct model_args *in, const struct model_sweep *s,
		      const struct sweep_table *t, const struct style *style, struct err *err)
{
	struct column heads[OUTPUTS_MAX + 1] = {{s->key, COLUMN_RIGHT}};
	struct columns *c;
	const json_t *row;
	size_t i;
	int ret;

	for (i = 0; i < t->n_columns; i++)
		heads[i + 1] = (struct column){t->columns[i]->key, COLUMN_RIGHT};
	c = columns_new(style, t->n_columns + 1, heads);
	if (!c)
		return err_set(err, "out of memory for a table");
	model_print_title(in->model, style);
	json_array_foreach(t->rows, i, row) {
		const json_t *results = json_object_get(row, "results");

		columns_add(c);
		columns_put(c, INK_PLAIN, model_print_number(json_object_get(row, s->key)).text);
		for (size_t k = 0; k < t->n_columns; k++)
			columns_put(c, INK_PLAIN,
				    model_print_number(json_object_get(results, t->columns[k]->key))
					    .text);
	}
	ret = columns_print(c, stdout, err);
	columns_free(c);
	return ret;
}

static void put_csv_number(FILE *out, const json_t *number)
{
	if (json_is_number(number))
		fprintf(out, "%.15g", json_number_value(number));
}

static int write_csv(const char *path, const struct model_sweep *s, const struct sweep_table *t,
		     struct err *err)
{
	FILE *out = strcmp(path, "-") ? fopen(path, "w") : stdout;
	const json_t *row;
	size_t i;
	int failed;

	if (!out)
		return err_set(err, "%s: %s", path, strerror(errno));
	if (s->key)
		fputs(s->key, out);
	for (i = 0; i < t->n_columns; i++)
		fprintf(out, "%s%s", i || s->key ? "," : "", t->columns[i]->key);
	fputc('\n', out);
	json_array_foreach(t->rows, i, row) {
		const json_t *results = json_object_get(row, "results");

		if (s->key)
			put_csv_number(out, json_object_get(row, s->key));
		for (size_t k = 0; k < t->n_columns; k++) {
			if (k || s->key)
				fputc(',', out);
			put_csv_number(out, json_object_get(results, t->columns[k]->key));
		}
		fputc('\n', out);
	}
	failed = fflush(out) || ferror(out);
	if (out != stdout)
		failed |= fclose(out);
	return failed ? err_set(err, "%s: cannot write: %s", path, strerror(errno)) : 0;
}

static int print_json(struct model_args *in, const struct model_sweep *s,
		      const struct sweep_table *t, struct err *err)
{
	json_t *inputs;
	json_t *d;
	int ret;

	in->values[s->index].origin = VALUE_NONE;
	inputs = model_args_json(in);
	d = json_pack("{s:s, s:o, s:s, s:O}", "model", in->model->name, "inputs", inputs, "sweep",
		      s->key, "rows", t->rows);
	ret = d ? json_dumpf(d, stdout, JSON_INDENT(1) | JSON_REAL_PRECISION(15)) : -1;
	json_decref(d);
	if (ret)
		return err_set(err, "cannot write the results of %s", in->model->name);
	putchar('\n');
	return 0;
}

int model_sweep_run(struct model_args *in, const struct model_sweep *s, const struct style *style,
		    struct err *err)
{
	struct sweep_table t = {.rows = json_array()};
	const char *csv = option_text(OPTION_CSV);
	int ret = t.rows ? 0 : err_set(err, "out of memory");

	for (size_t i = 0; i < s->n && !ret; i++)
		ret = add_row(in, s, s->from + (double)i * s->step, &t, err);
	if (!ret && !t.n_columns)
		ret = *t.first_failure ? err_set(err, "%.511s", t.first_failure)
				       : err_set(err, "%s has no single number for a table",
						 in->model->name);
	if (!ret && csv)
		ret = write_csv(csv, s, &t, err);
	if (!ret && s->key && option_is_on(OPTION_JSON))
		ret = print_json(in, s, &t, err);
	else if (!ret && s->key && !(csv && !strcmp(csv, "-")))
		ret = print_text(in, s, &t, style, err);
	if (!ret && *t.first_failure)
		fprintf(stderr, "contend: rows left empty: %s\n", t.first_failure);
	json_decref(t.rows);
	return ret;
}
