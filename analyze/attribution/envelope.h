/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A view from the sums of several scenarios: the default one has the values, all of them the
 * intervals; and what each part can be at all beside the others. For attribution.c only.
 */
#ifndef ANALYZE_ENVELOPE_H
#define ANALYZE_ENVELOPE_H

#include "analyze/attribution/walk.h"

/* Take in one scenario's sums; the first is the default, whose values add up to v's total. */
void envelope_take(struct view *v, const struct tally *t, int is_first);

/*
 * After the last: so much of the contention may be something else, whichever kind of it. Returns
 * how much it is at most.
 */
int64_t envelope_doubt(struct view *v, int64_t ns);

/*
 * Or so much of this part may be that one: both are contention. Returns how much it is at most.
 */
int64_t envelope_exchange(struct view *v, enum cost part, enum cost that, int64_t ns);

/*
 * Then: a part is not more than what the least of all others leaves of the total, and
 * not less than what their most leaves.
 */
void envelope_bound(struct view *v);

#endif
