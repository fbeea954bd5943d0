/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * In words, who waited for whom when a job was ended: the first circle of ranks that wait for each
 * other and how many more there are, or the rank that most wait for, directly or through others;
 * whether they were sent other messages than they wait for; and whether some were in another
 * collective than others.
 */
#ifndef ANALYZE_STAND_WAITS_H
#define ANALYZE_STAND_WAITS_H

#include "analyze/standing/stands.h"
#include "common/wording.h"

/* A line for each, with its end in front; nothing where nothing is known, as without memory. */
void stand_waits_add(struct wording *w, const struct stands *s);

#endif
