/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * LoPC for any pattern of requests (Frank, Agarwal, Vernon, PPoPP 1997, appendix A): a
 * cycle of node i is work W_i, then a request that visits node k V_ik times on average (a
 * row may sum to more than 1: requests of several hops), then the reply. Nodes may differ
 * in work and in the time of their handlers.
 * Pure: no I/O, no globals, memory only during the call; safe from any thread. Any one unit
 * of time. 1,000 nodes with a dense V take a fraction of a second and little memory.
 */
#ifndef MODELS_LOPC_GENERAL_H
#define MODELS_LOPC_GENERAL_H

#include <stddef.h>

#include "common/err.h"
#include "models/lopc.h"

/*
 * V, borrowed. Dense: value has nodes x nodes numbers, row after row, and start is NULL.
 * Sparse: row i has value[start[i]] to value[start[i + 1] - 1], for the nodes in column.
 */
struct lopc_visits {
	const double *value;
	const size_t *start;  /* nodes + 1 */
	const size_t *column; /* start[nodes]; each less than nodes */
};

struct lopc_general {
	size_t nodes;      /* 2 or more */
	const double *W;   /* work of each node; INFINITY: it never asks, it only serves */
	const double *S_o; /* mean time of each node's handlers */
	struct lopc_visits V;
	double S_l; /* latency of a message */
	double C2;  /* squared coefficient of variation of the handlers' times */
	enum lopc_handlers handlers;
};

/* Buffers of the caller, a number for each node; those that are NULL are not written. */
struct lopc_general_result {
	double *R;     /* cycle, eq. (28); INFINITY where W is */
	double *R_w;   /* of it the work with its interruptions, eq. (27) */
	double *R_q;   /* a request at this node, eq. (25) */
	double *R_y;   /* the reply at this node, eq. (26) */
	double *U_q;   /* share of the node's time in request handlers, eq. (21) */
	double *U_y;   /* the same in reply handlers, eq. (22) */
	double *Q_q;   /* mean requests at the node, eq. (23) */
	double *Q_y;   /* mean replies at the node, eq. (24) */
	double X;      /* cycles of all nodes per unit of time */
	size_t rounds; /* evaluations of the equations that it took */
};

/*
 * Solve (19) to (28). Returns 0, or -1 with *err set and the buffers unchanged: an input is
 * negative or not finite, a cycle takes no time, no memory, or no convergence.
 */
int lopc_general_solve(const struct lopc_general *m, struct lopc_general_result *out,
		       struct err *err);

#endif
