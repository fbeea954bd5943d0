/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Operations of few bytes that a rank waits for one by one: a small collective, which is one call,
 * or a put or get and the flush right after it.
 */
#ifndef ANALYZE_SMALL_CALLS_H
#define ANALYZE_SMALL_CALLS_H

#include "analyze/gains/evidence_base.h"
#include "analyze/gains/quickest.h"

#define SMALL_CALLS_BYTES 256 /* at most: more take time that is not each call's */

struct small_calls {
	const struct evidence_base *b;
	uint32_t *op; /* per call: 1 + its only put or get; 0: none; NULL: there are none at all */
	uint32_t n;   /* small collectives, and puts and gets */
	struct quickest quickest; /* per place of the last call: what one takes */
};

struct small_call {
	uint32_t first, last; /* its calls, one or two in a row */
	uint32_t comm;        /* or window, */
	int32_t peer;         /* root or target: with the region what is alike of two */
	uint64_t bytes;
	double hops; /* that all its bytes make one after the other, about */
};

/*
 * Where there are fewer than least, only n is found. Returns 0, or -1 with *err set (out of
 * memory). Caller: small_calls_release.
 */
int small_calls_init(struct small_calls *s, const struct evidence_base *b, uint32_t least,
		     struct err *err);
void small_calls_release(struct small_calls *s);

/* Does one end with that call? */
int small_calls_at(const struct small_calls *s, uint32_t last, struct small_call *out);

enum small_calls_gap {
	SMALL_CALLS_ALONE, /* it does not come right after one that is alike, at the same place; */
	SMALL_CALLS_FAR,   /* or something is done between them, */
	SMALL_CALLS_NEAR,  /* no more than several such would take, */
	SMALL_CALLS_AT_ONCE, /* or less than half of one */
};
enum small_calls_gap small_calls_gap(const struct small_calls *s, const struct small_call *x);

#endif
