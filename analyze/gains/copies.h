/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The run among more ranks or fewer, each with as much to do as one has now (weak scaling): beside
 * copies of itself, which it meets in the collectives of all ranks. These take what they would
 * among so many; messages stay among a copy's ranks, as a pattern's do whose ranks have the same
 * few partners however many there are. So LogGOPSim extrapolates traces (Hoefler, Schneider,
 * Lumsdaine, HPDC 2010).
 */
#ifndef ANALYZE_COPIES_H
#define ANALYZE_COPIES_H

#include "analyze/gains/evidence_base.h"
#include "analyze/gains/what_if.h"

/*
 * Do nearly all messages go between ranks of which each has few partners? One that has most others
 * would have others more, and how often is not known. Returns 1 or 0, or -1 with *err set (out of
 * memory).
 */
int copies_are_apart(const struct evidence_base *b, struct err *err);

/*
 * What is saved among so many ranks, one at least, of a run of two at least; less than 0: it takes
 * longer. Likely, collectives of all ranks grow as the best known algorithm does, or by their steps
 * where none is known; and where another rank is the last from one to the next, by chance, it comes
 * as much later than the mean as the last of so many normal deviates (by the logarithm's square
 * root). Taking longer, it comes as the last of exponential ones (by the logarithm), in any case;
 * collectives grow with the ranks, or by an algorithm that is half as fast; and those of some ranks
 * grow, too. Taking less, all is as now. Among fewer ranks it is the other way round, and the last
 * may come with the others. Returns 0, or -1 with *err set (out of memory).
 */
int copies_saving(const struct evidence_base *b, uint32_t ranks, struct what_if_saving *out,
		  struct err *err);

#endif
