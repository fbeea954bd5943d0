/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Recordings whose events end before the program does, at --max-trace or on a full disk: what
 * run.json says of when, and what was counted from then on.
 */
#ifndef ANALYZE_EVENTS_END_H
#define ANALYZE_EVENTS_END_H

#include "analyze/run/run.h"

/* One sentence; empty when the events go to the end. r may be NULL. */
void events_end_text(const struct run *r, size_t n, char text[n]);

/*
 * What the counts tell of the rest, rest_s of the ranks' time: how much was in MPI, as the end of
 * a sentence that begins with what was recorded. Empty when the events go to the end.
 */
void events_end_rest_text(const struct run *r, double rest_s, size_t n, char text[n]);

/*
 * The functions and places that were counted, most time first, with file, line and function as
 * far as they can be known here. Empty when there are none; NULL with *err set.
 */
json_t *events_end_totals(const struct run *r, struct err *err);

#endif
