/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What calls at a place take if nothing is in their way, as a missing core: the quickest twentieth
 * of them do, at least; down to half of that.
 */
#ifndef ANALYZE_QUICKEST_H
#define ANALYZE_QUICKEST_H

#include <stddef.h>
#include <stdint.h>

#include "common/err.h"

struct quickest {
	uint32_t *counts; /* per place and power of 2: so many took so many ns; freed when found: */
	int64_t *ns;      /* per place */
};

/* Returns 0, or -1 with *err set (out of memory). Caller: quickest_release. */
int quickest_init(struct quickest *q, uint32_t places, struct err *err);
void quickest_release(struct quickest *q);

/* One took so long; nothing is kept of what took no time at all. */
void quickest_add(struct quickest *q, uint32_t place, int64_t ns);

/* Those were all: ns is found. */
void quickest_find(struct quickest *q, uint32_t places);

#endif
