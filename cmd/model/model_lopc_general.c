/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * LoPC for any pattern of requests. The file:
 *	{"W": [numbers; null: only serves], "S_o": number or [numbers], "S_l": number,
 *	 "C2": number, "protocol_processor": true or false,
 *	 "V": [[row], ...] or [[from, to, visits], ...] or {"triplets": [[from, to, visits], ...]}}
 * A V of as many rows and columns as nodes is taken as dense.
 */
#include "cmd/model/model.h"
#include "cmd/model/model_json.h"
#include "models/lopc_general.h"

#include <math.h>
#include <stdlib.h>

static const struct model_input general_inputs[] = {
	{"file", MODEL_FILE, "JSON", MODEL_REQUIRED,
	 "W[], V (rows or [from, to, visits] triplets), S_o, S_l, C2"},
	{0},
};

static const struct model_output general_outputs[] = {
	{"R", "time", "each node's cycle; only of nodes that ask"},
	{"R_q", "time", "a request at each node"},
	{"R_y", "time", "the reply at each node"},
	{"U_q", "", "share of each node's time in request handlers"},
	{"U_y", "", "share of each node's time in reply handlers"},
	{"Q_q", "", "mean requests at each node"},
	{"Q_y", "", "mean replies at each node"},
	{"X", "1/time", "cycles of all nodes"},
	{0},
};

struct input {
	struct lopc_general m;
	size_t n;
	double *W, *S_o, *V, *out; /* out: seven results a node */
	size_t *start, *column;
};

static void input_release(struct input *x)
{
	free(x->W);
	free(x->S_o);
	free(x->V);
	free(x->out);
	free(x->start);
	free(x->column);
}

static int is_row_of(const json_t *row, size_t n)
{
	return json_is_array(row) && json_array_size(row) == n;
}

static int is_dense(const json_t *V, size_t n)
{
	size_t i;
	json_t *row;

	json_array_foreach(V, i, row)
		if (!is_row_of(row, n))
			return 0;
	return json_array_size(V) == n;
}

static int load_nodes(struct input *x, const json_t *o, struct err *err)
{
	const json_t *W = json_object_get(o, "W"), *S = json_object_get(o, "S_o");

	x->n = json_array_size(W);
	if (x->n < 2)
		return err_set(err, "W must be an array of at least 2 numbers");
	x->W = calloc(x->n, sizeof(double));
	x->S_o = calloc(x->n, sizeof(double));
	x->out = calloc(x->n, 7 * sizeof(double));
	if (!x->W || !x->S_o || !x->out)
		return err_set(err, "out of memory for %zu nodes", x->n);
	for (size_t i = 0; i < x->n; i++) {
		const json_t *w = json_array_get(W, i);
		const json_t *s = json_is_array(S) ? json_array_get(S, i) : S;

		if (!json_is_number(w) && !json_is_null(w))
			return err_set(err, "W[%zu] is no number", i);
		if (!json_is_number(s))
			return err_set(err, "there is no S_o of node %zu", i);
		x->W[i] = json_is_null(w) ? INFINITY : json_number_value(w);
		x->S_o[i] = json_number_value(s);
	}
	return 0;
}

static int load_dense(struct input *x, const json_t *V, struct err *err)
{
	x->V = calloc(x->n, x->n * sizeof(double));
	if (!x->V)
		return err_set(err, "out of memory for V of %zu nodes", x->n);
	for (size_t i = 0; i < x->n * x->n; i++) {
		const json_t *v = json_array_get(json_array_get(V, i / x->n), i % x->n);

		if (!json_is_number(v))
			return err_set(err, "V[%zu][%zu] is no number", i / x->n, i % x->n);
		x->V[i] = json_number_value(v);
	}
	x->m.V.value = x->V;
	return 0;
}

/* One triplet; its row in *from and column in *to. */
static int triplet(const struct input *x, const json_t *t, size_t *from, size_t *to, double *v,
		   struct err *err)
{
	json_int_t i = json_integer_value(json_array_get(t, 0));
	json_int_t k = json_integer_value(json_array_get(t, 1));

	if (!is_row_of(t, 3) || !json_is_integer(json_array_get(t, 0)) ||
	    !json_is_integer(json_array_get(t, 1)) || !json_is_number(json_array_get(t, 2)))
		return err_set(err, "V is neither %zu rows of %zu numbers nor triplets", x->n,
			       x->n);
	if (i < 0 || k < 0 || (size_t)i >= x->n || (size_t)k >= x->n)
		return err_set(err, "V has visits from %lld to %lld, but %zu nodes", (long long)i,
			       (long long)k, x->n);
	*from = i;
	*to = k;
	*v = json_number_value(json_array_get(t, 2));
	return 0;
}

/* Triplets into rows: count, then fill, each row's end moving up to the next one's start. */
static int load_sparse(struct input *x, const json_t *V, struct err *err)
{
	size_t n = json_array_size(V), i, from, to;
	const json_t *t;
	double v;

	x->V = calloc(n + 1, sizeof(double));
	x->column = calloc(n + 1, sizeof(size_t));
	x->start = calloc(x->n + 2, sizeof(size_t));
	if (!x->V || !x->column || !x->start)
		return err_set(err, "out of memory for V of %zu visits", n);
	json_array_foreach(V, i, t) {
		if (triplet(x, t, &from, &to, &v, err))
			return -1;
		x->start[from + 2]++;
	}
	for (i = 0; i < x->n; i++)
		x->start[i + 2] += x->start[i + 1];
	json_array_foreach(V, i, t) {
		if (triplet(x, t, &from, &to, &v, err))
			return -1;
		x->column[x->start[from + 1]] = to;
		x->V[x->start[from + 1]++] = v;
	}
	x->m.V = (struct lopc_visits){x->V, x->start, x->column};
	return 0;
}

static int load(struct input *x, const json_t *o, struct err *err)
{
	const json_t *V = json_object_get(o, "V");

	x->m.S_l = 0;
	if (load_nodes(x, o, err) || model_json_number(o, "S_l", &x->m.S_l, err) ||
	    model_json_number(o, "C2", &x->m.C2, err))
		return -1;
	x->m.nodes = x->n;
	x->m.W = x->W;
	x->m.S_o = x->S_o;
	x->m.handlers = json_is_true(json_object_get(o, "protocol_processor"))
				? LOPC_PROTOCOL_PROCESSOR
				: LOPC_INTERRUPT_WORK;
	if (json_is_object(V))
		return load_sparse(x, json_object_get(V, "triplets"), err);
	if (!json_is_array(V))
		return err_set(err, "there is no V: an array of rows, or of triplets");
	return is_dense(V, x->n) ? load_dense(x, V, err) : load_sparse(x, V, err);
}

static void put_all(struct input *x, const struct lopc_general_result *r, struct model_results *out)
{
	size_t asking = 0;

	for (size_t i = 0; i < x->n; i++)
		asking += isfinite(x->W[i]);
	model_put(out, "X", r->X);
	if (asking == x->n)
		model_put_array(out, "R", x->n, r->R);
	else
		model_note(out, "R is left out: %zu of %zu nodes never ask.", x->n - asking, x->n);
	model_put_array(out, "R_q", x->n, r->R_q);
	model_put_array(out, "R_y", x->n, r->R_y);
	model_put_array(out, "U_q", x->n, r->U_q);
	model_put_array(out, "U_y", x->n, r->U_y);
	model_put_array(out, "Q_q", x->n, r->Q_q);
	model_put_array(out, "Q_y", x->n, r->Q_y);
	model_step(out, "evaluations of (19) to (28)", r->rounds, "appendix A");
}

static int evaluate_general(const struct model_args *in, struct model_results *out, struct err *err)
{
	const char *path = model_word(in, "file");
	struct input x = {.n = 0};
	struct lopc_general_result r;
	struct err why;
	json_t *o;
	int ret = -1;

	o = model_json_load(path, err);
	if (!o)
		return -1;
	if (load(&x, o, &why)) {
		err_set(err, "%s: %.400s", path, why.text);
		goto out;
	}
	r = (struct lopc_general_result){.R = x.out,
					 .R_q = x.out + x.n,
					 .R_y = x.out + 2 * x.n,
					 .U_q = x.out + 3 * x.n,
					 .U_y = x.out + 4 * x.n,
					 .Q_q = x.out + 5 * x.n,
					 .Q_y = x.out + 6 * x.n};
	if (lopc_general_solve(&x.m, &r, &why)) {
		err_set(err, "%s: %.400s", path, why.text);
		goto out;
	}
	put_all(&x, &r, out);
	ret = 0;
out:
	input_release(&x);
	json_decref(o);
	return ret;
}

const struct model_adapter model_lopc_general = {general_inputs, general_outputs, evaluate_general};
