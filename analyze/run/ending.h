/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How the recorded job ended, in words: "rank 2 called MPI_Abort; rank 0 was ended ...". */
#ifndef ANALYZE_ENDING_H
#define ANALYZE_ENDING_H

#include <stddef.h>

#include "analyze/run/run.h"

#define ENDING_ROOM 1600

/*
 * Into text: what the ranks that did not finalize did, each one if they are few, else those
 * first that may have ended the job for the others; a clause each, and between in between; empty
 * when all did. r may be NULL.
 */
void ending_text(const struct run *r, const char *between, size_t n, char text[n]);

/*
 * Did this one of run.json's unfinished end by what it did itself, so that the others were ended
 * because of it? orphaned: orphans_are_in() the run.
 */
int ending_is_own(const json_t *unfinished, int orphaned);

/* Did the launcher end it, or one of its helpers pass that on? */
int ending_is_dismissed(const json_t *unfinished);

/* Did it note itself when it ended? Else it may have died any time after it was last seen alive. */
int ending_is_noted(const json_t *unfinished);

#endif
