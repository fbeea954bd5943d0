/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The requests that a rank may wait for: of messages, begun, not completed and not able to complete
 * by themselves; of those that its call was given, if that is recorded. And what MPI_Sendrecv, or
 * a receive or probe of any rank's message, waits for, as if by requests.
 */
#ifndef ANALYZE_STAND_OPEN_H
#define ANALYZE_STAND_OPEN_H

#include "analyze/standing/stands.h"

/*
 * Of the ranks for which is_in is not 0, into s->awaited: by rank, for each other one at most one,
 * of those without an other end if there is one; peer TRACE_NONE: of any rank, or it is not known
 * which. Returns 0, or -1: out of memory.
 */
int stand_open_find(struct stands *s, const uint8_t *is_in);

#endif
