/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Parameterised LogP of one direction between two ranks, by the fast procedure of Kielmann,
 * Bal, Verstoep (2000, section 3) with what has been learnt since: sizes in random order,
 * medians with intervals, no sample dropped. The gap of size m follows from round trips,
 * g(m) = RTT(m) - RTT(0) + g(0), so that nothing but g(0) needs a saturated network; the latency
 * is L = RTT(0)/2 - g(0). Sizes are powers of two up to where g(m)/m is steady, both sides of
 * the step where the protocol changes, and more where a value is not on the line through the
 * two before it. It all keeps to a time, however slow the machine. Seconds, bytes.
 */
#ifndef CALIBRATE_GAPS_H
#define CALIBRATE_GAPS_H

#include "calibrate/blocks.h"
#include "calibrate/pair.h"
#include "common/err.h"

struct gaps_size {
	size_t bytes;
	struct blocks rtt_s, o_s_s, o_r_s, expected_s; /* raw */
	struct estimate rtt, o_s, o_r, expected, g;    /* expected: o_r of a posted receive */
};

enum { GAPS_SIZES_MAX = 96 };

/* What time did not suffice for. */
#define GAPS_CUT_SIZES     1u /* larger sizes */
#define GAPS_CUT_SAMPLES   2u /* intervals as narrow as wanted */
#define GAPS_CUT_REFINING  4u /* sizes between those where a line would not do */
#define GAPS_CUT_LEAST_GAP 8u /* g(0) as certain as wanted */

/* Not for want of time: sizes with all samples that they may have have wider intervals. */
#define GAPS_CUT_FULL 16u

struct gaps {
	struct estimate g0, L;
	struct blocks g0_s;    /* raw */
	struct estimate cores; /* of a cache line to the other core and back (cacheline.h) */
	struct blocks cores_s;
	int flood; /* messages in a row for g0 */
	size_t n;  /* sizes in ascending order; the first is 0 bytes */
	struct gaps_size size[GAPS_SIZES_MAX];
	double spent_s;
	unsigned cut; /* GAPS_CUT_ bits */
	size_t full;  /* how many sizes that is, of GAPS_CUT_FULL */
};

struct gaps_plan {
	double half_width; /* wanted, as a share: 0.05 */
	double most_s;     /* ... and at most about this */
	size_t most_bytes; /* no size above */
	size_t step[2];    /* before and after the change of protocol; 0: not known */
	uint64_t seed;
};

/* Of the i-th size as far as it is known. */
struct estimate gaps_gap(const struct gaps *g, size_t i);

/* Measure; p is the asking side. Caller: gaps_release. Returns 0, or -1 with *err set. */
int gaps_measure(struct pair *p, const struct gaps_plan *plan, struct gaps *out, struct err *err);
void gaps_release(struct gaps *g);

/*
 * A later visit: some more blocks of every size, so that the intervals know how the machine
 * changes in the meantime. The plan's sizes and steps do not matter any more.
 */
void gaps_again(struct pair *p, const struct gaps_plan *plan, struct gaps *g);

/*
 * These sizes alone, none twice, in the rounds of gaps_measure: what lies between two round
 * trips is the same. An empty *g gets them and no gaps.
 */
void gaps_sizes(struct pair *p, const struct gaps_plan *plan, const size_t bytes[], size_t n,
		struct gaps *g);

#endif
