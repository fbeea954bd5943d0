/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * When sends complete although nobody receives, from one rank to another:
 * T1, the largest message that completes while the receiver is outside MPI; T2, while the
 * receiver is in MPI but has not posted the receive (above it is the rendezvous protocol);
 * K(m), how many messages of m bytes complete with the receiver outside MPI (credits). And
 * whether large messages move while both sides compute (asynchronous progress). Nothing
 * here can deadlock: sends are non-blocking and received afterwards.
 */
#ifndef CALIBRATE_THRESHOLDS_H
#define CALIBRATE_THRESHOLDS_H

#include "calibrate/pair.h"

#define THRESHOLD_NONE UINT64_MAX /* every size that was tried completes */

struct credit {
	size_t bytes;
	int messages; /* that completed */
	int capped;   /* 1: all that were tried */
};

enum { CREDIT_SIZES = 6 };

struct thresholds {
	uint64_t t1_bytes, t2_bytes; /* THRESHOLD_NONE: above the largest tried */
	size_t tried_bytes;          /* the largest tried */
	struct credit credit[CREDIT_SIZES];
	double progress; /* share of a large message's time that was saved while both computed */
	double spent_s;
};

/* rtt_s: of an empty message, large_s: of a message of large_bytes. p is the asking side. */
void thresholds_measure(struct pair *p, double rtt_s, size_t large_bytes, double large_s,
			struct thresholds *out);

#endif
