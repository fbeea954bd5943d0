/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Messages and collectives that a pause of the recording leaves out, counted per channel so
 * that those after it still find their partners.
 *
 * Sends and collectives count in the order of their calls: the next one that is recorded says
 * how many are missing before it. A receive counts where it was posted, but its channel may
 * not be known before it completes: what is missing is said at the end of the pause, before
 * all that are posted after it. Takes memory for the channels whose counts are not yet said,
 * at most SKIPPED_CHANNELS of them; beyond that, numbers are unknown.
 */
#ifndef INTERPOSE_SKIPPED_H
#define INTERPOSE_SKIPPED_H

#include "interpose/job/recorder.h"

enum skipped_way { SKIPPED_SENDS, SKIPPED_RECVS, SKIPPED_COLLS };

struct skipped_channel {
	enum skipped_way way;
	uint32_t comm;
	int32_t peer, tag; /* 0 of collectives */
};

/* A window in place of the communicator: its collectives are a channel of their own. */
#define SKIPPED_WINDOW(id) ((id) | UINT32_C(1) << 31)

#define SKIPPED_CHANNELS 65536

/* n more on this channel are not recorded. */
void skipped_add(const struct skipped_channel *channel, uint32_t n);

/* One less: the call failed. */
void skipped_remove(const struct skipped_channel *channel);

/*
 * How many sends or collectives are missing before this one, which is recorded, or
 * SCHEMA_SKIPPED_UNKNOWN. That is said now, and forgotten.
 */
uint32_t skipped_take(const struct skipped_channel *channel);

/* Write what receives are missing into the log, as parts of the call that ends the pause. */
void skipped_write_receives(struct lane *l);

/* comm, or a window, is gone: nothing is to be said of it any more. Caller holds the lock. */
void skipped_forget(uint32_t comm);

#endif
