/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The machine on which the scenarios of mktrace are played: LogGP-like costs, one receiving
 * port per rank that takes messages in order of arrival, and a clock per rank. What is played
 * goes into the trace as the ranks' clocks show it and, with its parts, into the outcome. For
 * mkscenario*.c only.
 */
#ifndef TESTS_TRACES_MKSIM_H
#define TESTS_TRACES_MKSIM_H

#include "tests/traces/mkscenario.h"

#define MKSIM_BYTES      4096
#define MKSIM_O_S_NS     1000  /* send overhead */
#define MKSIM_O_R_NS     1500  /* receive overhead */
#define MKSIM_POST_NS    200   /* to post a receive */
#define MKSIM_L_NS       20000 /* latency */
#define MKSIM_G_NS       8000  /* a message's time in the receiver's port */
#define MKSIM_COMPUTE_NS 50000
#define MKSIM_LATE_NS    300000

#define MKSIM_SITE_SEND "/opt/app/exchange:-+0x1100"
#define MKSIM_SITE_RECV "/opt/app/exchange:-+0x1200"
#define MKSIM_SITE_WAIT "/opt/app/exchange:-+0x1300"
#define MKSIM_SITE_SYNC "/opt/app/exchange:-+0x1400"

struct mksim {
	struct mktrace *m;
	uint32_t ranks;
	int64_t *now_ns;       /* each rank's time */
	int64_t *port_free_ns; /* each rank's receiving port */
	struct mkoutcome *out;
	size_t room;
	uint32_t state;
	int64_t (*clock)(uint32_t rank, int64_t ns); /* what it shows; NULL: the time */
};

/* A transfer to a port: when it arrives there, begins and ends. */
struct mktransfer {
	int64_t arrives_ns, begins_ns, ends_ns;
};

struct mktransfer mksim_transfer(struct mksim *s, uint32_t dst, int64_t leaves_ns);

/* A new fate with the parts that every message has; valid until the next one. */
struct mkfate *mksim_fate(struct mksim *s, uint32_t src, uint32_t dst, int64_t sent_ns);

struct mkop mksim_op(enum op_kind kind, uint32_t peer, uint64_t request);

/* A call of one record that keeps its rank until leave_ns. */
void mksim_call(struct mksim *s, uint32_t rank, int64_t leave_ns, const char *function,
		const struct mkop *record);
/* One that completes n requests. */
void mksim_wait(struct mksim *s, uint32_t rank, int64_t leave_ns, uint32_t n,
		const struct mkop records[n]);
/* One without a record. */
void mksim_idle(struct mksim *s, uint32_t rank, int64_t leave_ns, const char *function);
void mksim_barrier(struct mksim *s);

#endif
