/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The first half of phases.c: stretches between collectives of all ranks, the classes of those
 * that visit the same places, and the loops within a class. For phases*.c only.
 */
#ifndef ANALYZE_PHASES_CUT_H
#define ANALYZE_PHASES_CUT_H

#include "analyze/patterns/phases.h"

struct mask;

struct cutter {
	const struct trace *t;
	const struct collectives *c;
	uint32_t places;
	uint32_t *step; /* per call: its place, and what it does */
	uint32_t stretches;
	struct mask *mask;  /* per stretch */
	uint8_t *alone;     /* per stretch: it is only the collective at its end */
	uint32_t *class_of; /* per stretch */
	uint32_t classes;
	uint32_t *order; /* per class and place: its number as ranks come to it, from 1; 0: never */
	uint32_t *line;  /* per class and order: the place */
	uint32_t *reach; /* the same by order: how far a return to here comes from */
	uint32_t *seen;  /* per class: places */
	uint32_t *phase; /* per class and order: its phase */
};

/* Returns 0, or -1 out of memory; cutter_release in both cases. n: phases there are. */
int cutter_init(struct cutter *x, const struct trace *t, const struct collectives *c, uint32_t *n);
void cutter_release(struct cutter *x);

/* A step has the place in its lower bits. All calls' steps are one table, small for many passes. */
#define STEP_MEETS_ALL    (UINT32_C(1) << 31)
#define STEP_COMMUNICATES (UINT32_C(1) << 30)
#define STEP_PLACE        (STEP_COMMUNICATES - 1)

/* Is it a collective of all ranks? */
static inline int cutter_meets_all(const struct cutter *x, uint32_t call)
{
	return (x->step[call] & STEP_MEETS_ALL) != 0;
}

static inline int cutter_communicates(const struct cutter *x, uint32_t call)
{
	return (x->step[call] & STEP_COMMUNICATES) != 0;
}

static inline uint32_t cutter_place(const struct cutter *x, uint32_t call)
{
	return x->step[call] & STEP_PLACE;
}

/* The phase of a call; the collective at the end belongs to what it ends. */
uint32_t cutter_phase(const struct cutter *x, uint32_t stretch, uint32_t call, uint32_t last_phase);

/* Set the phases' sites. */
void cutter_count_sites(const struct cutter *x, struct phases *out);

#endif
