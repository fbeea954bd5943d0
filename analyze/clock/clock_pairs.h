/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is known of each two clocks, one way: the fastest that went from one to the other, in all
 * the run and in its slots (clock_tube.h). Fill it in two passes over all that went:
 * clock_pairs_add, then, once all pairs are known, clock_pairs_slots and clock_pairs_note.
 */
#ifndef ANALYZE_CLOCK_PAIRS_H
#define ANALYZE_CLOCK_PAIRS_H

#include "analyze/clock/clock_course.h"
#include "analyze/clock/clock_drift.h"
#include "analyze/clock/clock_tube.h"

#include <uthash.h>

struct clock_pair {
	struct {
		uint32_t from, to;
	} clocks;
	int64_t fastest_ns; /* beyond the least that it takes */
	int64_t known_ns; /* the recorder's bound of their difference; INT64_MAX: none, disproved */
	struct clock_windows *windows; /* NULL: the recorder knows their difference, or no memory */
	int64_t *slot_ns;              /* the fastest, of each slot of the tube */
	double rate;                   /* at which their difference changes, at most; as recorded */
	UT_hash_handle hh;
};

struct clock_pairs {
	struct clock_pair *all;
	struct clock_tube tube;
	uint32_t added; /* that went between two clocks */
};

void clock_pairs_release(struct clock_pairs *x);

/* NULL: nothing went from one to the other. */
struct clock_pair *clock_pairs_find(const struct clock_pairs *x, uint32_t from, uint32_t to);

/* One more that went from one to the other, which may be the first. NULL: out of memory. */
struct clock_pair *clock_pairs_add(struct clock_pairs *x, uint32_t from, uint32_t to,
				   int64_t known_ns);

/* Empty slots for a run from 0 to wall_ns. Returns 0, or -1: out of memory. */
int clock_pairs_slots(struct clock_pairs *x, int64_t wall_ns);
void clock_pairs_note(struct clock_pairs *x, struct clock_pair *p, int64_t done_ns,
		      int64_t took_ns);

/*
 * Of clocks as recorded: how fast their differences change, and what of the recorder's bounds is
 * disproved. Returns the largest drift over wall_ns where nothing else bounds it (clock_drift.h);
 * *jumped: that or another changes faster than clocks drift, even such as are slewed.
 */
int64_t clock_pairs_rates(struct clock_pairs *x, int64_t wall_ns, int *jumped);

/*
 * Clocks that were corrected: what they were where too little is known of it, they may have been
 * off their course as fast as that changes. Returns 0, or -1: out of memory.
 */
int clock_pairs_raise(struct clock_pairs *x, const struct clock_course *c);

/* How far the second clock may be off the first along their course, ns. */
struct clock_bound {
	/* In slots in which something went from the one to the other, and in all from the first
	 * of these to the last; both by known_ns, if that is closer. */
	int64_t used_ns, any_ns;
	int64_t fastest_ns; /* beyond the least, along the course */
};
struct clock_bound clock_pairs_bound(const struct clock_pairs *x, const struct clock_pair *p,
				     const struct clock_course *c, int64_t known_ns);

#endif
