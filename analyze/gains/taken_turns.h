/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A receiver that takes one message after the other, each receive posted when the one before is
 * complete: messages that are held back until their receive wait for all that it takes before, as
 * in a port, although no port has two of them at a time.
 */
#ifndef ANALYZE_TAKEN_TURNS_H
#define ANALYZE_TAKEN_TURNS_H

#include "analyze/gains/evidence_base.h"

/* Of one receiver at a time: per message, in the table's order. */
struct taken_turns {
	int64_t *behind_ns; /* so long it waited for its receive while others were taken */
	int64_t *took_ns;   /* those before it were on their way for so long, one after the other */
};

/* Room for any receiver's. Returns 0, or -1 with *err set (out of memory). */
int taken_turns_init(struct taken_turns *x, const struct evidence_base *b, struct err *err);
void taken_turns_release(struct taken_turns *x);

/* The messages to dst. */
void taken_turns_find(struct taken_turns *x, const struct evidence_base *b, uint32_t dst);

/* Of n messages, is the k-th one of those that waited so, or were waited for? */
int taken_turns_has(const struct taken_turns *x, uint32_t k, uint32_t n);

#endif
