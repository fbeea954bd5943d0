/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A job that somebody ended while its ranks stood still: where each was, and who waited for whom.
 * Of the trace and run.json, in words.
 */
#ifndef ANALYZE_HANGING_H
#define ANALYZE_HANGING_H

#include <stddef.h>
#include <stdint.h>

#include "analyze/matching/collectives.h"
#include "analyze/matching/messages.h"
#include "analyze/run/run.h"

#define HANGING_ROOM 2400

/*
 * Into text, a line or more if no rank ended by itself: where all stood if until the end none had
 * called MPI or returned for a second and a hundredth of the run; else where some stood if these
 * had been in MPI, in one call or in polls that completed nothing, for a second and a tenth of the
 * run; and if all were killed in calls and none could note when. Else empty, as without memory. r
 * may be NULL. Ranks that may have called MPI unrecorded are only counted. Returns for how long all
 * stood still as the text says, ns; 0: it says nothing of that.
 */
int64_t hanging_text(const struct run *r, const struct trace *t, const struct messages *m,
		     const struct collectives *c, size_t n, char text[n]);

#endif
