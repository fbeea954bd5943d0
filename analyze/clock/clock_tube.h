/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How far two clocks may be apart at any time of the run, by what messages between them prove. In
 * each slot of the run the fastest from a to b, which seems to take f beyond the least, says that
 * b's clock is at most f ahead of a's; the fastest back, b, that it is at most b behind. From there
 * their difference changes by a rate: so much more may it be a while before and after.
 */
#ifndef ANALYZE_CLOCK_TUBE_H
#define ANALYZE_CLOCK_TUBE_H

#include <stdint.h>

#define CLOCK_TUBE_SLOTS 16384     /* at most */
#define CLOCK_TUBE_EMPTY INT64_MAX /* no message in a slot */

struct clock_tube {
	uint32_t slots;
	double slot_ns;
	double *room; /* by slot, for whoever asks */
};

/* The slots are of a run from 0 to wall_ns. Returns 0, or -1: no memory. */
int clock_tube_init(struct clock_tube *x, uint32_t slots, int64_t wall_ns);
void clock_tube_release(struct clock_tube *x);

uint32_t clock_tube_slot(const struct clock_tube *x, int64_t ns);

/*
 * Messages both ways in one slot that took less than the least together, by so much: the least is
 * not, or the clocks moved within the slot. 0: none did.
 */
int64_t clock_tube_excess_ns(const struct clock_tube *x, const int64_t *there, const int64_t *back);

/*
 * The usual rate, if the messages allow it. If those of one slot contradict those of another then,
 * twice the least rate at which they do not: clocks that bend do so more at some times than at
 * others.
 */
double clock_tube_rate(const struct clock_tube *x, const int64_t *there, const int64_t *back,
		       double usual);

/* How far b's clock may be ahead of a's, at most: in each slot. */
void clock_tube_most(const struct clock_tube *x, const int64_t *there, double rate,
		     double *most_ns);

#endif
