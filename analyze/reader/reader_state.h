/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is known while an archive is read, or a part of it. Private to reader*.c. */
#ifndef ANALYZE_READER_STATE_H
#define ANALYZE_READER_STATE_H

#include "analyze/reader/reader_defs.h"
#include "analyze/tools/idmap.h"
#include "analyze/trace.h"

#include <pthread.h>

#define LOAD_SAID 160

/* Where the reading of one location stands. */
struct cursor {
	uint32_t rank, thread;
	uint32_t call;     /* the open outermost MPI call, or TRACE_NONE */
	uint32_t closed;   /* the last one, which is closed, or TRACE_NONE */
	uint32_t first_op; /* of this location since the last call began */
	uint32_t depth;    /* MPI regions on the stack */
	uint64_t events;
	int64_t last_ns; /* time of the last event; the first one's is begin_ns */
	int64_t begin_ns;
	int64_t before_ns; /* time before last_ns */
	int is_wild;       /* a time cannot be: the file is damaged there, and nothing is taken */
	uint32_t *stack;   /* open regions, innermost last */
	size_t n_stack, cap_stack;
	uint32_t *site; /* of each region: what the last SCHEMA_ATTR_NEW_SITE said, or TRACE_NONE */
};

/* The attributes of schema.h. */
enum load_attribute {
	LOAD_SITE,
	LOAD_NEW_SITE,
	LOAD_POLLS,
	LOAD_POLLED_NS,
	LOAD_SKIPPED,
	LOAD_COMM,
	LOAD_PEER,
	LOAD_TAG,
	LOAD_UNSEEN,
	LOAD_MATCHED,
	LOAD_ATTRIBUTES
};

/* What a communicator stands for that no definition is of: trace.comms[n_comms_defined + k]. */
struct made_comm {
	uint32_t comm;   /* the definition that it is like */
	uint32_t window; /* the definition of its window, or TRACE_NONE: of one rank with itself */
};

#define LOAD_IN (UINT64_C(1) << 63)

/* An archive's, or those parts of it that one hand read. */
struct load {
	const char *anchor;
	struct err *err;
	int failed; /* *err is set */
	OTF2_Reader *otf2;
	struct defs defs;
	struct trace trace; /* what becomes the result */
	struct cursor at;
	struct idmap
		self; /* (communicator << 32 | rank) -> communicator of that rank with itself */
	uint32_t attribute[LOAD_ATTRIBUTES]; /* its id in this archive */
	int has_attribute[LOAD_ATTRIBUTES];
	uint32_t *string_site; /* site of each string, or TRACE_NONE */
	uint32_t *region_of;   /* the trace's region for each definition */
	uint32_t unknown_region;
	uint32_t *recorded; /* per region: 1 + the last rank with a record in it; 0: none */
	uint32_t everybody; /* of records that name none; IDMAP_NONE: the archive defines some */
	int64_t first_ns, last_ns; /* of all locations with events */
	size_t cap_calls, cap_ops, cap_sites, cap_comms, cap_floods, cap_groups;
	struct idmap group_of; /* group definition -> the trace's group */
	struct idmap site_in;  /* user region << 32 | region -> site of its calls in there */
	uint64_t *site_keys;   /* of each site its string, or LOAD_IN and the key of site_in, */
	uint64_t *group_ids;   /* of each group its definition, ... */
	size_t cap_site_keys, cap_group_ids;
	DEF_ARRAY(struct made_comm, made);
	pthread_key_t saying;      /* of each thread: where otf2_said is */
	char otf2_said[LOAD_SAID]; /* OTF2's own first complaint */
};

#endif
