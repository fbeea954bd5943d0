/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/machine/machine_topology.h"

#include <stdlib.h>
#include <string.h>

#include <jansson.h>

static int take_kind(const json_t *o, const char *path, struct topology *shape, struct err *err)
{
	const char *kind = json_string_value(json_object_get(o, "kind"));

	if (kind && !strcmp(kind, "mesh"))
		shape->kind = TOPOLOGY_MESH;
	else if (kind && !strcmp(kind, "torus"))
		shape->kind = TOPOLOGY_TORUS;
	else if (kind && !strcmp(kind, "tree"))
		shape->kind = TOPOLOGY_FAT_TREE;
	else
		return err_set(err, "%s: topology: \"kind\" is %s, need mesh, torus or tree", path,
			       kind ? kind : "missing");
	return 0;
}

/*
 * The model's first dimension of a grid varies fastest. Of a tree: leaves, hosts of each, up-links
 * of each, which are one as wide as all of them; which of them a message takes nobody says.
 */
static int take_sizes(const json_t *o, const char *path, struct machine_topology *out,
		      struct err *err)
{
	const json_t *list = json_object_get(o, "size");
	struct topology *shape = &out->shape;
	int is_tree = shape->kind == TOPOLOGY_FAT_TREE;
	size_t n = json_array_size(list);

	if (is_tree && n != 3)
		return err_set(err,
			       "%s: topology: \"size\" has %zu numbers, need the tree's leaves, "
			       "hosts of each and up-links of each",
			       path, n);
	if (n < 1 || n > TOPOLOGY_DIMENSIONS)
		return err_set(err, "%s: topology: \"size\" has %zu numbers, need 1 to %d", path, n,
			       TOPOLOGY_DIMENSIONS);
	for (size_t d = 0; d < n; d++) {
		json_int_t size = json_integer_value(json_array_get(list, d));

		if (size < 1)
			return err_set(err, "%s: topology: size %zu is not a number above 0", path,
				       d);
		shape->size[is_tree ? d : n - 1 - d] = (size_t)size;
	}
	shape->dimensions = n;
	if (is_tree) {
		out->width = (int64_t)shape->size[2];
		shape->size[2] = 1;
	}
	return 0;
}

static int take_hosts(const json_t *list, const char *path, size_t nodes,
		      struct machine_topology *out, struct err *err)
{
	size_t n = json_array_size(list);

	if (!list)
		return 0;
	if (n != nodes)
		return err_set(err, "%s: topology: %zu hosts for %zu nodes", path, n, nodes);
	out->hosts = calloc(n, sizeof(*out->hosts));
	if (!out->hosts)
		return err_set(err, "%s: out of memory for %zu hosts", path, n);
	for (size_t i = 0; i < n; i++) {
		const char *name = json_string_value(json_array_get(list, i));

		if (!name)
			return err_set(err, "%s: topology: host %zu is not a text", path, i);
		out->hosts[i] = strdup(name);
		if (!out->hosts[i])
			return err_set(err, "%s: out of memory for %zu hosts", path, n);
		out->n_hosts++;
	}
	return 0;
}

int machine_topology_take(const struct json_t *o, const char *path, struct machine_topology *out,
			  struct err *err)
{
	const json_t *channel = json_object_get(o, "channel_s_per_byte");
	struct machine_topology found = {.width = 1};
	size_t nodes, links;
	struct err why;

	*out = (struct machine_topology){.n_hosts = 0};
	if (!o)
		return 0;
	if (take_kind(o, path, &found.shape, err) || take_sizes(o, path, &found, err))
		return -1;
	if (topology_size(&found.shape, &nodes, &links, &why))
		return err_set(err, "%s: topology: %.120s", path, why.text);
	if (channel && !(json_number_value(channel) > 0))
		return err_set(err, "%s: topology: \"channel_s_per_byte\" is not a number above 0",
			       path);
	if (take_hosts(json_object_get(o, "hosts"), path, nodes, out, err))
		return -1;
	out->channel_s_per_byte = json_number_value(channel);
	out->width = found.width;
	out->shape = found.shape;
	return 0;
}

void machine_topology_release(struct machine_topology *m)
{
	for (size_t i = 0; i < m->n_hosts; i++)
		free(m->hosts[i]);
	free(m->hosts);
	*m = (struct machine_topology){.n_hosts = 0};
}

static int place_host(const struct machine_topology *m, const char *host, size_t *node,
		      struct err *err)
{
	for (*node = 0; *node < m->n_hosts; ++*node)
		if (host && !strcmp(m->hosts[*node], host))
			return 0;
	return err_set(err, "host %s is not in the machine file's topology", host ? host : "?");
}

int machine_topology_place(const struct machine_topology *m, const struct trace *t, size_t *node,
			   struct err *err)
{
	size_t nodes, links;

	if (topology_size(&m->shape, &nodes, &links, err))
		return -1;
	if (t->nodes > nodes)
		return err_set(err, "the machine file's topology has %zu nodes, the run %u hosts",
			       nodes, t->nodes);
	for (uint32_t r = 0; r < t->n_ranks; r++) {
		size_t at = t->ranks[r].node;

		if (t->ranks[r].absent)
			continue;
		if (m->n_hosts && place_host(m, t->ranks[r].host, &at, err))
			return -1;
		if (node)
			node[t->ranks[r].node] = at;
	}
	return 0;
}
