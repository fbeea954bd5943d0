/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who sends only when it has what another one sent. For server_load.c. */
#ifndef ANALYZE_ANSWERING_H
#define ANALYZE_ANSWERING_H

#include "analyze/gains/evidence_base.h"

/*
 * Does each of two ranks send to the other only when it has what that sent? Returns how many times
 * they do so; 0: they do not.
 */
uint32_t answering_turns(const struct messages *m, uint32_t a, uint32_t b);

/*
 * Does the rank send first, to one that then answers it, before it sends anything else? A client
 * does so; a server only answers, or first hands out work to several.
 */
int answering_asks_first(const struct evidence_base *b, uint32_t rank);

/*
 * Ranks that do nothing but answer: what they send goes to where they received from last, or with
 * the last from others, and what they compute they do before they answer. is_server: per rank,
 * 0 or 1 is stored there. Returns how many ranks that are.
 */
uint32_t answering_find(const struct evidence_base *b, uint8_t *is_server);

#endif
