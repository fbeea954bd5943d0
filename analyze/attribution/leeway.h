/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the clocks' error may have moved: the receiver's instants may all be so much earlier or
 * later beside the sender's. What lies between instants of both may be so much less or more, what
 * only one of them says may not; and what the machine says it takes, as wire, is only ever cut
 * short. A message that is faster than the machine shows an error of its own. For booking.c only.
 */
#ifndef ANALYZE_LEEWAY_H
#define ANALYZE_LEEWAY_H

#include "analyze/attribution/walk.h"
#include "analyze/flow/scene.h"

/* Widen t, the parts of message i on walk w. */
void leeway_message(const struct scene *s, uint32_t i, const struct walk *w, struct tally *t);

/* Widen t, the parts of a call that message i ended. */
void leeway_call(const struct scene *s, uint32_t i, uint32_t call, const struct walk *w,
		 struct tally *t);

/*
 * Widen t, the parts of a call that message i ended, or others that came nearly as late as it did.
 */
void leeway_last(const struct scene *s, uint32_t i, uint32_t call, const struct walk *w,
		 struct tally *t);

#endif
