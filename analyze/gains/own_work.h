/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How evenly the ranks' own time is shared: over the run and in each of its steps; who has most,
 * and before which calls. Who serves the others (hub.h) has no share of it.
 */
#ifndef ANALYZE_OWN_WORK_H
#define ANALYZE_OWN_WORK_H

#include "analyze/gains/own_pieces.h"

/* Sums of the run, of the ranks that share the work. */
struct own_sums {
	double mean_s, most_s, least_s;
	uint32_t most, least; /* ranks */
	double fixed_s;       /* longest - mean over the run */
	double steps_s;       /* the same step by step; */
	double among_s;       /* and if ranks with next to nothing in the run are left out */
	double proven_s;      /* longest - mean, whatever of it was waiting for a core */
	double led_share;     /* of steps_s, in steps of which the longest of the run has most */
	double span_s;        /* an average rank's time but for starting and ending MPI */
	double wait_s;        /* of an average rank, for others that came late; */
	double kept_s;        /* and what else it may have been kept by that others computed */
	double away_s;        /* without a core though it could run: the rank with most, */
	double all_away_s;    /* and all together, outside MPI at most */
	double files_s;       /* in calls that read and write files: the rank with most own time, */
	double mean_files_s;  /* and the mean of all; */
	double files_steps_s; /* and of steps_s */
};

/* The two calls around computation, and their place. */
struct own_bounds {
	uint32_t from, to; /* calls, or TRACE_NONE */
	uint32_t place;
	double excess_s; /* over the mean */
	uint32_t pieces; /* of the computation there */
	double most_s;   /* of it after from's place */
};

struct own_work {
	const struct evidence_base *b;
	struct own_steps cut;
	struct own_sums sum;
	double *rank_s;  /* per rank: computation between MPI_Init and MPI_Finalize */
	double *wait_s;  /* per rank: waiting for others that came late */
	double *files_s; /* per rank: of rank_s, in calls that read and write files */
	/* own_work.c's: */
	double *sum_s;  /* per step: of all ranks */
	double *most_s; /* per step: of the rank with most */
	uint32_t *who;  /* per step: that rank */
	double *step_s; /* per step: of the rank at hand, in so many steps */
	double *step_files_s, *sum_files_s, *most_files_s; /* of step_s, sum_s, most_s: for files */
	uint32_t steps;
	double *all_s;    /* per place: computation before calls there, of all ranks, */
	double *mine_s;   /* of the longest, */
	double *from_s;   /* and of that, by the call before it */
	uint32_t longest; /* that rank; TRACE_NONE: in each step another */
	struct own_bounds at;
};

/* Returns 0, or -1 with *err set (out of memory). Caller: own_work_release. */
int own_work_init(struct own_work *w, const struct evidence_base *b, struct err *err);
void own_work_release(struct own_work *w);

/*
 * Where longest (TRACE_NONE: each step's longest) exceeds the mean most: w->at. Once for each
 * own_work.
 */
const struct own_bounds *own_work_bounds(struct own_work *w, uint32_t longest);

#endif
