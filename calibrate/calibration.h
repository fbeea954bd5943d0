/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The whole measurement: for each nearness that the ranks of a job have, one pair of ranks in
 * both directions, the others asleep; then what all of them do at once. Plain values, so that
 * results travel as bytes.
 */
#ifndef CALIBRATE_CALIBRATION_H
#define CALIBRATE_CALIBRATION_H

#include "calibrate/contention.h"
#include "calibrate/gaps.h"
#include "calibrate/places.h"
#include "calibrate/thresholds.h"

/* What its intervals have for other launches (launches.h), as shares. */
struct launches {
	double trip, overheads;
	double least_gap; /* of g(0), whatever the size */
};

struct calibrated_size {
	uint64_t bytes;
	struct estimate rtt, o_s, o_r, expected, g;
	struct calibrated_alone {
		struct estimate rtt, o_s, o_r, expected, g;
	} alone; /* the same with the intervals of this launch alone */
	struct launches launches;
};

struct calibrated_direction {
	int from, to; /* ranks */
	struct estimate g0, L;
	struct estimate g0_alone, L_alone; /* with the intervals of this launch alone */
	struct estimate cores;             /* n = 0 where the two have no memory in common */
	uint32_t n;
	unsigned cut;  /* GAPS_CUT_ bits; whether the thresholds were cut they say themselves */
	uint32_t full; /* sizes of GAPS_CUT_FULL */
	struct calibrated_size size[GAPS_SIZES_MAX];
	struct thresholds thresholds;
	double core_share;                   /* of the time, that the side with less had a core */
	double spent_s, saturated_s, fast_s; /* the last two: --check's comparison */
	struct estimate saturated[GAPS_SIZES_MAX];
	uint32_t saturated_cut; /* sizes that it had not time enough for */
};

struct calibrated_class {
	int present, pairs; /* pairs of ranks that are as near: the first of them was measured */
	struct calibrated_direction way[2]; /* there and back */
};

enum { CALIBRATION_MPI = 64 }; /* room for an MPI's name */

struct calibration_plan {
	const char *mpi;     /* its name, for what its launches differ by */
	int quick;           /* wider intervals, no size above 256 KiB */
	int check;           /* also by saturation */
	double class_s;      /* time for a class */
	double contention_s; /* for what many do at once, 0: not */
};

/* Of an interval, as a share of the value: below this no more samples are taken. */
double calibration_half_width(const struct calibration_plan *plan);

struct calibration_host {
	char name[64], cpu[64]; /* cpu: the processor's model, "" when not told */
	int ranks;
};

struct calibration {
	struct calibration_plan plan;
	int ranks, hosts, crowded;     /* crowded: some host has more ranks than cores */
	int machines;                  /* that the hosts are, see places.h */
	struct calibration_host *host; /* of each of the hosts, in order of their first ranks */
	struct calibrated_class class[NEAR_COUNT];
	struct contention contention; /* of 0 ranks: not measured */
	double spent_s;
};

/*
 * Collective over comm. told(text) is called on rank 0 with what is being done. *out is filled
 * on rank 0. Returns 0, or -1 with *err set (on every rank). Caller: calibration_release.
 */
int calibration_run(MPI_Comm comm, const struct calibration_plan *plan,
		    void (*told)(const char *text), struct calibration *out, struct err *err);
void calibration_release(struct calibration *c);

#endif
