/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * MPI_Test and MPI_Iprobe: which found something, and what those that did not may have done
 * nevertheless: where MPI moves messages in its calls only, a poll may move a piece of one.
 * Seconds.
 */
#ifndef ANALYZE_POLLS_H
#define ANALYZE_POLLS_H

#include "analyze/gains/evidence_base.h"

struct polls {
	uint8_t *found; /* per call, of any kind: it completed something */
	/*
	 * Per poll that found nothing: what it took longer than the quickest such ones, and no more
	 * than what messages take that its rank had begun, and completed later, if it was no
	 * collective; of other calls no matter.
	 */
	float *moved_s;
};

/* Returns 0, or -1 with *err set (out of memory). Caller: polls_release, in any case. */
int polls_find(struct polls *p, const struct evidence_base *b, struct err *err);
void polls_release(struct polls *p);

/* The time in a call's polls, and how many they are. */
double polls_inside_s(const struct trace *t, uint32_t call, double *n);

#endif
