/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Max-min fair sharing: links and flows from JSON. */
#include "cmd/model/model.h"
#include "cmd/model/model_json.h"
#include "models/maxmin.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The file as the module wants it. */
struct maxmin_case {
	struct maxmin_links links;
	double *capacity;
	const char **names; /* of the links, borrowed from the file */
	size_t n;
	struct maxmin_flow *flows;
	size_t **crossed; /* links of each flow */
	struct maxmin_rate *rates;
};

static const struct model_input maxmin_inputs[] = {
	{"file", MODEL_FILE, "JSON", MODEL_REQUIRED,
	 "{\"links\": {name: capacity}, \"flows\": [{\"links\": [name], \"cap\" or \"window\" and "
	 "\"rtt\"}]}"},
	{0},
};

static const struct model_output maxmin_outputs[] = {
	{"rates", "bytes/time", "of the flows, in the order of the file"},
	{"bottlenecks", "", "the link that stopped each, counted from 0; -1: its own cap"},
	{"loads", "bytes/time", "of the links, in the order of the file"},
	{"total", "bytes/time", "all flows together"},
	{0},
};

static void release(struct maxmin_case *c)
{
	for (size_t f = 0; c->crossed && f < c->n; f++)
		free(c->crossed[f]);
	free(c->crossed);
	free(c->flows);
	free(c->rates);
	free(c->capacity);
	free(c->names);
}

static int take_links(const json_t *links, struct maxmin_case *c, struct err *err)
{
	const char *name;
	const json_t *value;
	size_t n = json_object_size(links);

	if (!json_is_object(links))
		return err_set(err, "\"links\" is not an object {name: capacity}");
	c->capacity = calloc(n + 1, sizeof(*c->capacity));
	c->names = calloc(n + 1, sizeof(*c->names));
	if (!c->capacity || !c->names)
		return err_set(err, "out of memory for %zu links", n);
	json_object_foreach((json_t *)links, name, value) {
		if (!json_is_number(value))
			return err_set(err, "link \"%s\": the capacity is not a number", name);
		c->names[c->links.n] = name;
		c->capacity[c->links.n++] = json_number_value(value);
	}
	c->links.capacity = c->capacity;
	return 0;
}

static int take_crossed(const json_t *list, size_t f, struct maxmin_case *c, struct err *err)
{
	size_t n = json_array_size(list);

	if (!json_is_array(list))
		return err_set(err, "flow %zu: \"links\" is not a list of names", f);
	c->crossed[f] = calloc(n + 1, sizeof(**c->crossed));
	if (!c->crossed[f])
		return err_set(err, "out of memory for the links of flow %zu", f);
	for (size_t k = 0; k < n; k++) {
		const char *name = json_string_value(json_array_get(list, k));
		size_t l = 0;

		while (name && l < c->links.n && strcmp(c->names[l], name))
			l++;
		if (!name || l == c->links.n)
			return err_set(err, "flow %zu: no link \"%s\"", f, name ? name : "?");
		c->crossed[f][k] = l;
	}
	c->flows[f].n = n;
	c->flows[f].links = c->crossed[f];
	return 0;
}

/* "cap", or what "window" and "rtt" allow; the lesser when there are both. */
static int take_cap(const json_t *flow, double *out, struct err *err)
{
	double cap = INFINITY, window = INFINITY, rtt = NAN, allowed;

	if (model_json_number(flow, "cap", &cap, err) ||
	    model_json_number(flow, "window", &window, err))
		return -1;
	if (isfinite(window)) {
		if (model_json_number(flow, "rtt", &rtt, err) ||
		    maxmin_window_cap(window, rtt, &allowed, err))
			return -1;
		cap = fmin(cap, allowed);
	}
	*out = cap;
	return 0;
}

static int take_flows(const json_t *flows, struct maxmin_case *c, struct err *err)
{
	size_t n = json_array_size(flows);

	if (!json_is_array(flows))
		return err_set(err, "\"flows\" is not a list");
	c->flows = calloc(n + 1, sizeof(*c->flows));
	c->rates = calloc(n + 1, sizeof(*c->rates));
	c->crossed = calloc(n + 1, sizeof(*c->crossed));
	if (!c->flows || !c->rates || !c->crossed)
		return err_set(err, "out of memory for %zu flows", n);
	c->n = n;
	for (size_t f = 0; f < n; f++) {
		const json_t *flow = json_array_get(flows, f);
		struct err why;

		if (take_crossed(json_object_get(flow, "links"), f, c, err))
			return -1;
		if (take_cap(flow, &c->flows[f].cap, &why))
			return err_set(err, "flow %zu: %.400s", f, why.text);
	}
	return 0;
}

static int put(const struct maxmin_case *c, struct model_results *out, struct err *err)
{
	double *rates = calloc(c->n + 1, sizeof(*rates));
	double *bottlenecks = calloc(c->n + 1, sizeof(*bottlenecks));
	double *loads = calloc(c->links.n + 1, sizeof(*loads));
	double total;
	int ret = -1;

	if (!rates || !bottlenecks || !loads) {
		err_set(err, "out of memory for %zu flows", c->n);
		goto out;
	}
	total = maxmin_loads(c->links, c->n, c->flows, c->rates, loads);
	for (size_t f = 0; f < c->n; f++) {
		size_t by = c->rates[f].bottleneck;

		rates[f] = c->rates[f].rate;
		bottlenecks[f] = by == MAXMIN_OWN_CAP ? -1 : (double)by;
		model_step(out, by == MAXMIN_OWN_CAP ? "a flow reaches its cap" : c->names[by],
			   rates[f], "progressive filling");
	}
	model_put_array(out, "rates", c->n, rates);
	model_put_array(out, "bottlenecks", c->n, bottlenecks);
	model_put_array(out, "loads", c->links.n, loads);
	model_put(out, "total", total);
	ret = 0;
out:
	free(loads);
	free(bottlenecks);
	free(rates);
	return ret;
}

static int evaluate(const struct model_args *in, struct model_results *out, struct err *err)
{
	const char *path = model_word(in, "file");
	json_t *root = model_json_load(path, err);
	struct maxmin_case c = {0};
	struct err why;
	int ret;

	if (!root)
		return -1;
	ret = take_links(json_object_get(root, "links"), &c, &why) ||
	      take_flows(json_object_get(root, "flows"), &c, &why) ||
	      maxmin_share(c.links, c.n, c.flows, c.rates, &why) || put(&c, out, &why);
	if (ret)
		err_set(err, "%s: %.400s", path, why.text);
	release(&c);
	json_decref(root);
	return ret ? -1 : 0;
}

const struct model_adapter model_maxmin = {maxmin_inputs, maxmin_outputs, evaluate};
