/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Exchanges with known truth: every round each rank posts its receives, sends one or more
 * blocks to every other rank in some order, waits for all and computes. Simulated with one
 * receiving port per rank, independently of the analyzer's own replays.
 */
#ifndef TESTS_UNIT_EXCHANGE_H
#define TESTS_UNIT_EXCHANGE_H

#include "tests/unit/tables.h"

enum exchange_order { EXCHANGE_SAME, EXCHANGE_DESCENDING, EXCHANGE_STAGGERED, EXCHANGE_RANDOM };

struct exchange {
	uint32_t ranks;
	uint32_t rounds;
	uint32_t blocks; /* messages to each destination in a round */
	enum exchange_order order;
	enum region_kind send; /* REGION_SSEND or REGION_ISEND */
	uint64_t bytes;
	int64_t L_ns, o_ns, g_ns; /* of a message of that size */
	int64_t compute_ns;       /* per round, times 0.5 to 1.5 */
	uint64_t seed;
};

/* The tables, finished; caller: tables_release. Sends are at site 3. */
void exchange_make(struct tables *x, const struct exchange *e);

/* A pseudo-random number below n; moves the state on. */
uint32_t exchange_draw(uint64_t *state, uint32_t n);

#endif
