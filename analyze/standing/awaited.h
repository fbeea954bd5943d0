/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * For whom a rank waited when it was ended: one that had not called MPI for its message, or never
 * did again, or that waited itself, in a circle perhaps. Of the trace and run.json.
 */
#ifndef ANALYZE_AWAITED_H
#define ANALYZE_AWAITED_H

#include "analyze/matching/collectives.h"
#include "analyze/matching/messages.h"
#include "analyze/run/run.h"

/*
 * Set of t's ranks whom they await, in which call, and whether in a circle, where that is certain:
 * the call is for a message of one rank or to it, whose whole record lacks the other end, or a send
 * to one that waits in a send itself and would else have received; or of several, which all wait
 * themselves for the one that it awaits in the end; or it is MPI_Finalize, to which that one never
 * came. Once run_ends_mark() is done. Without memory nothing is set, as where all ranks finished.
 */
void awaited_mark(const struct run *r, struct trace *t, const struct messages *m,
		  const struct collectives *c);

#endif
