/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Messages of a place and rank, one right after the other, that one to each destination might
 * replace. A burst ends where the rank computes for longer than a message is on its way. It may be
 * one across receives if all could as well be sent with the first one: in enough rounds, from one
 * receive to the next, nothing is computed from what came in between, and that was sent before any
 * of these was there, so is no answer to them. The other rounds run the same program. Whether the
 * later values are known by then, no trace can tell.
 */
#ifndef ANALYZE_BURST_H
#define ANALYZE_BURST_H

#include "analyze/gains/evidence_base.h"

#define BURST_GAP_NS 100 /* what goes by between two calls, their recording included */

struct burst {
	uint32_t end;     /* of the senders' list: it is before that one */
	int across;       /* something is received in between */
	uint32_t refused; /* those before that one are no burst across receives */
};

/*
 * The burst that begins with place k of the senders' list, whose key's places end with end.
 * refused: the burst's before it, 0 for the first: what was looked at is not looked at again.
 */
struct burst burst_at(const struct evidence_base *b, uint32_t k, uint32_t end, uint32_t refused);

#endif
