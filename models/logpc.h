/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * LoGPC: the time of messages with contention (Moritz and Frank, IEEE TPDS 12(4), 2001,
 * sections 2, 3.1, 3.2 and 5.1). C_n is from logpc_network.h; long messages pass through
 * a pipeline of two DMA engines and the network.
 * Pure: no I/O, no allocation, no globals; safe from any thread. Any one unit of time.
 */
#ifndef MODELS_LOGPC_H
#define MODELS_LOGPC_H

#include "common/err.h"
#include "models/logpc_network.h"

struct logpc {
	double o_s; /* processor's overhead of a send; of long messages o_sl */
	double o_r; /* of a receipt; of long messages o_rl */
	double L;   /* latency */
	double G;   /* time per byte through the network */
	double B;   /* bytes of a message */
	double C_r; /* contention for processors in a request and its reply, about o_s + o_r */
	struct logpc_network net;
};

enum logpc_kind {
	LOGPC_SHORT, /* one message: o_s + L + C_n + o_r, eq. (8)(9) */
	LOGPC_LONG,  /* one message: o_s + (B - 1) G + L + C_n, eq. (10) */
	LOGPC_SYNC,  /* request and reply: 2 (o_s + L + C_n + o_r) + C_r, section 5.1.1 */
	LOGPC_ASYNC, /* a message sent and one received: o_s + o_r, section 5.1.2 */
	LOGPC_REMAP, /* a long message sent and one received: 2 G B + C_n, section 5.1.3 */
};

/* A cycle without contention and how it sends: the default of T below. */
struct logpc_cycle logpc_cycle(const struct logpc *p, enum logpc_kind kind);

/*
 * The contention and the time of one message or cycle; T, without contention, as the
 * program sends (one message each T; LOGPC_SYNC two). Senders wait for the network, eq. (7), except
 * LOGPC_ASYNC's, which send each T whatever happens. Returns 0, or -1 with *err set and the
 * outputs unchanged: negative or not finite inputs, or rho >= 1 where nobody waits.
 */
int logpc_time(const struct logpc *p, enum logpc_kind kind, double T,
	       struct logpc_contention *contention, double *time, struct err *err);

/* The time that a kind takes when C_n is known. */
double logpc_time_at(const struct logpc *p, enum logpc_kind kind, double C_n);

/*
 * Eq. (2), a long message through the DMA engines on an idle network, end to end:
 * o_s + L + max(o_r + a G + B G_m, (B - 1) G). a: bytes before the interrupt, G_m: time per
 * byte to memory. From about 1,000 bytes on it is eq. (1). Returns 0, or -1 with *err set.
 */
int logpc_pipeline(const struct logpc *p, double a, double G_m, double *time, struct err *err);

struct logpc_styles {
	double sync;      /* request and reply per value */
	double async;     /* one way per value */
	double advantage; /* sync / async: above 1 asynchronous messages win */
	double hot_break; /* the skew from which the hot node is the limit even of sync */
};

/*
 * Synchronous against asynchronous messages (section 5.1) when the busiest node receives
 * hot times the mean (1: evenly). Everybody waits for that node: a value costs at least
 * hot o_r + o_s one way, and hot (o_s + o_r) + o_r with replies, our extension of the
 * paper's remark that hot spots take the advantage away. Returns as logpc_time.
 */
int logpc_compare_styles(const struct logpc *p, double hot, struct logpc_styles *out,
			 struct err *err);

#endif
