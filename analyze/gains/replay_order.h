/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sends of a replay in another order. */
#ifndef ANALYZE_REPLAY_ORDER_H
#define ANALYZE_REPLAY_ORDER_H

#include "analyze/gains/replay.h"

enum replay_order { REPLAY_RECORDED, REPLAY_STAGGERED, REPLAY_RANDOM };

/*
 * Reorder every turn's sends, messages to one destination staying together: staggered starts
 * after the own rank, random shuffles by seed. Returns 0, or -1 with *err set (out of memory).
 */
int replay_reorder(struct replay *r, enum replay_order order, uint64_t seed, struct err *err);

#endif
