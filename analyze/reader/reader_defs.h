/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The definitions of an archive as they are written, ids and all. Private to reader*.c.
 */
#ifndef ANALYZE_READER_DEFS_H
#define ANALYZE_READER_DEFS_H

#include "analyze/reader/evtcheck.h"
#include "analyze/tools/idmap.h"
#include "analyze/trace.h"

#include <otf2/otf2.h>

#include <stddef.h>
#include <stdint.h>

enum comm_kind { COMM_INTRA, COMM_SELF, COMM_INTER };

struct def_node {
	uint64_t id, parent;
	uint32_t name, class_name; /* string ids, as written */
	uint32_t boot_id;          /* string id, or OTF2_UNDEFINED_STRING */
	int64_t clock_error_ns;    /* -1: not said */
};

struct def_process { /* a location group of type process */
	uint64_t id, node;
	uint32_t rank;    /* of its first ranked location, or TRACE_NONE */
	uint32_t threads; /* locations given a thread number so far */
	struct rank_cost cost;
};

struct def_location {
	uint64_t id, process, events;
	uint32_t rank; /* TRACE_NONE: no part of an MPI process */
	uint32_t thread;
	struct evtcheck own; /* its file of definitions */
	int lacks_definitions;
};

struct def_group {
	OTF2_GroupType type;
	OTF2_GroupFlag flags;
	uint32_t n;
	uint64_t *members;
	int is_untold; /* of a paradigm that is not said: MPI's, if it is a communicator's */
	int is_alien;  /* of another paradigm than MPI; nothing else is known of it */
};

struct def_comm {
	uint32_t name;
	uint64_t group_a, group_b; /* group_b only of an inter-communicator */
	uint64_t parent;
	enum comm_kind kind;
	uint32_t first_b; /* inter-communicator: size of group A */
	uint32_t table;   /* its index in the trace's communicators */
};

struct def_window {
	uint64_t comm;  /* as written */
	uint32_t table; /* its own communicator in the trace, or TRACE_NONE */
};

struct def_attribute {
	uint32_t id, name;
	OTF2_Type type;
};

#define DEF_ARRAY(type, name) \
	type *name;           \
	size_t n_##name, cap_##name

struct defs {
	uint64_t ticks_per_s;
	uint64_t global_offset;
	uint64_t length; /* of the run, ticks from there; 0: not said */
	struct idmap string_ids, node_ids, process_ids, location_ids, group_ids, comm_ids,
		region_ids, context_ids, window_ids;
	struct idmap member_ids, metric_ids; /* enum reading_of, of those that are one */
	int has_readings;
	uint64_t others, other_events; /* locations that are no threads */
	DEF_ARRAY(char *, strings);
	DEF_ARRAY(struct def_node, nodes);
	DEF_ARRAY(struct def_process, processes);
	DEF_ARRAY(struct def_location, locations);
	DEF_ARRAY(struct def_group, groups);
	DEF_ARRAY(struct def_comm, comms);
	DEF_ARRAY(struct def_window, windows);
	DEF_ARRAY(struct def_attribute, attributes);
	DEF_ARRAY(uint32_t, regions);  /* name's string id */
	DEF_ARRAY(uint64_t, contexts); /* region id */
};

/* The text of a string id; "" when it is not defined. */
const char *defs_text(const struct defs *d, uint64_t id);

void defs_release(struct defs *d);

#endif
