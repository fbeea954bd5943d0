/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmd/model/model_machine.h"

#include "analyze/machine/machine.h"
#include "analyze/machine/machine_file.h"
#include "analyze/run/mistaken.h"
#include "cmd/model/model_json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* From far to near: what is between the ends is most of all a network, then what comes next. */
static const char *const class_names[] = {"network", "node", "socket", "cache"};

static const char *farthest(const json_t *classes)
{
	for (size_t i = 0; i < sizeof(class_names) / sizeof(class_names[0]); i++)
		if (json_object_get(classes, class_names[i]))
			return class_names[i];
	return NULL;
}

static const struct machine_class *farthest_points(const struct machine *m)
{
	return &m->classes[m->classes[LOCALITY_NETWORK].n ? LOCALITY_NETWORK : LOCALITY_NODE];
}

/* Is what = "g", bytes = 1 among the names that calibrate could not tell from 0, "g(1)"? */
static int is_unidentified(const json_t *class, const char *what, double bytes)
{
	const json_t *name;
	char text[64];
	size_t i;

	snprintf(text, sizeof(text), "%s(%.0f)", what, bytes);
	json_array_foreach(json_object_get(json_object_get(class, "there"), "unidentified"), i,
			   name)
		if (json_is_string(name) && (!strcmp(json_string_value(name), text) ||
					     !strcmp(json_string_value(name), what)))
			return 1;
	return 0;
}

static double bytes_at(const json_t *points, size_t i)
{
	return json_number_value(json_object_get(json_array_get(points, i), "bytes"));
}

/* A time is above 0; what is not, or was not told from 0, is null: no value for a model. */
static json_t *identified(double value, int unidentified)
{
	return value > 0 && !unidentified ? json_real(value) : json_null();
}

/* What calibrate derived for LogGP and Hockney; where it did not, it is of the points. */
static json_t *of_models(const json_t *class, struct loggp p, double alpha_s)
{
	const json_t *points = json_object_get(class, "points");
	const json_t *derived = json_object_get(class, "derived");
	const json_t *link = json_object_get(derived, "hockney");
	size_t n = json_array_size(points);
	double one = bytes_at(points, n > 1), last = bytes_at(points, n - 1);
	int no_o = is_unidentified(class, "o_s", one) || is_unidentified(class, "o_r", one);
	int no_G = is_unidentified(class, "g", last) || is_unidentified(class, "G", 0);
	int no_L = is_unidentified(class, "L", 0) || is_unidentified(class, "LogGP L", 0);
	double beta = p.G_s_per_byte;

	json_unpack(json_object_get((json_t *)derived, "loggp"), "{s?F, s?F, s?F, s?F}", "L_s",
		    &p.L_s, "o_s", &p.o_s, "g_s", &p.g_s, "G_s_per_byte", &p.G_s_per_byte);
	json_unpack((json_t *)link, "{s?F, s?F}", "alpha_s", &alpha_s, "beta_s_per_byte", &beta);
	return json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "unit", "s", "L",
			 identified(p.L_s, no_L), "o", identified(p.o_s, no_o), "g",
			 identified(p.g_s, is_unidentified(class, "g", one)), "G",
			 identified(p.G_s_per_byte, no_G), "alpha", identified(alpha_s, 0), "beta",
			 identified(beta, no_G), "S_l", identified(p.L_s, no_L), "S_o",
			 identified(p.o_s, no_o));
}

/* What LogGP, LoPC, pLogP and Hockney say of the farthest class; NULL on failure. */
static json_t *from_classes(const char *path, const json_t *classes, struct model_args *in,
			    struct err *err)
{
	const char *name = farthest(classes);
	const struct machine_class *c;
	struct machine m;
	struct loggp p;
	json_t *all;

	if (machine_load(path, &m, err))
		return NULL;
	c = farthest_points(&m);
	p = plogp_to_loggp((struct plogp){c->L_s, c->n, c->points});
	all = of_models(json_object_get(classes, name), p, loggp_time(p, 1));
	if (json_object_set_new(all, "plogp",
				json_pack("{s:s, s:o}", "file", path, "L",
					  identified(c->L_s, 0)))) {
		json_decref(all);
		all = NULL;
	}
	machine_release(&m);
	if (!all)
		err_set(err, "%s: out of memory", path);
	snprintf(in->machine_class, sizeof(in->machine_class), "%s", name);
	return all;
}

int model_machine_points(const char *path, size_t *n, struct plogp_point **out, struct err *err)
{
	const struct machine_class *c;
	struct machine m;

	if (machine_load(path, &m, err))
		return -1;
	c = farthest_points(&m);
	*n = c->n;
	*out = calloc(c->n, sizeof(**out));
	if (*out)
		memcpy(*out, c->points, c->n * sizeof(**out));
	machine_release(&m);
	return *out ? 0 : err_set(err, "%s: out of memory", path);
}

/* Why there is no signature at all. */
static const char *why_none(const json_t *root)
{
	const json_t *signature = json_object_get(json_object_get(root, "contention"), "signature");
	const json_t *why = json_object_get(root, "contention_why_not");

	if (json_is_object(signature))
		why = json_object_get(signature, "why_not");
	return json_is_string(why) ? json_string_value(why) : "all ranks at once were not measured";
}

/*
 * Of a signature's range of sizes, what the model asks for; NULL with *err set when it tells none.
 */
static json_t *from_range(const char *path, const struct machine *m, const json_t *contention,
			  double bytes, struct err *err)
{
	const json_t *regimes =
		json_object_get(json_object_get(contention, "signature"), "regimes");
	int crowded =
		json_is_true(json_object_get(json_object_get(contention, "rates"), "crowded"));
	const struct machine_signature *all = m->signatures, *s = machine_signature(m, bytes);
	const struct signature *x = s ? &s->signature : NULL;
	double half = 0;

	if (s)
		json_unpack(json_array_get(regimes, (size_t)(s - all)), "{s?F}", "half_gamma",
			    &half);
	if (!s)
		err_set(err,
			"%s has no gamma for m=%.15g: its signature is of sizes from %.15g to "
			"%.15g bytes, "
			"and of others it is not known whether ranks saturate the network; give "
			"gamma=NUMBER",
			path, bytes, all->from_bytes, all->to_bytes);
	else if (s == all && m->n_signatures > 1)
		err_set(err,
			"%s has no gamma for m=%.15g: it is in none of the ranges of sizes that a "
			"signature serves (\"regimes\"), ranks may not saturate the network with "
			"it; the one of all sizes, which fits badly, is gamma=%g delta=%g M=%g",
			path, bytes, x->gamma, x->delta, x->M);
	else if (m->busy || crowded)
		err_set(err,
			"%s was measured %s: what it has for m=%.15g, gamma=%g delta=%g M=%g, is "
			"of "
			"waits for cores; calibrate an idle machine again, or give gamma=NUMBER",
			path,
			m->busy ? "on a busy machine (\"core_share\")"
				: "by more ranks than cores (\"crowded\")",
			bytes, x->gamma, x->delta, x->M);
	else if (x->gamma <= half)
		err_set(err,
			"%s has for m=%.15g a gamma of %g +- %g, which cannot be told from 0: "
			"calibrate "
			"an idle machine again, or give gamma=NUMBER",
			path, bytes, x->gamma, half);
	else
		return json_pack("{s:s, s:f, s:f, s:f, s:f, s:f}", "unit", "s", "alpha",
				 x->link.alpha_s, "beta", x->link.beta_s_per_byte, "gamma",
				 x->gamma, "delta", x->delta, "M", x->M);
	return NULL;
}

/* Gamma, delta and M for the size, where nobody gave a gamma. Returns 0, or -1 with *err set. */
static int take_signature(const char *path, const json_t *root, struct model_args *in,
			  struct err *err)
{
	int gamma = model_args_index(in->model, "gamma"), m = model_args_index(in->model, "m");
	struct machine machine;
	json_t *range = NULL;
	int ret = -1;

	if (strcmp(in->model->name, "signature") != 0 || in->values[gamma].origin != VALUE_NONE)
		return 0;
	if (in->values[m].origin == VALUE_NONE)
		return err_set(err,
			       "%s has a signature for each range of sizes: give m=BYTES, or for a "
			       "sweep of m gamma=NUMBER",
			       path);
	if (machine_load(path, &machine, err))
		return -1;
	if (machine.n_signatures)
		range = from_range(path, &machine, json_object_get(root, "contention"),
				   in->values[m].number, err);
	else
		err_set(err, "%s has no contention signature: %s; give gamma=NUMBER", path,
			why_none(root));
	if (range)
		ret = model_args_machine(in, range, path, err);
	json_decref(range);
	machine_release(&machine);
	return ret;
}

/* How many inputs the file has answered, be it that it has no number for them. */
static int count_asked(const struct model_args *in)
{
	int i, n = 0;

	for (i = 0; i < MODEL_INPUTS_MAX; i++)
		n += in->values[i].origin == VALUE_MACHINE || in->values[i].unidentified;
	return n;
}

int model_machine_defaults(const char *path, struct model_args *in, struct err *err)
{
	json_t *root = model_json_load(path, err);
	json_t *classes = NULL;
	const json_t *model;
	const char *unit;
	int ret = -1, before;

	if (!root || machine_file_check(root, path, err)) {
		mistaken_for(path, WANTED_MACHINE, err);
		goto out;
	}
	model = json_object_get(root, "model");
	if (model && !json_is_object(model)) {
		err_set(err, "%s: \"model\" is not an object", path);
		goto out;
	}
	unit = json_string_value(json_object_get(model, "unit"));
	if (!model || (json_object_get(root, "classes") && (!unit || !strcmp(unit, "s")))) {
		classes = from_classes(path, json_object_get(root, "classes"), in, err);
		if (!classes)
			goto out;
	}
	ret = model_args_machine(in, model, path, err);
	if (!ret && classes)
		ret = take_signature(path, root, in, err);
	before = count_asked(in);
	if (!ret)
		ret = model_args_machine(in, classes, path, err);
	if (count_asked(in) == before) /* nothing is of a class */
		*in->machine_class = '\0';
out:
	json_decref(classes);
	json_decref(root);
	return ret;
}
