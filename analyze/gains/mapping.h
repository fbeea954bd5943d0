/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Ranks at other places of the same nodes, and what the run would save so. A message that then
 * stays on its node costs less and is in nobody's way between nodes: it waits there no more, and
 * neither do those that wait for its ranks (retime.c). That is likely; at most those that still go
 * between nodes wait less in proportion. Collectives are not in the matrix: which messages MPI
 * makes of them is not known.
 */
#ifndef ANALYZE_MAPPING_H
#define ANALYZE_MAPPING_H

#include "analyze/gains/evidence_base.h"
#include "analyze/gains/rank_order.h"

#define MAPPING_RANKS 2048 /* at most: the matrix is dense, 32 MiB */

struct mapping {
	const struct evidence_base *b;
	uint32_t *node;  /* per rank */
	uint32_t *first; /* per node: a rank of it */
	double *weight;
	double *near_s;    /* per price: what such a message's way takes within a node, */
	double *extra_s;   /* and more on its way between nodes: all where that is unknown, */
	double *take_s;    /* and more to be taken from another node, likewise, */
	double *port_s;    /* and how long it is in a port between nodes */
	int64_t *less_ns;  /* per message: its way is so much shorter, */
	int64_t *rest_ns;  /* per call: and so is what it does with those that it takes; or < 0 */
	int64_t *wait_ns;  /* per message: it waits so long in the nodes' ports then; 0 at first, */
	int64_t *tried_ns; /* and as last tried */
	int64_t *sooner_ns; /* per call: it is entered so much sooner then */
	uint32_t *
		order; /* order[i]: the rank that runs where rank i does now; the caller's choice */
	uint32_t *place; /* per rank: whose place it gets */
	struct rank_order x;
	double bytes, now, then; /* all, between nodes now, in the new order */
	double site_bytes;
	uint32_t site_call; /* of the place that sends most between nodes */
};

/*
 * With x of the nodes and what goes between them. Returns 0, or -1 with *err set (out of memory).
 * Caller: mapping_release.
 */
int mapping_init(struct mapping *m, const struct evidence_base *b, struct err *err);
void mapping_release(struct mapping *m);

/* Are there places to choose: several nodes, and one with several ranks? */
int mapping_has_choice(const struct mapping *m);

/* Of order: what goes between nodes then. As mapping_init(). */
int mapping_weigh(struct mapping *m, struct err *err);

/*
 * Then what the run would save so, s: likely, and at most; < 0: it takes longer. As mapping_init().
 */
int mapping_save(struct mapping *m, double *likely_s, double *most_s, struct err *err);

/*
 * And if what then goes between nodes, and does not now, waits in the nodes' ports: those pass all
 * one by one, and each message waits for others. From too many and too few at the same time by
 * turns towards what agrees: who waits comes later to the next exchange. After mapping_save().
 * Returns 0, or -1 with *err set (out of memory).
 */
int mapping_save_queueing(struct mapping *m, double *saved_s, struct err *err);

#endif
