/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Ranks in the middle of a blocking collective with a root: along a tree they hand on what others
 * send them, and large data are taken by whom they are for, so that they wait for these, though by
 * the collective's meaning only for the root or for nobody. Who has which ones is the MPI's; but a
 * call most of which, from where the root has come, is over when the last other rank enters before
 * it returns has most likely waited for that one; mostly, if it had not waited for the root for
 * longer. For gathering.c.
 */
#ifndef ANALYZE_INNER_NODES_H
#define ANALYZE_INNER_NODES_H

#include "analyze/flow/gathering.h"

/*
 * g->kept_by, of g with all that gathering_ready_ns() needs. Returns 0, or -1 with *err set (out of
 * memory).
 */
int inner_nodes_find(struct gathering *g, struct err *err);

#endif
