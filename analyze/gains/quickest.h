/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What calls at a place take if nothing is in their way, as a missing core: the quickest twentieth
 * of them do. Within a factor of two.
 */
#ifndef ANALYZE_QUICKEST_H
#define ANALYZE_QUICKEST_H

#include <stddef.h>
#include <stdint.h>

#include "common/err.h"

#define QUICKEST_POWERS 48

struct quickest {
	uint32_t *counts; /* per place and power of 2: so many took so many ns */
};

/* Returns 0, or -1 with *err set (out of memory). Caller: quickest_release. */
int quickest_init(struct quickest *q, uint32_t places, struct err *err);
void quickest_release(struct quickest *q);

void quickest_add(struct quickest *q, uint32_t place, int64_t ns);

/* Of those added; at least 2 ns. */
int64_t quickest_ns(const struct quickest *q, uint32_t place);

#endif
