/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the trace says about when messages arrived. Their ways to the receiver are never seen,
 * but who waits for a message and for nothing else proves that it is not there, and messages of
 * one connection come in the order in which they were sent.
 */
#ifndef ANALYZE_ARRIVALS_H
#define ANALYZE_ARRIVALS_H

#include "analyze/flow/handler.h"

/* A completing call may last this much longer than the handling without waiting. */
#define ARRIVALS_AT_ONCE_NS 2000

/*
 * That a message by chance came just when its receiver asked for it at last, so many times as long
 * after it should have been there as that call took, is unlikely: it was there, and the call took
 * that long.
 */
#define ARRIVALS_COINCIDENCE 30

struct arrival {
	int64_t since_ns; /* it was not there before; INT64_MIN: nothing known */
	/*
	 * By then it had certainly come, or INT64_MAX: an eager message's acknowledgement had to be
	 * sent and to come back, which its sender waited for.
	 */
	int64_t came_ns;
	/*
	 * The best guess: by the replay; or, for one of several that its call waited for and not
	 * the last, as much slower than the replay has it as the last one, which was seen to come.
	 */
	int64_t guess_ns;
	/* Was it completed by a call that returned at once? Then it was there when that began. */
	uint8_t is_at_once;
	/*
	 * Did the receiver wait in a call that only this message could end? The idle-instant rule.
	 */
	uint8_t is_waited_for;
	/* So it seems, but the call may have lasted so long for others that it took. */
	uint8_t is_doubted;
};

/* Of one receiver's messages. */
struct arrivals {
	const struct flow *f;
	const struct handler *h;
	uint32_t first;          /* of its messages */
	struct arrival *arrival; /* of each, less first */
};

/*
 * Make room for any receiver of h's. Returns 0, or -1 with *err set (out of memory). Caller:
 * arrivals_release.
 */
int arrivals_init(struct arrivals *a, const struct handler *h, struct err *err);
void arrivals_release(struct arrivals *a);

/* Those of the handler's receiver, in place of the ones before. */
void arrivals_run(struct arrivals *a);

/* That of message i, which is that receiver's. */
static inline const struct arrival *arrivals_at(const struct arrivals *a, uint32_t i)
{
	return &a->arrival[i - a->first];
}

#endif
