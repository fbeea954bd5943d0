/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How much sooner the run would end with the work shared evenly: the same calls again (retime.c),
 * each rank's own time before them longer or shorter, so that all that share the work have as
 * much. Where ranks work one after the other that is no sooner, however unequal they are.
 *
 * A rank with too much has less before each call of the steps in which it has more than others, in
 * one proportion. One with too little has more in those in which it has less than they, as much
 * more before each call of a place: what its own time varied by would not grow. If it did, being
 * due to the work, and in all of the run, that is the least saved; the most, if nothing had varied.
 */
#ifndef ANALYZE_LEVELLING_H
#define ANALYZE_LEVELLING_H

#include "analyze/gains/own_pieces.h"

struct levelling {
	double run_s; /* each rank has as much of the whole run's, always in the same proportion, */
	double steps_s; /* or of each step's, so that it differs from step to step */
	/*
	 * The most of these, also if what is taken for contention on messages' ways was none, or if
	 * own times did not vary; and the least the first saves.
	 */
	double most_s, least_s;
};

/* Returns 0, or -1 with *err set (out of memory). */
int levelling_find(const struct evidence_base *b, const struct own_steps *cut,
		   struct levelling *out, struct err *err);

#endif
