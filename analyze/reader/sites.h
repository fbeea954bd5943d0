/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Call sites: from recorded call paths (SCHEMA_ATTR_SITE) to lines of the program. */
#ifndef ANALYZE_SITES_H
#define ANALYZE_SITES_H

#include "analyze/trace.h"

/*
 * Fill in file, line and function of t's sites from the innermost frame that is
 * known: with debug information all three, without it the function alone. Objects
 * that are gone or have another build id than at recording stay unresolved (NULL),
 * which is no failure; frames inside MPI libraries are passed over, and functions of other
 * tools that have the name of one of MPI's, unless nothing else is known. A site that stays
 * unresolved is named by its first frame outside of these.
 * Returns 0, or -1 with *err set (out of memory).
 */
int sites_resolve(struct trace *t, struct err *err);

/*
 * The same, then sites_fold(), then the functions that led to each site on the path that is kept.
 * Returns as above.
 */
int sites_name(struct trace *t, struct err *err);

#endif
