/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One reading of what another machine saves: how much of a message's parts goes by its size, of a
 * collective's, and of queues. For what_if*.c only.
 */
#ifndef ANALYZE_WHAT_IF_TRIAL_H
#define ANALYZE_WHAT_IF_TRIAL_H

#include "analyze/flow/file_calls.h"
#include "analyze/gains/own_pieces.h"
#include "analyze/gains/what_if.h"

/* How much of what held messages up goes. */
enum contention_reading { CONTENTION_LIKELY, CONTENTION_STAYS, CONTENTION_GOES };

/* So much of a message's parts goes, of one size. */
struct cuts {
	double way;  /* of the idle wire, with what a handshake takes */
	double port; /* of what others ahead of it take, which are like it */
	double o_s;
};

/* What a call does with the messages that it completes. */
struct handled {
	int64_t takes_ns;     /* to handle them, one after the other, */
	int64_t took_less_ns; /* so much less than it did; */
	int64_t less_ns;      /* one's way is so much shorter, */
	int64_t waited_ns;    /* and so long the call waited for one */
};

/* One replay. */
struct trial {
	const struct evidence_base *b;
	const struct what_if *what;
	enum contention_reading contention;
	struct machine machine;
	struct own_steps steps;
	struct cuts *cuts; /* per size */
	double *coll;      /* per collective: so much of its transfer goes, */
	double *coll_s;    /* of as long as it takes on an idle machine; INFINITY: of all */
	double *core;      /* per rank: for so much of its time it surely had one */
	int64_t *less_ns, *rest_ns, *own_ns;
	struct handled *handled; /* per call */
	struct file_calls files;
};

/* Find the cuts of the machine and reading at hand. Returns 0, or -1 with *err set (no memory). */
int trial_cut(struct trial *t, struct err *err);

/*
 * Of what a queue takes that is in proportion to what those in it take: so much of it goes. Without
 * a core a rank may have waited for that instead: likely in that share of its queues. core: for how
 * much of the time those in it had one.
 */
double trial_queue_cut(const struct trial *t, double cut, double core);

/*
 * Of the ns that a rank's call is in a collective when all are there, so much goes: what is beyond
 * an idle machine's time is a queue, or waits for the ranks' cores.
 */
double trial_collective_ns(const struct trial *t, uint32_t collective, uint32_t rank, double ns);

/* With these cuts, how much shorter every message's way, call and piece of own work is. */
void trial_shorten(struct trial *t);

#endif
