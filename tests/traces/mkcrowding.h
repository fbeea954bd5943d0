/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rounds of scenarios in which something other than a partner is in the way. For mkscenario.c. */
#ifndef TESTS_TRACES_MKCROWDING_H
#define TESTS_TRACES_MKCROWDING_H

#include "tests/traces/mksim.h"

/* The lower half of the ranks sends to the upper one through one link: network contention. */
void mkcrowding_shared_uplink(struct mksim *s);

/* Bursts of eager sends to a receiver that waits for them, with one buffer: back-pressure. */
void mkcrowding_back_pressure(struct mksim *s);

/* Messages that arrive while their receivers compute. */
void mkcrowding_inattention(struct mksim *s);

/* On one node: the receiver waits, but the processor is away when its message comes. */
void mkcrowding_oversubscription(struct mksim *s);

#endif
