/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Ranks in the middle of a blocking collective with a root: along a tree they hand on what others
 * send them, so that they wait for these, though by the collective's meaning only for the root or
 * for nobody. Who has which ones is the MPI's; but a call most of which is over when the last other
 * rank enters before it returns has most likely waited for that one.
 */
#ifndef ANALYZE_INNER_NODES_H
#define ANALYZE_INNER_NODES_H

#include "analyze/gains/evidence_base.h"

/*
 * Per call: that of another rank which it has so waited for; or TRACE_NONE. *out is NULL where
 * there are no such collectives. Returns 0, or -1: no memory. Caller: table_free.
 */
int inner_nodes_find(const struct evidence_base *b, uint32_t **out);

#endif
