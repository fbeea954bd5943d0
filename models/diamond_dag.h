/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The Diamond DAG in stripes under LoGPC (Moritz and Frank, IEEE TPDS 12(4), 2001, section
 * 5.2): n x n tasks, P stripes of b blocks each; a block waits for the one below and sends
 * its upper edge to the next stripe. Few blocks wait long for the first, many pay overheads.
 * Pure: no I/O, no allocation, no globals; safe from any thread. Any one unit of time.
 */
#ifndef MODELS_DIAMOND_DAG_H
#define MODELS_DIAMOND_DAG_H

#include "common/err.h"
#include "models/logpc_network.h"

struct diamond {
	double n;         /* tasks in each direction */
	double P;         /* stripes, a node each */
	double b;         /* blocks in a stripe, 1 to n */
	double t_task;    /* time of a task */
	double alpha_agg; /* time to pack and unpack a value */
	double o_s;       /* send overhead */
	double L;         /* latency */
	double G;         /* time per byte */
	double a;         /* bytes before the receiver is interrupted */
	double bytes;     /* of a block's message, whatever b is; 0: bytes_per_value n/b */
	double bytes_per_value;
	struct logpc_network net; /* k_d of the mapping of stripes to nodes; 0: no contention */
};

struct diamond_result {
	double M;             /* makespan, eq. (15) */
	double M_contention;  /* upper bound: every send and receipt of the critical path waits */
	double C_n;           /* for each, from m_c = 1/(v + 2 C_n) */
	double W;             /* work of a block, aggregation included */
	double O_s, O_r;      /* of a block's message */
	double communication; /* 2 G B of a block over W */
	double b_opt;         /* dM/db = 0, within 1 to n */
	double b_best;        /* the whole number with the least M */
	double b_best_contention; /* ... with the least M_contention */
};

/* The same of blocks as they were seen in a run. */
struct diamond_stripes {
	double P;        /* stripes, a node each */
	double W;        /* work of a block */
	double hop;      /* from the start of a block's send to the end of its receipt: d + O_r */
	double O_s, O_r; /* what a block's message takes of its sender and of its receiver */
	double gap;      /* at the least between two messages of a sender, whatever else; or 0 */
};

/* The makespan of b blocks in each stripe, eq. (15). Inputs are not checked. */
double diamond_makespan(const struct diamond_stripes *x, double b);

/*
 * Returns 0, or -1 with *err set and *out unchanged: an input is negative or not finite, P < 2,
 * b outside of 1 to n.
 */
int diamond_solve(const struct diamond *m, struct diamond_result *out, struct err *err);

#endif
