/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What tells a call path from another that ends in the same call and frame: where on the stack
 * the callers' return addresses lie, and which they are.
 */
#ifndef INTERPOSE_GUARDS_H
#define INTERPOSE_GUARDS_H

#include "interpose/job/lane.h"

/*
 * Find the return addresses of the n callers on the stack, from the wrapper's frame upwards: they
 * lie there in order. From the first that is not found on nothing is guarded. 0: no memory.
 */
int guards_find(struct lane *l, struct site_key *k, int n, void *const callers[n]);

static inline int guards_hold(const struct site_key *k)
{
	uintptr_t other = 0;
	int i;

	for (i = 0; i < k->guards; i++) /* mostly all hold: no branch between them */
		other |= *k->guard[i].slot ^ k->guard[i].caller;
	return !other;
}

#endif
