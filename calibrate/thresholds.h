/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * When sends complete although nobody receives, from one rank to another:
 * T1, the largest message that completes while the receiver is outside MPI; T2, while the
 * receiver is in MPI but has not posted the receive (above it is the rendezvous protocol);
 * K(m), how many messages of m bytes complete with the receiver outside MPI (credits). And
 * whether large messages move while both sides compute (asynchronous progress). Nothing
 * here can deadlock: sends are non-blocking and received afterwards. Nothing takes much
 * longer than it was given; what was not found out by then is not known.
 */
#ifndef CALIBRATE_THRESHOLDS_H
#define CALIBRATE_THRESHOLDS_H

#include "calibrate/credit.h"
#include "calibrate/pair.h"

#define THRESHOLD_NONE    UINT64_MAX       /* every size that was tried completes */
#define THRESHOLD_UNKNOWN (UINT64_MAX - 1) /* no look was long enough to tell */

enum { CREDIT_SIZES = 6 };

struct thresholds {
	uint64_t t1_bytes, t2_bytes; /* THRESHOLD_NONE: above the largest tried */
	size_t step_bytes;           /* the least that was seen above T2; 0: none was */
	size_t t1_step_bytes;        /* likewise T1 */
	size_t tried_bytes;          /* the largest tried */
	struct credit credit[CREDIT_SIZES];
	/*
	 * share of a large message's time that was saved while both computed; below 0: it took
	 * longer
	 */
	struct estimate
		progress; /* n = 0: nothing was measured, or not what the message takes alone */
	double spent_s;
	int cut; /* 1: time ran out before all was found out */
};

/*
 * rtt_s: of an empty message; byte_s: what a byte more takes; most_s: the time there is. p is
 * the asking side.
 */
void thresholds_measure(struct pair *p, double rtt_s, double byte_s, double most_s,
			struct thresholds *out);

/*
 * Into out->progress, with messages of large_bytes, which take `alone`; a few, if most_s is enough.
 * When that is not identified nothing is: no time was saved of a time that is not known.
 */
void thresholds_progress(struct pair *p, size_t large_bytes, struct estimate alone, double most_s,
			 struct thresholds *out);

/* The largest size sent without waiting for the receive; UNKNOWN when neither is known. */
uint64_t thresholds_eager(const struct thresholds *t);

#endif
