/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What each collective would take from when its last rank has entered: on an idle machine, by
 * the best known algorithm, and for all-to-alls in contention, by the machine's signature.
 * A prediction is not made but refused, with a reason, where the machine does not know it.
 */
#ifndef ANALYZE_COLL_COSTS_H
#define ANALYZE_COLL_COSTS_H

#include "analyze/machine/machine.h"
#include "analyze/matching/collectives.h"

enum coll_refusal {
	COLL_PREDICTED,
	COLL_NO_FORMULA,   /* communicators, windows, files: no known cost */
	COLL_ALONE,        /* one rank */
	COLL_SHORT,        /* a member never entered */
	COLL_INCOMPLETE,   /* not all members are in the trace */
	COLL_NO_MACHINE,   /* no parameters for these ranks */
	COLL_NO_SIGNATURE, /* the machine file has none, or there is no file */
	COLL_NOT_EXCHANGE, /* a signature is of all-to-alls only */
	COLL_OUTSIDE,      /* not seen among so many ranks */
	COLL_CONTRADICTED, /* they took less */
	COLL_REFUSALS
};

struct coll_cost {
	double ranks;
	double bytes; /* as models/algorithms.h has them */
	double idle_s;
	const char *algorithm; /* behind idle_s */
	double signature_s;    /* with contention, */
	double alone_s;        /* and without, by the same measurement */
	uint8_t refused;       /* idle_s: enum coll_refusal */
	uint8_t no_signature;  /* signature_s: likewise */
};

struct coll_costs {
	const struct trace *t;
	const struct collectives *c;
	const struct machine *machine;
	uint8_t *far; /* per communicator: some members are on different hosts */
};

/* Returns 0, or -1 with *err set (out of memory). The tables must outlive x. */
int coll_costs_init(struct coll_costs *x, const struct trace *t, const struct collectives *c,
		    const struct machine *machine, struct err *err);
void coll_costs_release(struct coll_costs *x);

/* Of collective k. */
struct coll_cost coll_costs_at(const struct coll_costs *x, uint32_t k);

/* The same among so many ranks, if each handed in and got out as much as one does. */
struct coll_cost coll_costs_among(const struct coll_costs *x, uint32_t k, double ranks);

/* A sentence's end: why there is no prediction; "" when there is one. */
const char *coll_refusal_text(enum coll_refusal why);

#endif
