/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Call sites: the call path of an MPI call as a number. Unwound by libunwind once
 * per (return address, stack frame) and thread, then found in a small cache: a hit
 * costs two loads. Frames are (object, offset), so that paths mean the same in
 * every process and can be resolved later; frames of MPI's own language bindings
 * are left out. Defined in the log the first time they are seen.
 */
#ifndef INTERPOSE_CALLSITE_H
#define INTERPOSE_CALLSITE_H

#include "interpose/recorder.h"

#define SITE_UNKNOWN UINT32_MAX
#define SITE_FRAMES_MAX 64

/* Unwind and look up, or define. SITE_UNKNOWN when there is nothing to say. */
uint32_t site_unwind(struct lane *l, uintptr_t ra);

/* The site of the call that returns to ra, called from the frame at sp. */
static inline uint32_t site_find(struct lane *l, void *ra, void *sp)
{
	uintptr_t mix = (uintptr_t)ra ^ ((uintptr_t)sp >> 4);
	struct site_key *k = &l->sites[(mix ^ mix >> 10) % SITE_CACHE];

	if (k->ra != (uintptr_t)ra || k->sp != (uintptr_t)sp) {
		k->site = site_unwind(l, (uintptr_t)ra);
		k->ra = (uintptr_t)ra;
		k->sp = (uintptr_t)sp;
	}
	return k->site;
}

#endif
