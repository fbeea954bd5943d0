/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * When hosts sent TCP segments again, by the readings of their counters: between which of them, and
 * after how many time-outs. Whose segments, nobody says.
 */
#ifndef ANALYZE_RESENDS_H
#define ANALYZE_RESENDS_H

#include "analyze/trace.h"

/* From one reading of a host to the next. */
struct resends_span {
	int64_t from_ns, to_ns;
	uint64_t again;    /* segments */
	uint64_t timeouts; /* not yet accounted for */
	int64_t before_ns; /* of the spans before this one in which segments were sent again */
};

struct resends_home {
	struct resends_span *span; /* in order of time */
	uint32_t n;                /* 0: nobody read that host's counters, or only once */
};

struct resends {
	struct resends_home *home; /* each of the trace's */
	struct resends_span *spans;
};

/* Returns 0, or -1 with *err set (out of memory). Caller: resends_release. */
int resends_find(struct resends *r, const struct trace *t, struct err *err);
void resends_release(struct resends *r);

/* The first span that ends after ns; h->n: none does. */
uint32_t resends_at(const struct resends_home *h, int64_t ns);

/* How much of the time up to ns is in spans in which segments were sent again. */
int64_t resends_until_ns(const struct resends_home *h, int64_t ns);

#endif
