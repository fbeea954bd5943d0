/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * LoPC: contention for the message handlers of a machine on which every node asks every
 * other one, equally often (Frank, Agarwal, Vernon, PPoPP 1997, section 4). A node works
 * W, sends a request and waits for its reply; request and reply each cost S_o on the node
 * where they arrive, interrupt its work and queue behind other handlers.
 * Limits: the network itself has no contention (see logpc_network.h), one request in flight per
 * node. The equations do not contain P; it is only asked to be 2 or more.
 * Pure: no I/O, no allocation, no globals; safe from any thread. Any one unit of time.
 */
#ifndef MODELS_LOPC_H
#define MODELS_LOPC_H

#include "common/err.h"

enum lopc_handlers {
	LOPC_INTERRUPT_WORK,    /* requests interrupt the node's own work, eq. (7) */
	LOPC_PROTOCOL_PROCESSOR /* handlers have a processor of their own: R_w = W, section 4.2 */
};

struct lopc {
	double P;   /* nodes, a whole number */
	double W;   /* mean work between requests */
	double S_o; /* mean time of a handler */
	double S_l; /* latency of a message, each way */
	double C2;  /* squared coefficient of variation of the handlers' times; 0: constant */
	enum lopc_handlers handlers;
};

struct lopc_result {
	double R;     /* one cycle of work, request and reply, eq. (1) */
	double R_w;   /* of it the work with its interruptions, eq. (7) */
	double R_q;   /* the request at the other node, eq. (5') */
	double R_y;   /* the reply at home, eq. (6') */
	double U;     /* share of a node's time in request handlers; as much in replies, eq. (4) */
	double Q_q;   /* mean requests at a node, eq. (3) */
	double Q_y;   /* mean replies at a node, eq. (3) */
	double lower; /* without contention, eq. (9) */
	double upper; /* with the most, eq. (9); 3.46 handlers at C2 = 0 */
	double rule;  /* rule of thumb: one handler more than without contention */
	double contention;      /* R - lower, the sum of the next three */
	double contention_work; /* R_w - W */
	double contention_request;
	double contention_reply;
	double share; /* contention / R */
};

/*
 * Solve eq. (1) to (7) with (5')(6'). With all of W, S_o and S_l 0 everything is 0. Returns
 * 0, or -1 with *err set and *out unchanged when an input is negative or not finite or P < 2.
 */
int lopc_solve(const struct lopc *m, struct lopc_result *out, struct err *err);

/* n R, the run time of n requests a node. Returns 0, or -1 with *err set. */
int lopc_run_time(const struct lopc_result *r, double n, double *time, struct err *err);

/*
 * The right side of eq. (1) at a cycle R > 1.618 S_o: what a cycle would last if requests
 * came every R. It falls as R grows; where it equals R is the model's answer. At C2 = 0
 * this is eq. (8).
 */
double lopc_cycle(const struct lopc *m, double R);

#endif
