/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where the ways lead of ranks that wait with several requests, for any of them or for all: to one
 * rank at the end, to themselves, or nobody knows where. For stand_requests.c only.
 */
#ifndef ANALYZE_STAND_WAYS_H
#define ANALYZE_STAND_WAYS_H

#include "analyze/standing/stands.h"

/* The requests that a rank may wait for: rows of those awaited. */
struct range {
	const struct loose *row;
	uint32_t n;
};

/* A request, and who could end it. */
struct way {
	const struct loose *request; /* NULL: there is no such way */
	uint32_t peer;
};

struct ways {
	struct stands *s;
	struct range
		*of; /* per rank; n is 0 where it is known for whom it waits, or that for nobody */
	uint32_t *link; /* per rank: one that it waits for, perhaps through others, or itself */
	uint32_t *end;  /* per rank, while they are looked for: see follow_any() */
};

/* It waits so; is_one_of: for others as well, or instead. */
void ways_take(struct ways *x, uint32_t rank, struct way way, int is_one_of);

/* Finds for whom the ranks wait whose of[].n is not 0, as far as that is known. */
void ways_follow(struct ways *x);

#endif
