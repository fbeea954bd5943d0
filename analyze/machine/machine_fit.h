/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The steps of machine_from_trace() that have a file of their own. */
#ifndef ANALYZE_MACHINE_FIT_H
#define ANALYZE_MACHINE_FIT_H

#include "analyze/machine/machine_samples.h"

/*
 * Up to which size do sends leave without waiting for the receiver (T2)? Sets eager_bytes
 * and eager_assumed of each class. Returns 0, or -1 with *err set (out of memory).
 */
int machine_find_eager(const struct trace *t, const struct messages *m,
		       struct machine_class classes[LOCALITY_COUNT], struct err *err);

/*
 * Do large messages move while their ends compute? Sets progress of each class, which is known.
 * Returns 0, or -1 with *err set.
 */
int machine_find_progress(const struct trace *t, const struct messages *m,
			  struct machine_class classes[LOCALITY_COUNT], struct err *err);

/* What is assumed when nothing tells. */
uint64_t machine_eager_default(enum locality where);

#endif
