/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Work that several threads share: n pieces of it, receivers or ports for instance, each done by
 * whoever is free. A piece must not depend on another one, and writes nothing but what is its own
 * or its hand's. Hands sum up whole numbers only: so no result depends on how many they are
 * or who did what.
 */
#ifndef ANALYZE_SHARE_H
#define ANALYZE_SHARE_H

#include <stdint.h>

#include "common/err.h"

/*
 * How many hands there are for this process, from 1 to SHARE_MOST: as many as a launcher started
 * copies of it on this node, all but the first of which leave; else as it may use cores.
 */
#define SHARE_MOST 64
unsigned share_hands(void);

/* Do one piece. hand: which of them does it, from 0 on. Returns 0, or -1 with *err set. */
typedef int share_piece(void *work, unsigned hand, uint32_t piece, struct err *err);

/*
 * Have all n pieces done by so many hands, or fewer if there are not that many threads. Returns 0,
 * or -1 with *err set as the first of the pieces that failed has it; then not all are done.
 */
int share_run(unsigned hands, uint32_t n, share_piece *piece, void *work, struct err *err);

#endif
