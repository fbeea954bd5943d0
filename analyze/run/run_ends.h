/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A process may go on for long after its last MPI call until somebody ends it. Where the recorder
 * knows when that was the run lasts until then: what its ranks computed last is theirs, too. Of a
 * rank that ended before the others, or gave no sign of life any more, the rest of the run is no
 * time.
 */
#ifndef ANALYZE_RUN_ENDS_H
#define ANALYZE_RUN_ENDS_H

#include "analyze/run/run.h"
#include "analyze/trace.h"

/*
 * Make t last until the last known end of a rank that did not finalize, and set since when each of
 * these is gone; once its clocks are set.
 */
void run_ends_mark(const struct run *r, struct trace *t);

/*
 * The rank that was gone longest before the run's end, if that was for a tenth of the run at least;
 * or TRACE_NONE. Who waited then may have waited for it.
 */
uint32_t run_ends_first_gone(const struct trace *t);

#endif
