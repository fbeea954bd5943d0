/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A call site's exchanges as a replay: each rank's episodes there are its turns, as long apart as
 * the rank itself needs. In one it waits for what of all this was received by its end, and a
 * message that is not eager waits for its receive. Where a collective of all lies between, they
 * begin the next one together. Of a long run it is the beginning.
 */
#ifndef ANALYZE_REPLAY_EXCHANGES_H
#define ANALYZE_REPLAY_EXCHANGES_H

#include "analyze/gains/evidence_base.h"
#include "analyze/gains/replay.h"

struct replay_exchanges {
	struct replay replay;         /* its lists are what follows */
	struct replay_send *recorded; /* of replay.send, which others may put in another order */
	uint32_t sends, turns;
	int waits;         /* a send call waits for its receiver */
	double measured_s; /* from the first turn's begin to the last one's end, as recorded */
	double share;      /* of the site's messages */
};

/* Returns 0, or -1 with *err set (out of memory). Caller: replay_exchanges_release. */
int replay_exchanges_init(struct replay_exchanges *x, const struct evidence_base *b,
			  const struct episodes *e, struct err *err);
void replay_exchanges_release(struct replay_exchanges *x);

/*
 * Back to the order that was recorded. share: so much of L + g a message is in the port, and no
 * time on its way; < 0: as the machine has it.
 */
void replay_exchanges_reset(struct replay_exchanges *x, double share);

/* Every send is only begun, and waited for at the end of its turn; until the next reset. */
void replay_exchanges_begin(struct replay_exchanges *x);

#endif
