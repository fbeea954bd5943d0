/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What if exchanges sent their messages in another order? An event-driven replay: every rank takes
 * one turn after the other, with its own time before each; in a turn it sends its list and then
 * waits for what it needs. A synchronous send ends when its message has arrived, an eager one waits
 * only when too many to its destination are still under way (with endless buffers the order would
 * make no difference). Of one that is only begun the turn waits at its end, an eager one for
 * nothing. A rank's ports, out of it and into it, pass messages one by one, first come first
 * served, or all that are there side by side, each slower for the others. Then who has the same
 * destinations in the same order as others stays with them; one by one they soon are behind each
 * other. Seconds, bytes. No I/O; safe from any thread.
 */
#ifndef ANALYZE_REPLAY_H
#define ANALYZE_REPLAY_H

#include <stdint.h>

#include "common/err.h"

enum replay_mode { REPLAY_EAGER, REPLAY_SYNCHRONOUS, REPLAY_RENDEZVOUS };

struct replay_send {
	uint32_t dst;
	enum replay_mode mode;
	double o_s;         /* send overhead, s */
	double L_s;         /* latency to its destination, the overhead in it */
	double g_s;         /* time in a port */
	double handshake_s; /* rendezvous: of the request on its way, and of its answer */
	uint32_t credits;   /* eager: so many to its destination may be under way; 0 = any number */
	/* Not eager: its destination takes it from then on: REPLAY_BEGUN, _ENDED; 0: always. */
	uint32_t from;
	uint32_t until; /* 1 + the destination's turn that does not end without it; 0: none */
	int is_begun;   /* 1: its rank goes on to the next one at once (MPI_Isend) */
	double own_s;   /* its rank's own time since the send before; of a turn's first one: 0 */
};

/* How far a rank is: its turn k, from 0, has begun; has ended. */
#define REPLAY_BEGUN(k) (2 * (k) + 1)
#define REPLAY_ENDED(k) (2 * (k) + 2)

struct replay_turn {
	double own_s;   /* since the turn before ended; the first one: since the start */
	uint32_t first; /* its sends: replay.send[first .. first + n - 1] */
	uint32_t n;
	int together; /* 1: nobody begins it, the k-th, before all who have a k-th one come to it */
	double rest_s; /* own time after the last send, before it waits for what it needs */
};

struct replay_rank {
	uint32_t first; /* its turns: replay.turn[first .. first + turns - 1] */
	uint32_t turns;
};

enum replay_ports { REPLAY_ONE_BY_ONE, REPLAY_SIDE_BY_SIDE, REPLAY_PORTS };

struct replay {
	uint32_t ranks;
	struct replay_rank *rank;
	struct replay_turn *turn; /* by rank */
	struct replay_send *send; /* by turn */
	enum replay_ports ports;
	int rests_last; /* 1: rest_s is after the waiting, and does not overlap with it */
};

/*
 * *makespan_s: from the first turn's begin until the last one is over and all has arrived. Returns
 * 0, or -1 with *err set (out of memory, a destination that is no rank).
 */
int replay_run(const struct replay *r, double *makespan_s, struct err *err);

#endif
