/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Call sites: the call path of an MPI call as a number. Unwound by libunwind once per path and
 * thread, then found in a small cache by return address and stack frame; a hit is one when the
 * return addresses of all callers that are recorded still lie where they were found (two callers
 * with equal frames differ there). Costs two loads a frame. Paths that do not fit the cache are
 * unwound again. Frames are (object, offset), so that paths mean the same in every process and
 * can be resolved later; frames of MPI's own language bindings are left out. Defined in the log
 * the first time they are seen.
 * That a module was unloaded is noticed when a site is not in the cache: one that takes its
 * place and calls from the very same addresses is taken for it until then.
 */
#ifndef INTERPOSE_CALLSITE_H
#define INTERPOSE_CALLSITE_H

#include "interpose/hooks/guards.h"
#include "interpose/job/recorder.h"

#define SITE_UNKNOWN    UINT32_MAX
#define SITE_FRAMES_MAX 64

/*
 * Unwind and look up, or define. SITE_UNKNOWN when there is nothing to say. key (may be NULL)
 * gets the site and its guards; its ra and sp are set already.
 */
uint32_t site_unwind(struct lane *l, uintptr_t ra, struct site_key *key);

static inline int site_holds(const struct site_key *k, uintptr_t ra, uintptr_t sp)
{
	return k->ra == ra && k->sp == sp && guards_hold(k);
}

/* Four places for a call site, so that callers that take turns do not drive each other out. */
#define SITE_WAYS 4

static inline struct site_key *site_places(struct lane *l, uintptr_t ra, uintptr_t sp)
{
	uintptr_t mix = ra ^ sp >> 4;

	return &l->sites[(mix ^ mix >> 10) % SITE_CACHE & ~(uintptr_t)(SITE_WAYS - 1)];
}

/* The site of the call that returns to ra, called from the frame at sp; NULL when it is new. */
static inline const struct site_key *site_known(struct lane *l, uintptr_t ra, uintptr_t sp)
{
	struct site_key *k = site_places(l, ra, sp), *end = k + SITE_WAYS;

	for (; k < end; k++)
		if (site_holds(k, ra, sp))
			return k;
	return NULL;
}

/* The same; a new one is unwound. */
static inline uint32_t site_find(struct lane *l, void *ra, void *sp)
{
	const struct site_key *known = site_known(l, (uintptr_t)ra, (uintptr_t)sp);
	struct site_key *k;

	if (known)
		return known->site;
	k = site_places(l, (uintptr_t)ra, (uintptr_t)sp) + l->victim++ % SITE_WAYS;
	k->ra = (uintptr_t)ra;
	k->sp = (uintptr_t)sp;
	return site_unwind(l, (uintptr_t)ra, k);
}

#endif
