/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Models as second opinion: what LogGP, LoPC, LoGPC, the contention signature, the maximum rate of
 * nodes and the Diamond DAG say about the main phases, from the trace's own quantities, beside what
 * was measured. A model whose conditions do not hold is not asked, and says why.
 */
#ifndef ANALYZE_OPINION_H
#define ANALYZE_OPINION_H

#include "analyze/gains/evidence_base.h"
#include "analyze/patterns/patterns.h"

#define OPINION_VALUES 12

struct opinion_value {
	const char *key; /* seconds end in _s */
	double value;
};

struct opinion_values {
	uint32_t n;
	struct opinion_value v[OPINION_VALUES];
};

struct opinion {
	const char *name; /* "LoPC" */
	uint32_t phase;   /* from 1 */
	int valid;
	char why_not[240]; /* a sentence; "" when valid */
	/* Valid, but nothing measured is fit to stand beside it: a sentence; or "". */
	char not_compared[240];
	struct opinion_values inputs;
	double *V; /* an input: the share of a rank's requests to each, ranks x ranks; or NULL */
	uint32_t ranks;
	struct opinion_values predicted;
	struct opinion_values measured;
};

struct opinions {
	struct opinion *o;
	uint32_t n;
};

/* The one named key; NAN: there is none. */
double opinion_value(const struct opinion_values *of, const char *key);

/* What a phase's messages say. */
struct phase_load {
	const struct found *found;
	double messages, requests, replies; /* a reply goes where an open message came from */
	double at_once;                     /* requests that did not wait for the answer before */
	double askers;                      /* ranks with requests */
	double far;                         /* messages between hosts, */
	double far_bytes, far_message_s;    /* and of those bytes and message_s */
	double bytes;                       /* of a message, mean */
	double message_s;    /* send to completion, less waiting to be asked for, mean */
	double unclear_s;    /* of message_s: inattention, not identifiable, untold parts; mean */
	double unknown;      /* messages whose class the machine does not know; of the others: */
	double idle_s;       /* what message_s is on an idle machine, mean */
	double wire_s;       /* L + g, mean */
	double o_s_s, o_r_s; /* overheads, mean */
	double latency_s;    /* S_l: L + g less the overheads, mean */
	double collectives;  /* calls of them, of all ranks */
	double spent_s, inside_s; /* by all ranks: the phase, and its calls */
	double handler_s; /* of a message: of a request until its reply is sent, of a reply o_r */
	double handler_cv2;
	double thought_s; /* from a request to its reply outside MPI */
};

/* Of b: the tables. Returns 0, or -1 with *err set (out of memory). Caller: opinions_release. */
int opinions_find(const struct evidence_base *b, const struct phases *phases,
		  const struct patterns *patterns, struct opinions *out, struct err *err);
void opinions_release(struct opinions *o);

/* The load of one found phase. Returns 0, or -1 with *err set (out of memory). */
int phase_load_find(const struct evidence_base *b, const struct phases *phases,
		    const struct found *f, struct phase_load *out, struct err *err);

#endif
