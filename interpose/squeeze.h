/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Units of a log, squeezed: records of one kind of call differ in a few words only, so
 * each unit is stored as what changed since the last unit of its kind:
 *
 *   1 byte   which predictor (kind of call)
 *   2 bytes  mask of the 32-bit words that differ
 *   4 bytes  for each of them, the new word
 *
 * About a quarter of the size, so that the page cache has a quarter to take in; that is
 * most of what recording a call costs. Pure: no I/O, no allocation.
 */
#ifndef INTERPOSE_SQUEEZE_H
#define INTERPOSE_SQUEEZE_H

#include <stddef.h>

#include "interpose/log.h"

#define SQUEEZE_UNIT_MAX (3 + 64) /* bytes that one unit can take */

/* Returns the bytes written to out, which has room for n * SQUEEZE_UNIT_MAX. */
size_t squeeze(size_t n, const struct record units[n], unsigned char *out);

/* The reverse. Returns 0, or -1 when in does not hold n whole units. */
int unsqueeze(size_t bytes, const unsigned char in[bytes], size_t n, struct record units[n]);

#endif
