/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/reader/reader_load.h"

#include "common/schema.h"
#include "common/table.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define COST_MAX_NS 1e18 /* any archive may say anything */

int load_no_memory(struct load *l)
{
	l->failed = 1;
	return err_set(l->err, "%s: out of memory while reading it", l->anchor);
}

const char *defs_text(const struct defs *d, uint64_t id)
{
	uint32_t i = idmap_find(&d->string_ids, id);

	return i == IDMAP_NONE ? "" : d->strings[i];
}

/* Append value to one of the arrays and, where it has an id, note its index. */
#define ADD(l, array, ids, id, value)                                     \
	do {                                                              \
		struct defs *d_ = &(l)->defs;                             \
		if (GROW(d_->array, d_->n_##array, d_->cap_##array) ||    \
		    idmap_set(&d_->ids, (id), (uint32_t)d_->n_##array)) { \
			load_no_memory(l);                                \
			return OTF2_CALLBACK_INTERRUPT;                   \
		}                                                         \
		d_->array[d_->n_##array++] = (value);                     \
	} while (0)

static OTF2_CallbackCode on_clock(void *data, uint64_t ticks_per_s, uint64_t offset,
				  uint64_t length, uint64_t realtime)
{
	struct load *l = data;

	(void)realtime;
	l->defs.ticks_per_s = ticks_per_s;
	l->defs.global_offset = offset;
	l->defs.length = length;
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_string(void *data, OTF2_StringRef id, const char *text)
{
	struct load *l = data;
	char *copy = strdup(text ? text : "");

	if (!copy) {
		load_no_memory(l);
		return OTF2_CALLBACK_INTERRUPT;
	}
	ADD(l, strings, string_ids, id, copy);
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_attribute(void *data, OTF2_AttributeRef id, OTF2_StringRef name,
				      OTF2_StringRef description, OTF2_Type type)
{
	struct load *l = data;
	struct defs *d = &l->defs;

	(void)description;
	if (GROW(d->attributes, d->n_attributes, d->cap_attributes)) {
		load_no_memory(l);
		return OTF2_CALLBACK_INTERRUPT;
	}
	d->attributes[d->n_attributes++] = (struct def_attribute){id, name, type};
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_node(void *data, OTF2_SystemTreeNodeRef id, OTF2_StringRef name,
				 OTF2_StringRef class_name, OTF2_SystemTreeNodeRef parent)
{
	ADD((struct load *)data, nodes, node_ids, id,
	    ((struct def_node){id, parent, name, class_name, OTF2_UNDEFINED_STRING, -1}));
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_node_property(void *data, OTF2_SystemTreeNodeRef node,
					  OTF2_StringRef name, OTF2_Type type,
					  OTF2_AttributeValue value)
{
	struct defs *d = &((struct load *)data)->defs;
	uint32_t i = idmap_find(&d->node_ids, node);

	if (i != IDMAP_NONE && type == OTF2_TYPE_STRING &&
	    !strcmp(defs_text(d, name), SCHEMA_PROP_BOOT_ID))
		d->nodes[i].boot_id = value.stringRef;
	if (i != IDMAP_NONE && type == OTF2_TYPE_INT64 && value.int64 >= 0 &&
	    !strcmp(defs_text(d, name), SCHEMA_PROP_CLOCK_BOUND))
		d->nodes[i].clock_error_ns = value.int64;
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_process(void *data, OTF2_LocationGroupRef id, OTF2_StringRef name,
				    OTF2_LocationGroupType type, OTF2_SystemTreeNodeRef node,
				    OTF2_LocationGroupRef creator)
{
	(void)name, (void)creator;
	if (type == OTF2_LOCATION_GROUP_TYPE_PROCESS)
		ADD((struct load *)data, processes, process_ids, id,
		    ((struct def_process){.id = id, .node = node, .rank = TRACE_NONE}));
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_process_property(void *data, OTF2_LocationGroupRef id,
					     OTF2_StringRef name, OTF2_Type type,
					     OTF2_AttributeValue value)
{
	static const struct {
		const char *name;
		size_t field;
	} known[] = {
		{SCHEMA_PROP_COST_CALL, offsetof(struct rank_cost, call_ns)},
		{SCHEMA_PROP_COST_REQUEST, offsetof(struct rank_cost, request_ns)},
		{SCHEMA_PROP_COST_POLL, offsetof(struct rank_cost, poll_ns)},
		{SCHEMA_PROP_COST_SITES, offsetof(struct rank_cost, sites_ns)},
		{SCHEMA_PROP_COST_WRITING, offsetof(struct rank_cost, writing_ns)},
		{SCHEMA_PROP_COST_ASIDE, offsetof(struct rank_cost, aside_ns)},
	};
	struct defs *d = &((struct load *)data)->defs;
	uint32_t i = idmap_find(&d->process_ids, id);
	size_t k;

	if (i == IDMAP_NONE || type != OTF2_TYPE_DOUBLE ||
	    !(value.float64 >= 0 && value.float64 < COST_MAX_NS))
		return OTF2_CALLBACK_SUCCESS;
	for (k = 0; k < sizeof(known) / sizeof(known[0]); k++)
		if (!strcmp(defs_text(d, name), known[k].name))
			*(double *)(void *)((char *)&d->processes[i].cost + known[k].field) =
				value.float64;
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_location(void *data, OTF2_LocationRef id, OTF2_StringRef name,
				     OTF2_LocationType type, uint64_t events,
				     OTF2_LocationGroupRef process)
{
	(void)name;
	if (type != OTF2_LOCATION_TYPE_CPU_THREAD) {
		((struct load *)data)->defs.others++;
		((struct load *)data)->defs.other_events += events;
	} else {
		ADD((struct load *)data, locations, location_ids, id,
		    ((struct def_location){
			    .id = id, .process = process, .events = events, .rank = TRACE_NONE}));
	}
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_region(void *data, OTF2_RegionRef id, OTF2_StringRef name,
				   OTF2_StringRef canonical, OTF2_StringRef description,
				   OTF2_RegionRole role, OTF2_Paradigm paradigm,
				   OTF2_RegionFlag flags, OTF2_StringRef file, uint32_t begin,
				   uint32_t end)
{
	(void)canonical, (void)description, (void)role, (void)paradigm, (void)flags, (void)file;
	(void)begin, (void)end;
	ADD((struct load *)data, regions, region_ids, id, name);
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_context(void *data, OTF2_CallingContextRef id, OTF2_RegionRef region,
				    OTF2_SourceCodeLocationRef source,
				    OTF2_CallingContextRef parent)
{
	(void)source, (void)parent;
	ADD((struct load *)data, contexts, context_ids, id, region);
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_group(void *data, OTF2_GroupRef id, OTF2_StringRef name,
				  OTF2_GroupType type, OTF2_Paradigm paradigm, OTF2_GroupFlag flags,
				  uint32_t n, const uint64_t *members)
{
	struct def_group group = {.type = type, .flags = flags, .n = n};

	(void)name;
	group.is_untold = paradigm == OTF2_PARADIGM_UNKNOWN;
	if (paradigm != OTF2_PARADIGM_MPI && !group.is_untold) { /* known by name only */
		group = (struct def_group){.is_alien = 1};
		ADD((struct load *)data, groups, group_ids, id, group);
		return OTF2_CALLBACK_SUCCESS;
	}
	group.members = calloc(n ? n : 1, sizeof(*members));
	if (!group.members) {
		load_no_memory(data);
		return OTF2_CALLBACK_INTERRUPT;
	}
	if (n)
		memcpy(group.members, members, n * sizeof(*members));
	ADD((struct load *)data, groups, group_ids, id, group);
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_comm(void *data, OTF2_CommRef id, OTF2_StringRef name,
				 OTF2_GroupRef group, OTF2_CommRef parent, OTF2_CommFlag flags)
{
	const struct defs *d = &((struct load *)data)->defs;
	uint32_t at = idmap_find(&d->group_ids, group);

	(void)flags;
	if (at != IDMAP_NONE && d->groups[at].is_alien) /* a team of threads, a GPU's streams */
		return OTF2_CALLBACK_SUCCESS;
	ADD((struct load *)data, comms, comm_ids, id,
	    ((struct def_comm){
		    .name = name, .group_a = group, .parent = parent, .kind = COMM_INTRA}));
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_intercomm(void *data, OTF2_CommRef id, OTF2_StringRef name,
				      OTF2_GroupRef a, OTF2_GroupRef b, OTF2_CommRef common,
				      OTF2_CommFlag flags)
{
	(void)common, (void)flags;
	ADD((struct load *)data, comms, comm_ids, id,
	    ((struct def_comm){.name = name,
			       .group_a = a,
			       .group_b = b,
			       .parent = OTF2_UNDEFINED_COMM,
			       .kind = COMM_INTER}));
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode on_window(void *data, OTF2_RmaWinRef id, OTF2_StringRef name,
				   OTF2_CommRef comm, OTF2_RmaWinFlag flags)
{
	(void)name, (void)flags;
	ADD((struct load *)data, windows, window_ids, id, ((struct def_window){comm, TRACE_NONE}));
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_GlobalDefReaderCallbacks *callbacks_new(void)
{
	OTF2_GlobalDefReaderCallbacks *c = OTF2_GlobalDefReaderCallbacks_New();

	if (!c)
		return NULL;
	OTF2_GlobalDefReaderCallbacks_SetClockPropertiesCallback(c, on_clock);
	OTF2_GlobalDefReaderCallbacks_SetStringCallback(c, on_string);
	OTF2_GlobalDefReaderCallbacks_SetAttributeCallback(c, on_attribute);
	OTF2_GlobalDefReaderCallbacks_SetSystemTreeNodeCallback(c, on_node);
	OTF2_GlobalDefReaderCallbacks_SetSystemTreeNodePropertyCallback(c, on_node_property);
	OTF2_GlobalDefReaderCallbacks_SetLocationGroupCallback(c, on_process);
	OTF2_GlobalDefReaderCallbacks_SetLocationGroupPropertyCallback(c, on_process_property);
	OTF2_GlobalDefReaderCallbacks_SetLocationCallback(c, on_location);
	OTF2_GlobalDefReaderCallbacks_SetRegionCallback(c, on_region);
	OTF2_GlobalDefReaderCallbacks_SetCallingContextCallback(c, on_context);
	OTF2_GlobalDefReaderCallbacks_SetGroupCallback(c, on_group);
	OTF2_GlobalDefReaderCallbacks_SetCommCallback(c, on_comm);
	OTF2_GlobalDefReaderCallbacks_SetInterCommCallback(c, on_intercomm);
	OTF2_GlobalDefReaderCallbacks_SetRmaWinCallback(c, on_window);
	load_metric_definitions(c);
	return c;
}

int load_definitions(struct load *l, uint64_t limit)
{
	OTF2_GlobalDefReader *reader = OTF2_Reader_GetGlobalDefReader(l->otf2);
	OTF2_GlobalDefReaderCallbacks *callbacks = callbacks_new();
	uint64_t n = 0;
	OTF2_ErrorCode code = OTF2_ERROR_INVALID;

	l->defs.ticks_per_s = 1000000000;
	if (reader && callbacks) {
		code = OTF2_Reader_RegisterGlobalDefCallbacks(l->otf2, reader, callbacks, l);
		if (code == OTF2_SUCCESS)
			code = OTF2_Reader_ReadGlobalDefinitions(l->otf2, reader, limit, &n);
		OTF2_Reader_CloseGlobalDefReader(l->otf2, reader);
	}
	if (callbacks)
		OTF2_GlobalDefReaderCallbacks_Delete(callbacks);
	if (l->failed)
		return -1;
	if (code != OTF2_SUCCESS)
		return err_set(l->err, "%s: its definitions cannot be read (%s): damaged archive",
			       l->anchor, l->otf2_said);
	if (!l->defs.ticks_per_s)
		return err_set(l->err, "%s: 0 clock ticks per second: damaged archive", l->anchor);
	return 0;
}

void reader_defs_release(struct defs *d)
{
	size_t i;

	for (i = 0; i < d->n_strings; i++)
		free(d->strings[i]);
	for (i = 0; i < d->n_groups; i++)
		free(d->groups[i].members);
	table_free(d->strings);
	table_free(d->nodes);
	table_free(d->processes);
	table_free(d->locations);
	table_free(d->groups);
	table_free(d->comms);
	table_free(d->windows);
	table_free(d->attributes);
	table_free(d->regions);
	table_free(d->contexts);
	idmap_release(&d->string_ids);
	idmap_release(&d->node_ids);
	idmap_release(&d->process_ids);
	idmap_release(&d->location_ids);
	idmap_release(&d->group_ids);
	idmap_release(&d->comm_ids);
	idmap_release(&d->region_ids);
	idmap_release(&d->context_ids);
	idmap_release(&d->window_ids);
	idmap_release(&d->member_ids);
	idmap_release(&d->metric_ids);
}
