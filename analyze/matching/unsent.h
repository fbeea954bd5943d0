/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Calls that completed receives whose messages' sends are not in the trace, as the record of the
 * sender ends early, is missing, or was never made (--ranks): what these calls waited for, and
 * since when, is not known.
 */
#ifndef ANALYZE_UNSENT_H
#define ANALYZE_UNSENT_H

#include "analyze/matching/messages.h"

/*
 * Into out->unsent, by call, and out->torn; out has all messages of t. Returns 0, or -1: out of
 * memory.
 */
int unsent_find(const struct trace *t, struct messages *out);
void unsent_release(struct messages *m);

#define UNSENT_BY_SEVERAL (TRACE_NONE - 1)

/*
 * Of whose record such a call would need more; UNSENT_BY_SEVERAL: of more than one rank's;
 * TRACE_NONE: it is no such call.
 */
uint32_t unsent_by(const struct messages *m, uint32_t call);

/*
 * Did the call complete a receive whose message is not in the table, whyever that is: a process of
 * another run sent it, or somebody while his recording paused, ...?
 */
int unsent_look_up_torn(const struct messages *m, uint32_t call);
static inline int unsent_is_torn(const struct messages *m, uint32_t call)
{
	return m->n_torn && unsent_look_up_torn(m, call);
}

#endif
