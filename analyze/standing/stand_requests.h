/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * For whom ranks waited that stood in MPI_Wait and the like, or polled requests, and, as if by
 * requests, in MPI_Sendrecv and in receives from any rank. It hung because of one that was begun
 * and could not complete, of those that the call was given, or, as of polls, and of calls with
 * many, that is not recorded, of all: if all of these are with one rank, it waited for that one,
 * and if they are with several that lead to one, for this one through others (stand_ways.h). A
 * known MPI_Waitall waits for each of them that nobody has sent. Of whom collectives, windows,
 * files and the program's own requests wait for nothing is known: a rank with one of these says
 * nothing.
 */
#ifndef ANALYZE_STAND_REQUESTS_H
#define ANALYZE_STAND_REQUESTS_H

#include "analyze/standing/stands.h"

/* Returns 0, or -1: out of memory. */
int stand_requests_find(struct stands *s);

#endif
