/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Stretches: what another recorder wrote of a rank from one pause to the next. It does not say what
 * is missing in a pause. But what two sides have in the same order is known by its number from the
 * begin as far as neither paused, and by its number from the end from where neither pauses any
 * more. Our own recorder's traces say what is missing: of those there are none.
 */
#ifndef ANALYZE_STRETCHES_H
#define ANALYZE_STRETCHES_H

#include "analyze/trace.h"

struct stretches {
	uint32_t *of;        /* ranks + 1: in resumed_ns, those of a rank */
	int64_t *resumed_ns; /* begin of each but the rank's first, in order */
};

/* Returns 0, or -1: out of memory. */
int stretches_find(struct stretches *s, const struct trace *t);

/* How often the rank paused and went on. */
static inline uint32_t stretches_pauses(const struct stretches *s, uint32_t rank)
{
	return s->of[rank + 1] - s->of[rank];
}

static inline int stretches_any(const struct stretches *s, const struct trace *t)
{
	return s->of[t->n_ranks] > 0;
}

/* In which of the rank's stretches ns is: 0, 1 ... */
uint32_t stretches_at(const struct stretches *s, uint32_t rank, int64_t ns);

void stretches_release(struct stretches *s);

#endif
