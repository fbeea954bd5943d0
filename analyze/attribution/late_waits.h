/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The calls that wait for a rank which comes late, and until when: of lateness.c and causes.c. */
#ifndef ANALYZE_LATE_WAITS_H
#define ANALYZE_LATE_WAITS_H

#include "analyze/attribution/attribution.h"

/* A call waits for the rank that calls MPI at last at until. */
struct late_wait {
	uint32_t rank;
	int64_t from_ns, until_ns;
};

struct late_waits {
	const struct trace *t;
	const struct messages *m;
	const struct attribution *a;
	uint32_t
		*late; /* per call: the message whose other end is late; LATE_WAITS_NONE on: none */
};

#define LATE_WAITS_NONE (TRACE_NONE - 1)

/*
 * The tables have to live as long. Returns 0, or -1 with *err set (out of memory). Caller:
 * late_waits_release.
 */
int late_waits_find(struct late_waits *out, const struct trace *t, const struct messages *m,
		    const struct attribution *a, struct err *err);
void late_waits_release(struct late_waits *w);

/* Does the call wait for a late one? */
int late_waits_is(const struct late_waits *w, uint32_t call);

/* Whom such a call waits for, and when. */
struct late_wait late_waits_at(const struct late_waits *w, uint32_t call);

/*
 * Whom a call waits for in its collective, and until when: rank TRACE_NONE if it does not, or for
 * nobody known.
 */
struct late_wait late_waits_gathered(const struct late_waits *w, uint32_t call);

/* For how long: as in the budget, in which a rank's calls at once (threads) count once. */
int64_t late_waits_ns(const struct late_waits *w, uint32_t call);

#endif
