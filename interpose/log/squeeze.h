/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Units of a log, squeezed: records of one kind of call at one place differ in a few words
 * only, and in their times. A unit is stored as what is new since the last one of its kind:
 *
 *   1 byte     which predictor (kind of call and place); is the mask the last one's?
 *   2 bytes    unless it is: 2 bits each for the widths of the two times (the value 0, or
 *              2, 4, 8 bytes), then a bit for each of the other 12 words that differs
 *   the times  enter since the end of the unit before, leave since enter; little endian
 *   4 bytes    for each of the words, the new one; of a request number, which mostly goes
 *              on in equal steps, the new step
 *
 * Some five to ten bytes of 64. The page cache has only these to take in; that is a good part
 * of what recording a call costs. Pure: no I/O, no allocation.
 */
#ifndef INTERPOSE_SQUEEZE_H
#define INTERPOSE_SQUEEZE_H

#include <stddef.h>

#include "interpose/log/record.h"

#define SQUEEZE_UNIT_MAX (3 + 64) /* bytes that one unit can take */

/* What squeeze() has to remember; it is too much for a small stack. */
struct squeeze_room {
	char bytes[5 * 1024];
} __attribute__((aligned(16)));

/*
 * Returns the bytes written to out, which has room for n * SQUEEZE_UNIT_MAX. What room holds does
 * not matter, before or after.
 */
size_t squeeze(size_t n, const struct record units[n], struct squeeze_room *room,
	       unsigned char *out);

/* The reverse. Returns 0, or -1 when in does not hold n whole units. */
int unsqueeze(size_t bytes, const unsigned char in[bytes], size_t n, struct record units[n]);

#endif
