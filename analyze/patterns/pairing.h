/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Each rank with one other: whom it sends to, so that no two send to one, or who its partner is.
 * The two with most messages are taken first: a stray where a message is missing, too, does not
 * take a rank that others have more for. Ranks that nobody is left for stay alone.
 */
#ifndef ANALYZE_PAIRING_H
#define ANALYZE_PAIRING_H

#include "analyze/patterns/traffic.h"

/* No more of the messages than this can be between ranks and one that each of them sends to. */
double pairing_messages_max(const struct traffic *t);

/*
 * next[r]: the edge from rank r, of more than strays, or NULL. Returns 0, or -1 with *err set (out
 * of memory).
 */
int pairing_one_way(const struct traffic *t, const struct edge **next, struct err *err);

/*
 * partner[r], which has r as its own, with half of two edges' messages at least, or TRAFFIC_NONE.
 * Returns 0, or -1 with *err set (out of memory).
 */
int pairing_mutual(const struct traffic *t, uint32_t *partner, struct err *err);

#endif
