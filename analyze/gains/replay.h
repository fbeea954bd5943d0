/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What if an exchange sent its messages in another order? An event-driven replay: every
 * rank sends its list, through one port each way, first come first served at the
 * receiver; a synchronous send ends when its message has arrived, an eager one waits only
 * when too many to its destination are still under way (with endless buffers the order
 * would make no difference). Receivers are always ready, but not before they start.
 * Seconds, bytes. No I/O; safe from any thread.
 */
#ifndef ANALYZE_REPLAY_H
#define ANALYZE_REPLAY_H

#include <stdint.h>

#include "common/err.h"

enum replay_mode { REPLAY_EAGER, REPLAY_SYNCHRONOUS, REPLAY_RENDEZVOUS };

struct replay_send {
	uint32_t dst;
	enum replay_mode mode;
	double o_s;       /* send overhead, s */
	double L_s;       /* latency to its destination, the overhead in it */
	double g_s;       /* time in a port */
	uint32_t credits; /* eager: so many to its destination may be under way; 0 = any number */
};

struct replay_rank {
	double start_s; /* its first send */
	uint32_t first; /* its sends: replay.send[first .. first + n - 1] */
	uint32_t n;
};

struct replay {
	uint32_t ranks;
	struct replay_rank *rank;
	struct replay_send *send;
};

enum replay_order { REPLAY_RECORDED, REPLAY_STAGGERED, REPLAY_RANDOM };

struct replay_result {
	double makespan_s; /* first start to the last message's arrival or last send's return */
	double stall_s;    /* sum over ranks of time in sends beyond the overhead */
};

/* Returns 0, or -1 with *err set (out of memory, a destination that is no rank). */
int replay_run(const struct replay *r, struct replay_result *out, struct err *err);

/*
 * Reorder every rank's sends, messages to one destination staying together: staggered starts
 * after the own rank, random shuffles by seed. Returns 0, or -1 with *err set (out of memory).
 */
int replay_reorder(struct replay *r, enum replay_order order, uint64_t seed, struct err *err);

#endif
