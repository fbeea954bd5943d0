/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The definitions being written: archive_defs.c, and of groups and communicators archive_groups.c.
 */
#ifndef INTERPOSE_ARCHIVE_DEFINER_H
#define INTERPOSE_ARCHIVE_DEFINER_H

#include "interpose/archive/archive_defs.h"

struct listed;

struct definer {
	OTF2_GlobalDefWriter *w;
	const struct defs *d;
	OTF2_StringRef next_string;
	OTF2_GroupRef next_group;
	struct listed *listed; /* of archive_groups.c */
	int failed;
};

static inline void definer_check(struct definer *f, OTF2_ErrorCode rc)
{
	if (rc != OTF2_SUCCESS)
		f->failed = 1;
}

/* Defines this string; returns its id. */
static inline OTF2_StringRef definer_string(struct definer *f, const char *text)
{
	definer_check(f, OTF2_GlobalDefWriter_WriteString(f->w, f->next_string, text));
	return f->next_string++;
}

/* Groups whose numbers events know; what their members count in comes first. */
void definer_groups(struct definer *f);

/* After these. */
void definer_comms(struct definer *f);

#endif
