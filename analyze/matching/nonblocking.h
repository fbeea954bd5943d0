/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Non-blocking collectives join the table of collectives: the k-th that the members of a
 * communicator started on it belongs together. They are entered when they are started. Where
 * recording paused they cannot be counted and are left out.
 */
#ifndef ANALYZE_NONBLOCKING_H
#define ANALYZE_NONBLOCKING_H

#include "analyze/matching/collectives.h"

/* Adds to c. Returns 0, or -1: out of memory, and c is to be released. */
int nonblocking_match(const struct trace *t, struct collectives *c);

#endif
