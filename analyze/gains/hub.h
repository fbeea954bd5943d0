/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The rank by way of which the others work: a master that gives them tasks, a logger, a server;
 * with messages, or as the root of collectives.
 */
#ifndef ANALYZE_HUB_H
#define ANALYZE_HUB_H

#include "analyze/gains/evidence_base.h"

/*
 * Of more than two ranks, with whom next to all messages are: *hub, or TRACE_NONE. Returns 0, or -1
 * with *err set (out of memory).
 */
int hub_find(const struct evidence_base *b, uint32_t *hub, struct err *err);

/*
 * Which rank of three or more serves the others instead of having a share of their work;
 * TRACE_NONE: none. One that takes next to all messages, sends hardly any, does less than the
 * others and waits for their messages rather than with them; or the root of next to all
 * collectives that has next to nothing to do.
 */
uint32_t hub_that_serves(const struct evidence_base *b);

#endif
