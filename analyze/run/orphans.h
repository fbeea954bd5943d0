/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Ranks that MPI itself ended because their launcher was gone. Open MPI's run-time, of version 4 at
 * least, then calls exit() with PMIx's error for a lost connection, -61, wherever the rank is: as
 * if the program had, where that is outside MPI.
 */
#ifndef ANALYZE_ORPHANS_H
#define ANALYZE_ORPHANS_H

#include "analyze/run/run.h"

#define ORPHAN_STATUS 195 /* -61 as an exit status */

/*
 * Did they end so in this run? With Open MPI, where the launcher has ended none, and one rank at
 * least left with that status from within MPI, where no program calls exit(). r may be NULL.
 */
int orphans_are_in(const struct run *r);

/* One rank of such a run: did it? */
int orphan_is(const json_t *unfinished);

#endif
