/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * OTF2 archive -> struct trace. The only analyzer file that includes OTF2.
 * Reads through OTF2's local readers, a rank's locations one after the other and several ranks
 * at a time. OTF2 3.0.2 loops for ever on an event file that ends early, so every event
 * file's chunk chain is checked before OTF2 sees it.
 */
#ifndef ANALYZE_READER_H
#define ANALYZE_READER_H

#include "analyze/trace.h"

/*
 * Read the archive at path: an anchor file (any name ending in .otf2) or a
 * directory that holds exactly one. Returns 0, or -1 with *err set in one
 * sentence (missing, empty, truncated), *out unchanged. Of ranks whose event files are missing or
 * not whole what there is is read, if there is any of any rank: rank.loss.
 * Caller frees with trace_release.
 */
int trace_read(const char *path, struct trace *out, struct err *err);

/*
 * Can it be analyzed, and not only described: does it have MPI calls? Returns 0, or -1 with *err
 * set to what it lacks.
 */
int trace_is_of_calls(const struct trace *t, struct err *err);

/* Would trace_read find every file of the archive whole? Returns 0, or -1 with *err set. */
int trace_check(const char *path, struct err *err);

#endif
