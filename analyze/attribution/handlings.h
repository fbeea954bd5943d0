/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * When each rank handled the messages that it received: o_r before each completion, as the trace
 * has it; those that one call completed together one after the other, as they came. Between
 * them a message that is there waits for the handler. For attribution*.c only.
 */
#ifndef ANALYZE_HANDLINGS_H
#define ANALYZE_HANDLINGS_H

#include "analyze/attribution/arrivals.h"
#include "analyze/flow/vacancy.h"

struct handling {
	int64_t begin_ns;
	int64_t end_ns;
	int64_t run_ns; /* begin of the busy run that it belongs to */
	int64_t all_ns; /* of the receiver, up to its end */
};

/* Of one receiver's messages. */
struct handlings {
	const struct arrivals *a;
	struct vacancy vacancy; /* for its messages */
	uint32_t first, n;      /* its messages */
	struct handling *h;     /* in order of time */
	int64_t *taken_ns;      /* of each message, less first: its own handling begins */
	struct coming *row;     /* see handlings.c */
};

/*
 * Make room for any receiver of a's. Returns 0, or -1 with *err set (out of memory). Caller:
 * handlings_release.
 */
int handlings_init(struct handlings *h, const struct arrivals *a, struct err *err);
void handlings_release(struct handlings *h);

/* Those of the receiver whose arrivals a has. */
void handlings_run(struct handlings *h);

/* About how many of them have begun before a while, and when it ends. */
struct handlings_near {
	uint32_t from, to;
};

/*
 * How long it handled messages between from and to, ns. *near, that of the while before, becomes
 * this one's.
 */
int64_t handlings_busy_ns(const struct handlings *h, struct handlings_near *near, int64_t from_ns,
			  int64_t to_ns);

/* The handling of message i, which is that receiver's, begins. */
static inline int64_t handlings_taken_ns(const struct handlings *h, uint32_t i)
{
	return h->taken_ns[i - h->first];
}

/* The last instant up to that of message i's own handling at which the receiver handled nothing. */
int64_t handlings_idle_ns(const struct handlings *h, uint32_t i);

#endif
