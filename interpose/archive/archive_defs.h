/* SPDX-License-Identifier: BSD-3-Clause */
/* The archive's global definitions, in OTF2's order: each before its first use. */
#ifndef INTERPOSE_ARCHIVE_DEFS_H
#define INTERPOSE_ARCHIVE_DEFS_H

#include <otf2/otf2.h>

#include "interpose/archive/archive.h"

struct archive_region {
	const char *name;
	OTF2_RegionRole role;
};

/*
 * String ids known before all strings are: 0 is empty, then the few fixed ones, then the
 * call paths, so that events can refer to them while definitions are still open.
 */
enum archive_string {
	STRING_EMPTY,
	STRING_MACHINE,
	STRING_NODE,
	STRING_BOOT_ID,
	STRING_CLOCK_BOUND,
#define ATTRIBUTE(NAME, TYPE, help) STRING_##NAME, STRING_##NAME##_HELP,
#include "interpose/archive/archive_attributes.def"
#undef ATTRIBUTE
	STRING_COST_CALL,
	STRING_COST_REQUEST,
	STRING_COST_POLL,
	STRING_COST_SITES,
	STRING_COST_WRITING,
	STRING_COST_ASIDE,
	STRING_MPI,
	STRING_MPI_IO,
	STRING_FIXED
};
#define ARCHIVE_SITE_STRING(site) ((OTF2_StringRef)(STRING_FIXED + (site)))

#define ARCHIVE_PARADIGM_IO 0

/* Group 0 is all locations, then those that one-sided calls name, then communicators'. */
#define ARCHIVE_GROUP(group) ((group) == UINT32_MAX ? OTF2_UNDEFINED_GROUP : 1 + (group))

enum archive_attribute {
#define ATTRIBUTE(NAME, TYPE, help) ARCHIVE_ATTR_##NAME,
#include "interpose/archive/archive_attributes.def"
#undef ATTRIBUTE
};

int archive_defs_write(OTF2_GlobalDefWriter *w, const struct defs *d, size_t n_regions,
		       const struct archive_region regions[n_regions], size_t n_locations,
		       const struct archive_location locations[n_locations]);

/* What recording took, as properties of the processes: archive_costs.c. Returns 0 or -1. */
int archive_costs_write(OTF2_GlobalDefWriter *w, const struct defs *d, size_t n,
			const struct archive_location locations[n]);

#endif
