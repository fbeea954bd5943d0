/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * LoPC for clients and servers (Frank, Agarwal, Vernon, PPoPP 1997, section 5): P_s of P
 * nodes only serve, the others work W, ask a random server and wait. How many requests the
 * machine serves, and with how many servers it serves most.
 * Eq. (12) is P R_s / (R + R_s), and in (18) the divisor 2 is outside of the root:
 * P_s_opt = P R_s_opt / (W + 2 S_l + S_y + 2 R_s_opt). The handler of the reply, which nobody
 * queues for, may take another time than the server's: S_y for the last S_o of (17).
 * Pure: no I/O, no allocation, no globals; safe from any thread. Any one unit of time.
 */
#ifndef MODELS_LOPC_SERVER_H
#define MODELS_LOPC_SERVER_H

#include "common/err.h"

struct lopc_server {
	double P;   /* nodes, clients and servers, a whole number */
	double W;   /* mean work of a client between requests */
	double S_o; /* mean time of a server's handler */
	double S_l; /* latency of a message, each way */
	double C2;  /* squared coefficient of variation of a server's handlers' times */
	double S_y; /* mean time of the reply's handler at the client; in the paper S_o */
};

struct lopc_server_at {
	double P_s;          /* servers; need not be whole */
	double X;            /* requests served per unit of time, eq. (11) */
	double R;            /* a client's cycle, eq. (17) */
	double R_s;          /* at the server, waiting included, eq. (14) */
	double U_s;          /* share of a server's time in handlers, eq. (13) */
	double Q_s;          /* mean requests at a server, eq. (10) */
	double bound_server; /* LogP: X <= P_s / S_o; INFINITY when S_o is 0 */
	double bound_client; /* LogP: X <= (P - P_s) / (W + 2 S_l + S_o + S_y) */
};

struct lopc_server_best {
	double R_s_opt;  /* eq. (16) */
	double P_s_opt;  /* eq. (18), corrected: where a server has one request on average */
	double X_opt;    /* eq. (10) at P_s_opt */
	double P_s_best; /* the whole number of servers, 1 to P - 1, with the most throughput */
	double X_best;
};

/*
 * With P_s servers, 0 < P_s < P. Returns 0, or -1 with *err set and *out unchanged: an
 * input is negative, not finite or out of range, or a cycle takes no time at all.
 */
int lopc_server_solve(const struct lopc_server *m, double P_s, struct lopc_server_at *out,
		      struct err *err);

/* The best numbers of servers. Returns as lopc_server_solve. */
int lopc_server_best(const struct lopc_server *m, struct lopc_server_best *out, struct err *err);

#endif
