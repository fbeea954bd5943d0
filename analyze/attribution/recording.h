/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What recording took of the ranks' time, by the recorder's own figures in the archive: so
 * much for each call, each request and each poll of a flood, and what it timed as it happened.
 * Pauses are not in it.
 */
#ifndef ANALYZE_RECORDING_H
#define ANALYZE_RECORDING_H

#include "analyze/attribution/attribution.h"

struct recording {
	uint64_t calls; /* each poll of a flood is one */
	uint64_t polls; /* these among the calls */
	uint64_t requests;
	double call_s, request_s, poll_s; /* of one, mean over the ranks' */
	double sites_s;                   /* all ranks' call sites together, */
	double writing_s;                 /* their records, */
	double aside_s;                   /* and all else */
	double share;                     /* of all ranks' time */
};

/* By what share of its wall time a run would have been shorter without its recording. */
struct recording_effect {
	double least, most;
};

/* Returns 1; 0 when the archive does not say it of every rank, and then *out is unchanged. */
int recording_of(const struct trace *t, struct recording *out);

/*
 * share: what recording took of all ranks' time, which is true to a factor of two; or NAN. While
 * ranks wait it may hold up nobody. But who waits for a rank waits for its recorder as well: if
 * ranks always work one after the other, recording takes that share of all their work that it takes
 * of the work of each.
 */
struct recording_effect recording_effect(double share, const struct view *budget);

#endif
