/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Ranks are read by several hands, each into tables of its own, and put together in their order:
 * so the trace is the same as if one hand had read all. Whoever is ahead waits for its turn.
 * Private to reader*.c.
 */
#ifndef ANALYZE_READER_HANDS_H
#define ANALYZE_READER_HANDS_H

#include "analyze/reader/reader_load.h"

/* Read a rank into l, whose tables are empty. Returns 0, or -1 with l's error set. */
typedef int load_one(struct load *l, uint32_t rank, uint64_t chunk_bytes);

/* All ranks into whole. Returns 0, or -1 with the error of the first rank that failed. */
int load_by_hands(struct load *whole, load_one *read_rank, uint64_t chunk_bytes);

/* What is of no use once the trace is complete, but for the definitions. */
void load_release(struct load *l);

#endif
