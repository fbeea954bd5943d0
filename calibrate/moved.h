/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * When a round trip is another than it was, by one look and by several. Seconds, bytes.
 */
#ifndef CALIBRATE_MOVED_H
#define CALIBRATE_MOVED_H

#include "calibrate/samples.h"

/* Less is no drift, whatever the intervals say. */
#define DRIFT_SHARE 0.10

/*
 * Intervals have what this launch's samples leave open, 1.96 standard deviations, and what launches
 * are assumed to differ by, so that 95 % of their pairs agree: 1.386 (launches.h). What is to count
 * as moved is beyond so many times both, then and now, in quadrature, as factors: 3.05 standard
 * deviations. Of three points of an unchanged machine one is then said to have moved in less than 1
 * of 100 launches, if launches are normally distributed and in nothing alike.
 */
#define DRIFT_FAR_SAMPLES  1.56
#define DRIFT_FAR_LAUNCHES 2.2

/* Where no less than so many times as long or as short would be seen, nothing is known to hold. */
#define DRIFT_TIMES 2

/* So many looks that say the same decide. */
#define DRIFT_ALIKE 2

/*
 * What a round trip depends on beside the MPI and the machine: how far apart the two ranks' cores
 * are (cacheline.h; n = 0: not known), whether they sleep while they wait for a message, and
 * whether others use their cores: two ranks in turns on one take as long as the turns.
 */
struct drift_cores {
	struct estimate before, now;
	struct estimate ever; /* of all looks, the value of the one least like before */
	int sleep, busy;      /* now */
	int was_busy;
};

/*
 * What waking up may take, more or less than then: that depends on what the core did meanwhile. To
 * leave a deep idle state takes a server's core 133 us (C6 of Intel's Skylake in Linux's
 * intel_idle.c); on a virtual machine of two processors (AMD EPYC) empty round trips of ranks that
 * sleep were 24 us in some launches and 80 to 130 us in others.
 */
#define DRIFT_WAKE_S 133e-6

enum drift_says {
	DRIFT_HOLDS,   /* within DRIFT_SHARE, and DRIFT_TIMES as long or as short would be seen */
	DRIFT_MOVED,   /* by more than DRIFT_SHARE, and beyond the intervals */
	DRIFT_CORES,   /* so too, but the cores are further apart or nearer, which may be all */
	DRIFT_WAKES,   /* so too, but by no more than waking up may take, there and back */
	DRIFT_UNCLEAR, /* another by more than DRIFT_SHARE but within, or DRIFT_TIMES is not seen */
	DRIFT_SAYS,
};

struct drift_point {
	size_t bytes;
	struct estimate before, now; /* round trip; its interval for another launch, */
	double launch_share;         /* with this of it for what differs (launches.h) */
	double wire_s;               /* of it what no processor takes */
	int looks[DRIFT_SAYS];       /* how many said what */
};

/* What a look says that found `now`. */
enum drift_says drift_look(const struct drift_point *p, struct estimate now,
			   const struct drift_cores *cores);

/*
 * Count it. One look that finds what the file says is enough, unless others found something else.
 * Of looks that say it moved, those do that find the same again.
 */
void drift_add(struct drift_point *p, struct estimate now, const struct drift_cores *cores);

/*
 * The least change to longer and to shorter that would have been seen as `now` was measured: as so
 * many times as long as before, above 1 and below it. 0: none would.
 */
struct drift_seen {
	double longer, shorter;
};

struct drift_seen drift_seen(const struct drift_point *p);

/* Nothing that another look could add? */
int drift_is_decided(const struct drift_point *p);

/*
 * What all looks say together; DRIFT_UNCLEAR where they differ. Cores that one look found nearer or
 * further apart may have been so for a part of another, at a size that it measured just then.
 */
enum drift_says drift_verdict(const struct drift_point *p, const struct drift_cores *cores);

/* A look finds the cores so far apart. */
void drift_cores_add(struct drift_cores *c, struct estimate now);

/* Are cores as far apart as they were, as far as known? */
int drift_cores_are_alike(struct estimate before, struct estimate now);

#endif
