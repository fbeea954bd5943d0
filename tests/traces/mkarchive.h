/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What mktrace.c and mkdefs.c share: an archive that is being written. Not for tests. */
#ifndef TESTS_TRACES_MKARCHIVE_H
#define TESTS_TRACES_MKARCHIVE_H

#include "tests/traces/mktrace.h"

#include <otf2/otf2.h>

enum mkattribute {
	SITE_ATTRIBUTE,
	NEW_SITE_ATTRIBUTE,
	POLLS_ATTRIBUTE,
	POLLED_NS_ATTRIBUTE,
	SKIPPED_ATTRIBUTE,
	COMM_ATTRIBUTE,
	PEER_ATTRIBUTE,
	TAG_ATTRIBUTE,
	UNSEEN_ATTRIBUTE,
	MATCHED_ATTRIBUTE
};

struct mklocation {
	uint64_t id;
	OTF2_EvtWriter *writer;
	uint64_t events;
	uint32_t n_offsets;
	int64_t offset_at_ns[2];
	int64_t offset_ns[2];
};

struct mkcomm {
	char *name;
	uint32_t n;
	uint32_t *members; /* NULL: the self communicator */
};

struct mkhost {
	char *name;
	char *boot_id;
	struct rank_cost cost; /* of the rank, when there is any */
};

struct mktrace {
	struct err err;
	int failed;
	OTF2_Archive *archive;
	OTF2_AttributeList *attributes;
	enum mkattribute site_attribute;
	uint64_t chunk_bytes;
	char *dir;
	uint32_t ranks;
	uint32_t id_base;
	uint32_t id_step;
	uint64_t events;
	int64_t first_ns;
	int64_t last_ns;
	struct mkhost *hosts; /* one per rank */
	struct mklocation *locations;
	uint32_t n_locations;
	struct mkcomm *comms;
	uint32_t n_comms;
	uint32_t *windows; /* the communicator of each */
	uint32_t n_windows;
	char **strings;
	uint32_t n_strings;
	char **counters;
	uint32_t n_counters;
	char **regions;
	uint32_t n_regions;
};

/* Note a failure to write what; the first one stays. */
void mkarchive_check(struct mktrace *m, OTF2_ErrorCode code, const char *what);

/* Number of a text among the string definitions, added when new. */
uint32_t mkarchive_string(struct mktrace *m, const char *text);

/* The id under which region or communicator i is written. */
uint32_t mkarchive_id(const struct mktrace *m, uint32_t i);

/* The next event has attribute n, unless it is 0. */
void mkarchive_number(const struct mktrace *m, OTF2_AttributeRef attribute, uint64_t n);

/* Write one record. */
OTF2_ErrorCode mkarchive_op(const struct mktrace *m, OTF2_EvtWriter *w, uint64_t ticks,
			    const struct mkop *op);

/* Write all definitions, global and local. */
void mkarchive_define(struct mktrace *m);

#endif
