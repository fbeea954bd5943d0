/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The ranks that can end a request which a rank waits for: one, or of a receive from anybody those
 * of its communicator that have not come to MPI_Finalize.
 */
#ifndef ANALYZE_STAND_PEERS_H
#define ANALYZE_STAND_PEERS_H

#include "analyze/standing/stands.h"

struct stand_peers {
	const struct stands *s;
	const struct loose *row;
	uint32_t next; /* of the communicator's ranks */
};

static inline struct stand_peers stand_peers_of(const struct stands *s, const struct loose *row)
{
	return (struct stand_peers){.s = s, .row = row};
}

/*
 * The next one into *peer; TRACE_NONE: nobody knows which, or who else. Returns 0 when there is
 * none any more.
 */
int stand_peers_next(struct stand_peers *x, uint32_t *peer);

#endif
