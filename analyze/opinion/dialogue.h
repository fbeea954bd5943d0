/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which of a phase's messages ask, and which answer. A reply goes to a rank whose message its
 * sender has since it asked something itself; what answers nothing asks.
 */
#ifndef ANALYZE_DIALOGUE_H
#define ANALYZE_DIALOGUE_H

#include "analyze/gains/evidence_base.h"
#include "analyze/patterns/phases.h"

/* What one rank asks and answers. */
struct speaker {
	double requests;  /* that it sends, */
	double at_once;   /* of them, sent before the one before was answered */
	double replies;   /* that it sends */
	double thought_s; /* from requests to their replies outside MPI, sum */
	double handler_s; /* the same with the overheads at its end, */
	double squares;   /* and of the squares */
};

struct dialogue {
	struct speaker *speaker; /* per rank */
	double *asked;           /* ranks x ranks: requests from row to column; or NULL */
	struct speaker all;      /* sums */
	double askers;           /* ranks that ask */
};

enum dialogue_depth { DIALOGUE_OF_RANKS, DIALOGUE_OF_PAIRS };

/* phase: from 0. Only of pairs asked is there. Returns 0, or -1 with *err set (out of memory). */
int dialogue_find(const struct evidence_base *b, const struct phases *phases, uint32_t phase,
		  enum dialogue_depth depth, struct dialogue *out, struct err *err);
void dialogue_release(struct dialogue *d);

#endif
