/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A job that somebody ended while its ranks stood still: where each was, and who waited for whom.
 * Of the trace and run.json, in words.
 */
#ifndef ANALYZE_HANGING_H
#define ANALYZE_HANGING_H

#include <stddef.h>
#include <stdint.h>

#include "analyze/run.h"
#include "analyze/trace.h"

#define HANGING_ROOM 1600

/*
 * Into text: a line or two if no rank ended by itself and, until the end, none had called MPI or
 * returned for a second and a hundredth of the run, in which all of them were recorded; or if all
 * were killed in calls and none could note when. Else empty, as without memory. r may be NULL.
 * Returns for how long they stood still as the text says, ns; 0: it says nothing of that.
 */
int64_t hanging_text(const struct run *r, const struct trace *t, size_t n, char text[n]);

#endif
