/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whose turn it is in a measurement of sizes that take turns: in random order, and those whose turn
 * costs next to nothing again after each expensive one, so that time is spent on all and not on the
 * largest alone. Seconds. Pure.
 */
#ifndef CALIBRATE_ROUNDS_H
#define CALIBRATE_ROUNDS_H

#include <stddef.h>
#include <stdint.h>

/* *random is the generator's state, not 0. */
void rounds_shuffle(size_t order[], size_t n, uint64_t *random);

/*
 * Which of n turns that cost cost_s each are cheap beside the i-th: a fiftieth of it, so that
 * fifty of them together do not cost as much. Returns how many; cheap has room for n.
 */
size_t rounds_cheap(const double cost_s[], size_t n, size_t i, size_t cheap[]);

#endif
