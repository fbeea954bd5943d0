/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How the recorded job ended, in words: "rank 2 called MPI_Abort; rank 0 was killed in ...". */
#ifndef ANALYZE_ENDING_H
#define ANALYZE_ENDING_H

#include <stddef.h>

#include "analyze/run.h"

/*
 * Into text: what the first few of the ranks that did not finalize did, those that ended the
 * job for the others first; empty when all did. r may be NULL.
 */
void ending_text(const struct run *r, size_t n, char text[n]);

#endif
