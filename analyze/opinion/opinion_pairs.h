/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * LoPC for phases whose ranks do not all ask all equally often: its general form, with who asks
 * whom how often, and each rank's work and handlers, from the trace. For opinion.c.
 */
#ifndef ANALYZE_OPINION_PAIRS_H
#define ANALYZE_OPINION_PAIRS_H

#include "analyze/opinion/opinion.h"

/* The matrix is dense: 8 bytes for two ranks. */
#define OPINION_PAIRS_RANKS 2048

struct pairs_opinion {
	double W_s, S_o_s, S_l_s, C2; /* means over requests, and over messages */
	double lower_s;               /* R without contention; a mean over requests, as R_s */
	double R_s, most_s;           /* by the model, and of the rank that takes longest */
	double measured_s, measured_most_s;
	double *V; /* of a rank's requests that to each, all ranks x all; the caller frees */
};

/*
 * x: the load of the phase, of known machine and with replies. Returns 0, or -1 with *err set: out
 * of memory, or the model cannot.
 */
int opinion_pairs(const struct evidence_base *b, const struct phases *phases,
		  const struct phase_load *x, struct pairs_opinion *out, struct err *err);

#endif
