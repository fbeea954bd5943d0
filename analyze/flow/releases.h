/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which message ended each call's wait. For attribution*.c only. */
#ifndef ANALYZE_RELEASES_H
#define ANALYZE_RELEASES_H

#include "analyze/flow/flow.h"

/*
 * Find them (scene.release) by the flow's arrivals: of those that a call completes, the last one to
 * come. Where a scenario takes messages for others than before, find them again; which calls have
 * one does not change, nor what polls waited for. Then mark them in the facts. Returns 0, or -1
 * with *err set (out of memory).
 */
int releases_find(struct scene *s, const struct flow *f, struct err *err);

#endif
