/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * In words, what ranks had been sent by those that they waited for, but with another tag or on
 * another communicator than they waited for.
 */
#ifndef ANALYZE_STAND_TAGS_H
#define ANALYZE_STAND_TAGS_H

#include "analyze/standing/stands.h"
#include "common/wording.h"

/*
 * A line with its end in front, of the first such rank; nothing if there is none, as without
 * memory.
 */
void stand_tags_add(struct wording *w, const struct stands *s);

#endif
