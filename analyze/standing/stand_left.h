/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * In words, who could still send to a rank that takes any rank's message: nobody, if all the others
 * of its communicator wait for it, or for each other, or have come to MPI_Finalize.
 */
#ifndef ANALYZE_STAND_LEFT_H
#define ANALYZE_STAND_LEFT_H

#include "analyze/standing/stands.h"
#include "common/wording.h"

/*
 * A line with its end in front, of the first such rank of which that is known; nothing where there
 * is none, or any other may send. end: per rank, where its way ends, or a rank of the circle that
 * it leads into.
 */
void stand_left_add(struct wording *w, const struct stands *s, const uint32_t *end);

#endif
