/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Messages of a known pattern, with what real runs add: some missing, some to others, sizes
 * that vary, times that jitter; ranks numbered along the pattern or permuted.
 */
#ifndef TESTS_UNIT_SYNTHETIC_H
#define TESTS_UNIT_SYNTHETIC_H

#include "analyze/patterns/traffic.h"

struct noise {
	double missing; /* share of the messages that are not there */
	double extra;   /* and of as many to random ranks */
	double size;    /* relative deviation of the sizes */
	int permuted;
	uint32_t rounds; /* 0: from 8 to 27 */
};

struct synthetic {
	uint32_t ranks;
	size_t n;
	struct delivery *d; /* caller frees */
	char truth[4][96];  /* names that are right, or how they begin; unused ones are "" */
};

/* How many kinds there are; kinds from 0. */
extern const unsigned synthetic_kinds;
const char *synthetic_kind_name(unsigned kind);

/* Aborts on no memory. The same seed gives the same messages. */
void synthetic_make(struct synthetic *s, unsigned kind, const struct noise *noise, uint64_t seed);

/* Is the name right? */
int synthetic_is_right(const struct synthetic *s, const char *name);

#endif
