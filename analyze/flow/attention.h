/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Non-blocking collectives move while their ranks are inside MPI. When one's last rank has started
 * it and others are outside, who waits for its end waits until those that it needs are back; which
 * these are is MPI's matter, but none that comes back after it has ended. That is asked only of
 * those who wait for all ranks, as far as all are known.
 */
#ifndef ANALYZE_ATTENTION_H
#define ANALYZE_ATTENTION_H

#include "analyze/machine/machine.h"
#include "analyze/matching/collectives.h"
#include "analyze/matching/presence.h"

/*
 * *back: per call that completes some, the call with which the last of their ranks came back that
 * did before it returned; of others, and if all were inside, TRACE_NONE. NULL: there are none, or
 * the machine moves messages whatever their ends do. Returns 0, or -1 with *err set (out of
 * memory). Caller: table_free.
 */
int attention_find(const struct trace *t, const struct collectives *c, const struct presence *p,
		   const struct machine *machine, uint32_t **back, struct err *err);

#endif
