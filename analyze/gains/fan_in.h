/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How many ranks send to one at the same time. */
#ifndef ANALYZE_FAN_IN_H
#define ANALYZE_FAN_IN_H

#include "analyze/gains/evidence_base.h"

/*
 * Per receiver: the fan-in of distinct sources that is reached for more than a twentieth of the
 * time when anything is in flight to it; a higher one is a fluke. Returns 0, or -1 with *err set
 * (out of memory).
 */
int fan_in_find(const struct evidence_base *b, uint32_t *fan_in, struct err *err);

#endif
