/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The replay of one receiver's handler: it takes what has arrived by a flow, one message after
 * the other, o_r each, and is always there. For attribution*.c only.
 */
#ifndef ANALYZE_HANDLER_H
#define ANALYZE_HANDLER_H

#include "analyze/flow/flow.h"

/* One message in its receiver's handler queue. */
struct slot {
	int64_t arrive_ns;
	int64_t finish_ns;
	int64_t run_ns; /* begin of the busy run it belongs to */
};

struct handler {
	const struct flow *f;
	uint32_t first, n;       /* its messages: first .. first + n - 1 */
	int64_t *begin_ns;       /* of each, less first: it would begin to be handled */
	struct slot *slot;       /* in order of arrival */
	struct passing *passing; /* see handler.c */
};

/*
 * Make room for any piece of f's messages. Returns 0, or -1 with *err set (out of memory). Caller:
 * handler_release.
 */
int handler_init(struct handler *h, const struct flow *f, struct err *err);
void handler_release(struct handler *h);

/* In a piece of its receiver's messages, by f's present scenario, in place of the one before. */
void handler_run(struct handler *h, uint32_t first, uint32_t n);

/*
 * The last instant up to when at which the handler would have had nothing to do: when itself,
 * or the begin of the busy run around it. i: of its messages that which is asked for.
 */
int64_t handler_idle_ns(const struct handler *h, uint32_t i, int64_t when);

#endif
