/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Samples taken in blocks, a few in a row, with other measurements in between. Those of a block
 * have the machine's state at that time in common, so that many of them say less than as many
 * that are independent: the interval of the median is that of all samples and that of the
 * blocks' medians together, whichever reaches further (batch means, with medians). Seconds.
 */
#ifndef CALIBRATE_BLOCKS_H
#define CALIBRATE_BLOCKS_H

#include "calibrate/samples.h"

struct blocks {
	struct samples all, median; /* median: one of each block */
};

/* Add a block and empty it. Returns 0, or -1 without memory. */
int blocks_add(struct blocks *b, struct samples *block);
void blocks_release(struct blocks *b);

/* n is the number of samples. */
struct estimate blocks_median(struct blocks *b);

/* The same from the least block's median to the largest's: all states that there were. */
struct estimate blocks_range(struct blocks *b);

#endif
