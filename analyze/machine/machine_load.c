/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The machine file, "contend-machine/1", to struct machine. */
#include "analyze/machine/machine.h"
#include "analyze/machine/machine_file.h"
#include "analyze/machine/machine_fit.h"
#include "analyze/machine/machine_ranges.h"
#include "common/machine_schema.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

/*
 * The file may tell ranks of one node apart by what they share; a trace does not say who shares
 * what, so the widest that was measured stands for all.
 */
static const char *const class_names[LOCALITY_COUNT][3] = {
	[LOCALITY_NODE] = {"node", "socket", "cache"},
	[LOCALITY_NETWORK] = {"network"},
};

/* Where in the file we are, for the messages. */
struct place {
	const char *path;
	const char *class;
};

/*
 * A number >= 0 of an object; a missing one is *x as it stands when optional. null is a time
 * that calibration could not tell from 0: it counts as that.
 */
static int take_number(const json_t *o, const char *key, double *x, struct place at,
		       struct err *err)
{
	const json_t *v = json_object_get(o, key);

	if (!v && *x >= 0)
		return 0;
	if (!v)
		return err_set(err, "%s: %s: \"%s\" is missing", at.path, at.class, key);
	if (json_is_null(v)) {
		*x = 0;
		return 0;
	}
	if (!json_is_number(v))
		return err_set(err, "%s: %s: \"%s\" is not a number", at.path, at.class, key);
	if (json_number_value(v) < 0)
		return err_set(err, "%s: %s: \"%s\" is %g, must not be negative", at.path, at.class,
			       key, json_number_value(v));
	*x = json_number_value(v);
	return 0;
}

/*
 * Without L the gaps alone are no message's time: of small ones they may be longer. L + g(m), as
 * round trips tell it, is; nothing of it is known to be L. Returns whether all points have it.
 */
static int take_sums(const json_t *list, struct machine_class *c)
{
	const json_t *o;
	size_t i;

	json_array_foreach((json_t *)list, i, o)
		if (json_number_value(json_object_get(o, "L_g_s")) <= 0)
			return 0;
	for (i = 0; i < c->n; i++)
		c->points[i].g_s =
			json_number_value(json_object_get(json_array_get(list, i), "L_g_s"));
	return 1;
}

/* What there is no number for, and is taken as 0. */
static void count_zeros(const json_t *class, struct machine_class *c)
{
	const json_t *list = json_object_get(class, "points"), *o;
	size_t i;

	c->zeros.L = json_is_null(json_object_get(class, "L_s"));
	json_array_foreach((json_t *)list, i, o) {
		c->zeros.o_s += json_is_null(json_object_get(o, "o_s_s"));
		c->zeros.o_r += json_is_null(json_object_get(o, "o_r_s"));
		c->zeros.g += json_is_null(json_object_get(o, "g_s"));
	}
	if (c->zeros.L && take_sums(list, c)) {
		c->joint |= MACHINE_JOINT_SUM;
		c->zeros.L = c->zeros.g = 0;
	}
}

static int take_points(const json_t *list, struct machine_class *c, struct place at,
		       struct err *err)
{
	size_t n = json_array_size(list);

	if (n == 0)
		return err_set(err, "%s: %s: \"points\" has no point", at.path, at.class);
	c->points = calloc(n, sizeof(*c->points));
	if (!c->points)
		return err_set(err, "%s: out of memory for %zu points", at.path, n);
	for (size_t i = 0; i < n; i++) {
		const json_t *o = json_array_get(list, i);
		struct plogp_point *p = &c->points[i];

		p->bytes = p->o_s_s = p->o_r_s = p->g_s = -1; /* all required */
		if (take_number(o, "bytes", &p->bytes, at, err) ||
		    take_number(o, "o_s_s", &p->o_s_s, at, err) ||
		    take_number(o, "o_r_s", &p->o_r_s, at, err) ||
		    take_number(o, "g_s", &p->g_s, at, err))
			return -1;
		if (i > 0 && p->bytes <= p[-1].bytes)
			return err_set(err,
				       "%s: %s: point %zu (%g bytes) is not above the one before",
				       at.path, at.class, i, p->bytes);
	}
	c->n = n;
	return 0;
}

/* Had the ranks that measured this way much less than a core? A file without it: no. */
static int is_busy(const json_t *way)
{
	const json_t *share = json_object_get(way, "core_share");

	return json_is_number(share) && json_number_value(share) < MACHINE_CORE_ENOUGH;
}

/*
 * The more of its two ways', while both sides computed; NAN: the file says nothing. A message that
 * took longer than alone, below 0, has not moved.
 */
static struct machine_progress progress_of(const json_t *class)
{
	static const char *const way[] = {"there", "back"};
	double most = NAN;

	for (int k = 0; k < 2; k++) {
		const json_t *share =
			json_object_get(json_object_get(class, way[k]), "asynchronous_progress");

		if (json_is_number(share))
			most = fmax(most, fmax(0, json_number_value(share)));
	}
	return (struct machine_progress){most, most};
}

static int take_class(const json_t *o, enum locality where, struct machine_class *c,
		      struct place at, struct err *err)
{
	int assumed = json_is_null(json_object_get(o, "eager_bytes"));
	double eager = -1, samples = 0, uncertainty = 0.05;

	if (!json_is_object(o))
		return err_set(err, "%s: class %s is not an object", at.path, at.class);
	c->L_s = -1;
	c->has_handshake = !!json_object_get(o, "handshake_s");
	if (take_number(o, "L_s", &c->L_s, at, err) ||
	    take_number(o, "L_s_per_byte", &c->L_s_per_byte, at, err) ||
	    take_number(o, "handshake_s", &c->handshake_s, at, err) ||
	    take_number(o, "uncertainty", &uncertainty, at, err) ||
	    take_number(o, "eager_bytes", &eager, at, err) ||
	    take_number(o, "samples", &samples, at, err))
		return -1;
	c->uncertainty = uncertainty;
	c->progress = progress_of(o);
	c->side_by_side = json_is_true(json_object_get(o, "side_by_side"));
	c->eager_bytes = assumed        ? machine_eager_default(where)
			 : eager < 9e18 ? (uint64_t)eager
					: INT64_MAX;
	c->eager_assumed = assumed;
	c->open_upto = assumed ? UINT64_MAX : 0;
	c->samples = samples < UINT32_MAX ? (uint32_t)samples : UINT32_MAX;
	if (take_points(json_object_get(o, "points"), c, at, err) ||
	    machine_credits_take(o, at.path, c, err))
		return -1;
	count_zeros(o, c);
	return machine_ranges_take(json_object_get(o, "points"), at.path, c, err);
}

static int take_regime(const json_t *o, struct machine_signature *r, struct place at,
		       struct err *err)
{
	r->from_bytes = r->to_bytes = r->signature.gamma = -1; /* all required */
	r->signature.delta = r->signature.M = -1;
	return take_number(o, "from_bytes", &r->from_bytes, at, err) ||
			       take_number(o, "to_bytes", &r->to_bytes, at, err) ||
			       take_number(o, "gamma", &r->signature.gamma, at, err) ||
			       take_number(o, "delta_s", &r->signature.delta, at, err) ||
			       take_number(o, "M_bytes", &r->signature.M, at, err) ||
			       take_number(o, "n_low", &r->n_low, at, err) ||
			       take_number(o, "n_high", &r->n_high, at, err)
		       ? -1
		       : 0;
}

static int take_signatures(const json_t *o, const char *path, struct machine *m, struct err *err)
{
	const json_t *regimes = json_object_get(o, "regimes"), *regime;
	const struct place at = {path, "signature"};
	struct hockney link = {-1, -1};
	size_t i;

	if (!json_array_size(regimes))
		return 0;
	if (take_number(o, "alpha_s", &link.alpha_s, at, err) ||
	    take_number(o, "beta_s_per_byte", &link.beta_s_per_byte, at, err))
		return -1;
	m->signatures = calloc(json_array_size(regimes), sizeof(*m->signatures));
	if (!m->signatures)
		return err_set(err, "%s: out of memory", path);
	json_array_foreach((json_t *)regimes, i, regime) {
		if (take_regime(regime, &m->signatures[i], at, err))
			return -1;
		m->signatures[i].signature.link = link;
		m->n_signatures++;
	}
	return 0;
}

/* The rate of a node, if that is what was measured: pairs of ranks of two nodes. */
static int take_rate(const json_t *o, const char *path, struct machine *m, struct err *err)
{
	const json_t *rate = json_object_get(o, "max_rate");
	const struct place at = {path, "max_rate"};

	if (!json_is_object(rate) || !json_is_true(json_object_get(o, "off_node")))
		return 0;
	if (json_is_true(json_object_get(o, "crowded"))) {
		m->has_rate = -1;
		return 0;
	}
	m->rate = (struct max_rate){-1, -1, -1, -1};
	m->has_rate = 1;
	return take_number(rate, "alpha_s", &m->rate.alpha, at, err) ||
			       take_number(rate, "R_N", &m->rate.R_N, at, err) ||
			       take_number(rate, "R_C", &m->rate.R_C, at, err) ||
			       take_number(rate, "R_i", &m->rate.R_i, at, err)
		       ? -1
		       : 0;
}

/* The file's conditions, as one sentence; more ranks than cores is one. */
static int take_caveats(const json_t *conditions, const char *path, struct machine *m,
			struct err *err)
{
	const json_t *condition;
	char *before;
	size_t i;
	int bad;

	if (conditions && !json_is_array(conditions))
		return err_set(err, "%s: \"conditions\" is not a list", path);
	json_array_foreach((json_t *)conditions, i, condition) {
		if (!json_is_string(condition))
			return err_set(err, "%s: a condition is not a text", path);
		before = m->caveats;
		bad = asprintf(&m->caveats, "%s%s%s", before ? before : "", before ? "; " : "",
			       json_string_value(condition)) < 0;
		if (bad)
			m->caveats = NULL;
		free(before);
		if (bad)
			return err_set(err, "%s: out of memory", path);
	}
	return 0;
}

static int take_machine(const json_t *root, const char *path, struct machine *m, struct err *err)
{
	const char *name = json_string_value(json_object_get(root, "name"));
	const json_t *classes = json_object_get(root, "classes");
	int found = 0;

	for (int k = 0; k < LOCALITY_COUNT; k++) {
		const json_t *o = NULL;
		int i;

		for (i = 0; i < 3 && class_names[k][i]; i++)
			if ((o = json_object_get(classes, class_names[k][i])))
				break;
		if (!o)
			continue;
		if (take_class(o, k, &m->classes[k], (struct place){path, class_names[k][i]}, err))
			return -1;
		m->busy |=
			is_busy(json_object_get(o, "there")) || is_busy(json_object_get(o, "back"));
		found++;
	}
	if (!found && json_object_get(root, "model"))
		return err_set(
			err,
			"%s: has inputs for contend model, and no machine that was measured: "
			"contend calibrate writes such",
			path);
	if (!found)
		return err_set(err, "%s: \"classes\" has neither \"node\" nor \"network\"", path);
	if (take_signatures(json_object_get(json_object_get(root, "contention"), "signature"), path,
			    m, err) ||
	    take_rate(json_object_get(json_object_get(root, "contention"), "rates"), path, m,
		      err) ||
	    machine_topology_take(json_object_get(root, "topology"), path, &m->topology, err) ||
	    take_caveats(json_object_get(root, "conditions"), path, m, err))
		return -1;
	m->source = MACHINE_FILE;
	m->name = strdup(name ? name : path);
	m->path = strdup(path);
	return m->name && m->path ? 0 : err_set(err, "%s: out of memory", path);
}

int machine_load(const char *path, struct machine *out, struct err *err)
{
	struct machine m = {0};
	json_t *root = machine_file_read(path, err);
	int ret;

	if (!root)
		return -1;
	ret = take_machine(root, path, &m, err);
	json_decref(root);
	if (ret)
		machine_release(&m);
	else
		*out = m;
	return ret;
}
