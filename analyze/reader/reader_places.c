/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/reader/reader_load.h"

#include "analyze/reader/regions.h"
#include "common/schema.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define PARENTS_MAX 64 /* a deeper system tree is a cycle */

/* The group that says which location is which rank; NULL when the archive has none. */
static const struct def_group *ranked_locations(const struct defs *d)
{
	size_t i;

	for (i = 0; i < d->n_groups; i++) {
		if (d->groups[i].type == OTF2_GROUP_TYPE_COMM_LOCATIONS && d->groups[i].n &&
		    !d->groups[i].is_untold)
			return &d->groups[i];
	}
	return NULL;
}

static struct def_process *process_of(const struct defs *d, const struct def_location *location)
{
	uint32_t i = idmap_find(&d->process_ids, location->process);

	return i == IDMAP_NONE ? NULL : &d->processes[i];
}

static void rank_location(struct defs *d, struct def_location *location, uint32_t rank)
{
	struct def_process *process = process_of(d, location);

	location->rank = rank;
	location->thread = 0;
	if (process && process->rank == TRACE_NONE) {
		process->rank = rank;
		process->threads = 1;
	}
}

/*
 * Rank = position in the MPI locations group; without one, position of the process
 * among those with a location. Other locations of a process are its threads 1, 2, ...
 */
static uint32_t number_ranks(struct defs *d)
{
	const struct def_group *group = ranked_locations(d);
	uint32_t n = 0, i;
	size_t k;

	for (i = 0; group && i < group->n; i++) {
		uint32_t at = idmap_find(&d->location_ids, group->members[i]);

		if (at != IDMAP_NONE && d->locations[at].rank == TRACE_NONE)
			rank_location(d, &d->locations[at], i);
	}
	if (group)
		n = group->n;
	for (k = 0; k < d->n_locations; k++) {
		struct def_location *location = &d->locations[k];
		struct def_process *process = process_of(d, location);

		if (location->rank != TRACE_NONE || !process)
			continue;
		if (process->rank == TRACE_NONE && !group) {
			rank_location(d, location, n++);
		} else if (process->rank != TRACE_NONE) {
			location->rank = process->rank;
			location->thread = process->threads++;
		}
	}
	return n;
}

/* The system tree node that stands for the host of a process. TRACE_NONE: not said. */
static uint32_t host_node(const struct defs *d, uint64_t node_id)
{
	uint32_t first = idmap_find(&d->node_ids, node_id), at = first;
	int depth;

	for (depth = 0; at != IDMAP_NONE && depth < PARENTS_MAX; depth++) {
		if (!strcasecmp(defs_text(d, d->nodes[at].class_name), SCHEMA_CLASS_NODE))
			return at;
		at = idmap_find(&d->node_ids, d->nodes[at].parent);
	}
	return first;
}

/* Number of the clock of a node: nodes with one boot id share a clock. */
static uint32_t clock_of(const struct defs *d, const uint32_t *node_at, uint32_t node,
			 const uint32_t *clock_at)
{
	const char *boot_id;
	uint32_t i;

	if (node_at[node] == TRACE_NONE)
		return TRACE_NONE;
	boot_id = defs_text(d, d->nodes[node_at[node]].boot_id);
	for (i = 0; *boot_id && i < node; i++) {
		if (node_at[i] != TRACE_NONE &&
		    !strcmp(boot_id, defs_text(d, d->nodes[node_at[i]].boot_id)))
			return clock_at[i];
	}
	return TRACE_NONE;
}

/* Give the system tree nodes that hold ranks numbers in order of their first rank. */
static int number_nodes(struct load *l, const uint32_t *node_of_rank)
{
	struct defs *d = &l->defs;
	struct trace *t = &l->trace;
	uint32_t *number = calloc(d->n_nodes + 1, sizeof(*number)); /* last: ranks without one */
	uint32_t *node_at = calloc((size_t)t->n_ranks + 1, sizeof(*node_at));
	uint32_t *clock_at = calloc((size_t)t->n_ranks + 1, sizeof(*clock_at));
	uint32_t r;
	int ret = -1;

	if (!number || !node_at || !clock_at) {
		load_no_memory(l);
		goto out;
	}
	memset(number, 0xff, (d->n_nodes + 1) * sizeof(*number));
	for (r = 0; r < t->n_ranks; r++) {
		uint32_t at = node_of_rank[r];
		uint32_t *of = &number[at == TRACE_NONE ? d->n_nodes : at];
		const char *name = at == TRACE_NONE ? "" : defs_text(d, d->nodes[at].name);

		t->ranks[r].node = TRACE_NONE;
		if (*of == TRACE_NONE && !t->ranks[r].absent) {
			*of = t->nodes++;
			node_at[*of] = at;
			clock_at[*of] = clock_of(d, node_at, *of, clock_at);
			if (clock_at[*of] == TRACE_NONE)
				clock_at[*of] = t->clocks++;
		}
		if (!t->ranks[r].absent) {
			t->ranks[r].node = *of;
			t->ranks[r].clock = clock_at[*of];
			t->assumes_host |= at == TRACE_NONE;
		}
		t->ranks[r].clock_error_ns = at == TRACE_NONE ? -1 : d->nodes[at].clock_error_ns;
		t->ranks[r].host = strdup(*name ? name : "unknown");
		if (!t->ranks[r].host) {
			load_no_memory(l);
			goto out;
		}
	}
	ret = 0;
out:
	free(clock_at);
	free(node_at);
	free(number);
	return ret;
}

static int load_ranks(struct load *l)
{
	struct defs *d = &l->defs;
	struct trace *t = &l->trace;
	uint32_t *node_of_rank = NULL, r;
	size_t k;
	int ret;

	t->n_ranks = number_ranks(d);
	t->unread_locations = d->others;
	t->unread_events = d->other_events;
	t->ranks = calloc((size_t)t->n_ranks + 1, sizeof(*t->ranks));
	node_of_rank = calloc((size_t)t->n_ranks + 1, sizeof(*node_of_rank));
	if (!t->ranks || !node_of_rank) {
		free(node_of_rank);
		return load_no_memory(l);
	}
	for (r = 0; r < t->n_ranks; r++) {
		node_of_rank[r] = TRACE_NONE;
		t->ranks[r].absent = 1;
	}
	for (k = 0; k < d->n_locations; k++) {
		const struct def_process *process = process_of(d, &d->locations[k]);

		if (d->locations[k].rank == TRACE_NONE || !process) {
			t->unread_locations++;
			t->unread_events += d->locations[k].events;
			continue;
		}
		t->ranks[d->locations[k].rank].absent = 0;
		node_of_rank[d->locations[k].rank] = host_node(d, process->node);
		t->ranks[d->locations[k].rank].cost = process->cost;
	}
	ret = number_nodes(l, node_of_rank);
	free(node_of_rank);
	if (!ret && trace_number_homes(t))
		return load_no_memory(l);
	return ret;
}

/*
 * The MPI function of this name that is there already, or TRACE_NONE. Some recorders define
 * a function anew for every location, and Fortran's and C's are one.
 */
static uint32_t same_function(const struct trace *t, const struct region *r)
{
	if (r->kind == REGION_OTHER)
		return TRACE_NONE;
	for (uint32_t i = 0; i < t->n_regions; i++)
		if (t->regions[i].kind == r->kind && !strcmp(t->regions[i].name, r->name))
			return i;
	return TRACE_NONE;
}

static int load_regions(struct load *l)
{
	struct defs *d = &l->defs;
	struct trace *t = &l->trace;
	size_t i;

	t->regions = calloc(d->n_regions + 1, sizeof(*t->regions));
	l->region_of = calloc(d->n_regions + 1, sizeof(*l->region_of));
	if (!t->regions || !l->region_of)
		return load_no_memory(l);
	for (i = 0; i <= d->n_regions; i++) {
		const char *name = i < d->n_regions ? defs_text(d, d->regions[i]) : "unknown";
		struct region *r = &t->regions[t->n_regions];

		r->kind = region_classify(name);
		r->name = region_canonical(name);
		if (!r->name)
			return load_no_memory(l);
		r->mode = region_mode(r->name);
		r->is_end = (uint8_t)region_is_end(r->name);
		r->is_of_files = (uint8_t)region_is_of_files(r->name);
		l->region_of[i] = same_function(t, r);
		if (l->region_of[i] == TRACE_NONE)
			l->region_of[i] = t->n_regions++;
		else
			free(r->name);
	}
	if (t->n_regions > CALL_REGIONS)
		return err_set(l->err, "%s: %u regions, of which %u at most can be told apart",
			       l->anchor, t->n_regions, CALL_REGIONS);
	l->unknown_region = l->region_of[d->n_regions];
	return 0;
}

int load_members(struct load *l, uint64_t group_id, uint32_t *size, uint32_t **members)
{
	const struct defs *d = &l->defs;
	uint32_t at = idmap_find(&d->group_ids, group_id), i;
	const struct def_group *group = at == IDMAP_NONE ? NULL : &d->groups[at];
	uint32_t *grown;
	int by_location;

	if (!group || !group->n)
		return 0;
	grown = reallocarray(*members, (size_t)*size + group->n, sizeof(*grown));
	if (!grown)
		return load_no_memory(l);
	*members = grown;
	by_location = group->type == OTF2_GROUP_TYPE_COMM_LOCATIONS ||
		      (group->flags & OTF2_GROUP_FLAG_GLOBAL_MEMBERS);
	for (i = 0; i < group->n; i++) {
		uint64_t member = group->members[i];

		if (by_location) {
			at = idmap_find(&d->location_ids, member);
			member = at == IDMAP_NONE ? TRACE_NONE : d->locations[at].rank;
		}
		grown[(*size)++] = member < l->trace.n_ranks ? (uint32_t)member : TRACE_NONE;
	}
	return 0;
}

/*
 * Where an archive defines no communicator its partners can only be ranks of all: there is one for
 * that, named by none. Returns 0, or -1.
 */
static int assume_comm(struct load *l)
{
	struct defs *d = &l->defs;
	struct trace *t = &l->trace;
	struct comm all = {.name = strdup("all ranks"), .size = t->n_ranks};

	all.members = calloc((size_t)t->n_ranks + 1, sizeof(*all.members));
	for (uint32_t r = 0; all.members && r < t->n_ranks; r++)
		all.members[r] = r;
	if (!all.name || !all.members || GROW(d->comms, d->n_comms, d->cap_comms) ||
	    GROW(t->comms, t->n_comms, l->cap_comms)) {
		free(all.name);
		free(all.members);
		return load_no_memory(l);
	}
	l->everybody = (uint32_t)d->n_comms;
	d->comms[d->n_comms++] = (struct def_comm){
		.name = OTF2_UNDEFINED_STRING, .kind = COMM_INTRA, .table = t->n_comms};
	t->comms[t->n_comms++] = all;
	t->n_comms_defined = t->n_comms;
	t->assumes_comm = 1;
	return 0;
}

/* Of an inter-communicator one group has no member here, or it was made of such a one. */
static int is_outside(const struct load *l, const struct def_comm *def)
{
	const struct comm *comms = l->trace.comms;
	uint32_t at;

	if (def->kind == COMM_INTER)
		return !def->first_b || def->first_b == comms[def->table].size;
	at = idmap_find(&l->defs.comm_ids, def->parent);
	return at != IDMAP_NONE && &l->defs.comms[at] < def &&
	       comms[l->defs.comms[at].table].outside;
}

static int load_comms(struct load *l)
{
	struct defs *d = &l->defs;
	struct trace *t = &l->trace;
	size_t i;

	l->everybody = IDMAP_NONE;
	if (!d->n_comms)
		return assume_comm(l);
	for (i = 0; i < d->n_comms; i++) {
		struct def_comm *def = &d->comms[i];
		uint32_t at = idmap_find(&d->group_ids, def->group_a);
		struct comm *comm;

		if (GROW(t->comms, t->n_comms, l->cap_comms))
			return load_no_memory(l);
		def->table = t->n_comms++;
		comm = &t->comms[def->table];
		*comm = (struct comm){.name = strdup(defs_text(d, def->name))};
		if (!comm->name)
			return load_no_memory(l);
		if (at != IDMAP_NONE && d->groups[at].type == OTF2_GROUP_TYPE_COMM_SELF) {
			def->kind = COMM_SELF;
			comm->alone = 1;
			continue;
		}
		if (load_members(l, def->group_a, &comm->size, &comm->members))
			return -1;
		def->first_b = comm->size;
		comm->inter = def->kind == COMM_INTER;
		if (def->kind == COMM_INTER &&
		    load_members(l, def->group_b, &comm->size, &comm->members))
			return -1;
		comm->outside = is_outside(l, def);
	}
	t->n_comms_defined = t->n_comms;
	return 0;
}

int load_places(struct load *l)
{
	if (load_ranks(l) || load_regions(l) || load_comms(l) || load_attributes(l))
		return -1;
	return 0;
}
