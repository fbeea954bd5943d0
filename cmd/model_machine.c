/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmd/model_machine.h"

#include "analyze/machine.h"
#include "cmd/model_json.h"
#include "models/plogp.h"

#include <string.h>

#define MACHINE_SCHEMA "contend-machine/1"

/* What LogGP and Hockney say of the network's pLogP table; NULL on failure. */
static json_t *from_classes(const char *path, struct err *err)
{
	struct machine m;
	json_t *all;

	if (machine_load(path, &m, err))
		return NULL;

	const struct machine_class *c = &m.classes[LOCALITY_NETWORK];
	struct loggp p =
		c->n ? plogp_to_loggp((struct plogp){c->L_s, c->n, c->points}) : (struct loggp){0};

	all = !c->n ? json_object()
		    : json_pack("{s:s, s:f, s:f, s:f, s:f, s:f, s:f}", "unit", "s", "L", p.L_s, "o",
				p.o_s, "g", p.g_s, "G", p.G_s_per_byte, "alpha", loggp_time(p, 1),
				"beta", p.G_s_per_byte);
	machine_release(&m);
	if (!all)
		err_set(err, "%s: out of memory", path);
	return all;
}

int model_machine_defaults(const char *path, struct model_args *in, struct err *err)
{
	json_t *root = model_json_load(path, err);
	json_t *classes = NULL;
	const json_t *model;
	const char *schema;
	const char *unit;
	int ret = -1;

	if (!root)
		return -1;
	schema = json_string_value(json_object_get(root, "schema"));
	if (!schema || strcmp(schema, MACHINE_SCHEMA)) {
		err_set(err, "%s: \"schema\" is %s, need \"" MACHINE_SCHEMA "\"", path,
			schema ? schema : "missing");
		goto out;
	}
	model = json_object_get(root, "model");
	if (model && !json_is_object(model)) {
		err_set(err, "%s: \"model\" is not an object", path);
		goto out;
	}
	unit = json_string_value(json_object_get(model, "unit"));
	if (!model || (json_object_get(root, "classes") && (!unit || !strcmp(unit, "s")))) {
		classes = from_classes(path, err);
		if (!classes)
			goto out;
	}
	ret = model_args_machine(in, model, path, err);
	if (!ret)
		ret = model_args_machine(in, classes, path, err);
out:
	json_decref(classes);
	json_decref(root);
	return ret;
}
