/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What an even share of the work saves where ranks share cores. A replay has one for each rank
 * (levelling.c), so there it is not all:
 *
 * - Work that is given to others needs their cores. All of it takes as long as its cores need for
 *   it, and certainly no longer than that and the longest chain of it one after the other (Graham
 *   1966, list scheduling). Of ranks with cores of different groups (core_groups.h) the chain may
 *   wait for each group in turn: then their times add up.
 * - A rank that waits in MPI asks for its core again and again. Less waiting leaves the cores to
 *   those that work: what any rank waited for one may go, too, but each still has its work to do,
 *   and all of it together needs the cores for as long as ranks surely had them for theirs.
 */
#ifndef ANALYZE_SHARED_CORES_H
#define ANALYZE_SHARED_CORES_H

#include "analyze/gains/levelling.h"

/*
 * Of a levelling by replay, make what its ranks' cores allow; nothing changes where each rank has
 * one. own_s: of each rank, its own time between MPI's start and end; longest has most of it.
 */
void shared_cores_allow(const struct evidence_base *b, const double own_s[], uint32_t longest,
			struct levelling *x);

/*
 * Of its own time, so many s between MPI's start and end, a rank surely had a core for so many; 0
 * where that is not known, as of several threads.
 */
double shared_cores_sure_s(const struct evidence_base *b, uint32_t rank, double own_s);

/*
 * And for so many at most it was without one, if MPI polls: in MPI a rank never sleeps then, so
 * where it ran or waited for a core for as long as it was in MPI, it slept outside.
 */
double shared_cores_away_s(const struct evidence_base *b, uint32_t rank, double own_s);

/* So long ranks that share cores waited for one, on average of all. */
double shared_cores_awaited_s(const struct evidence_base *b);

#endif
