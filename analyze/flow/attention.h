/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Non-blocking collectives move while their ranks are inside MPI. When one's last rank has started
 * it and others are outside, who waits for its end waits until those that it needs are back; which
 * these are is MPI's matter, but none that comes back after it has ended.
 */
#ifndef ANALYZE_ATTENTION_H
#define ANALYZE_ATTENTION_H

#include "analyze/matching/collectives.h"
#include "analyze/matching/presence.h"

/*
 * *until_ns: per call that completes some, when the last of their ranks was back that came back
 * before it returned; of other calls 0. NULL: there are none. Returns 0, or -1 with *err set (out
 * of memory). Caller: table_free.
 */
int attention_find(const struct trace *t, const struct collectives *c, const struct presence *p,
		   int64_t **until_ns, struct err *err);

#endif
