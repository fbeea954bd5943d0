/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What communication costs when many communicate: the rate that a node reaches (max-rate model),
 * what one more message costs a rank that receives from or sends to several, the gap per byte with
 * and without contention (Steffenel 2006, figures 1 to 3 and eq. 3), and the contention signature
 * of MPI_Alltoall (section 8). Plain values. Seconds, bytes.
 */
#ifndef CALIBRATE_CONTENTION_H
#define CALIBRATE_CONTENTION_H

#include "calibrate/places.h"
#include "calibrate/samples.h"
#include "calibrate/together.h"
#include "common/err.h"
#include "models/hockney.h"
#include "models/max_rate.h"
#include "models/signature_regimes.h"
#include "models/two_state.h"

enum { CONTENTION_STEPS = 8, CONTENTION_EXCHANGES = 64, CONTENTION_REGIMES = 6 };

/* As many at once, and how long it took, or the rate of all together. */
struct contention_step {
	int k;
	struct estimate time_s; /* 0 in a table of rates */
	struct estimate rate;   /* bytes per second; n is 0 if not known, or in a table of times */
};

/* Pairs of ranks at once, of two nodes or within one. */
struct contention_rates {
	size_t bytes;
	int n; /* 0: not measured */
	struct contention_step step[CONTENTION_STEPS];
	int off_node; /* 1: from node to node */
	struct max_rate fit;
	int tells_more; /* 0: not one pair's rate and another's, so R_i is none and saturates 0 */
	int clamped;    /* 1: a second pair brought less than nothing, so R_i is 0 */
	int saturates;  /* 1: R_N was reached; 0: R_N is just the most that was seen */
};

/* Several with one: time(k) = a + slope k. */
struct contention_fan {
	size_t bytes;
	int n;
	int off_node; /* 1: the others are on other nodes */
	struct contention_step step[CONTENTION_STEPS];
	double slope_s;    /* what one more message takes */
	double slope_se_s; /* infinite: not known, two steps are on every line */
};

/* So many to one each at the same time: of a message, and the slowest of each repetition. */
struct contention_connections {
	int k;
	struct estimate time_s, slowest_s;
};

/* All send to one each at the same time. */
struct contention_stress {
	int ranks, one_a_host;  /* 1: no port has two messages */
	size_t bytes, messages; /* 0: not measured */
	size_t delayed;         /* of the messages */
	struct two_state gap;   /* beta_C is 0 when none was delayed */
	double beta;            /* eq. 3 */
	int n;                  /* steps, more and more connections, half of the ranks away */
	struct contention_connections step[CONTENTION_STEPS];
};

struct contention_exchange {
	int n;
	size_t bytes;
	struct estimate time_s;
};

struct contention {
	int ranks;
	double core_share; /* of the time, that the rank with least had a core */
	struct hockney link;
	struct contention_rates rates;
	struct contention_fan in, out;
	struct contention_stress stress;
	int n_exchanges;
	struct contention_exchange exchange[CONTENTION_EXCHANGES];
	int n_regimes; /* 0: no signature */
	struct signature_regime regime[CONTENTION_REGIMES];
	struct err why_not; /* why there is no signature */
	double spent_s;
};

struct contention_plan {
	double most_s;
	struct hockney link; /* one message alone */
};

#define CONTENTION_RANKS_MIN 4

/*
 * Collective over comm; places are its ranks'. *out is filled on rank 0. Returns 0, or -1 with
 * *err set on every rank.
 */
int contention_measure(MPI_Comm comm, const struct place places[],
		       const struct contention_plan *plan, struct contention *out, struct err *err);

#endif
