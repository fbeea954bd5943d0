/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the trace says about when messages arrived. Their ways to the receiver are never seen,
 * but who waits for a message and for nothing else proves that it is not there, and messages of
 * one connection come in the order in which they were sent. For attribution*.c only.
 */
#ifndef ANALYZE_ARRIVALS_H
#define ANALYZE_ARRIVALS_H

#include "analyze/flow.h"

/* A completing call may last this much longer than the handling without waiting. */
#define ARRIVALS_AT_ONCE_NS 2000

struct arrivals {
	struct flow *f;
	int64_t *
		since_ns; /* per message: not before, by those before it; INT64_MIN: nothing known */
};

/* Make room for f's messages. Returns 0, or -1 with *err set (out of memory). Caller: arrivals_release. */
int arrivals_init(struct arrivals *a, struct flow *f, struct err *err);
void arrivals_release(struct arrivals *a);

/* By f's present scenario. Returns 0, or -1 with *err set (out of memory). */
int arrivals_run(struct arrivals *a, struct err *err);

/* Was it completed by a call that returned at once? Then it was there when that began. */
int arrivals_at_once(struct flow *f, uint32_t i);

/* Did the receiver wait in a call that only this message could end? The idle-instant rule. */
int arrivals_waited_for(struct flow *f, uint32_t i);

/*
 * By then it had certainly come, or INT64_MAX: an eager message's acknowledgement had to be sent
 * and to come back, which its sender waited for.
 */
int64_t arrivals_came_ns(struct flow *f, uint32_t i);

/*
 * The best guess: by the replay; or, for one of several that its call waited for and not the
 * last, as much slower than the replay has it as the last one, which was seen to come.
 */
int64_t arrivals_guess_ns(const struct arrivals *a, uint32_t i);

#endif
