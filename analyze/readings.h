/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Readings of counters beside the MPI calls, as record --counters makes them: those that bear on
 * numbers. One rank of each node reads the node's. Values count from the recording's begin, and
 * those of a counter that went back meanwhile are not there. Their times are the
 * recorder's: what clocks are corrected by afterwards is as nothing between two readings.
 */
#ifndef ANALYZE_READINGS_H
#define ANALYZE_READINGS_H

#include <stddef.h>
#include <stdint.h>

enum reading_of {
	READING_SENT_AGAIN, /* TCP segments */
	READING_TIMEOUTS,   /* after which TCP did so */
	READING_KINDS
};

struct counter_reading {
	int64_t time_ns;
	uint64_t value;
	uint32_t rank; /* who read it */
	enum reading_of of;
};

struct readings {
	struct counter_reading *v; /* those of a rank together, each counter's in order of time */
	size_t n, cap;
};

/* Which of them has this name, as in interpose/evidence/counters.def; READING_KINDS: none. */
enum reading_of reading_named(const char *name);

/* Append one; returns 0, or -1: out of memory. */
int readings_add(struct readings *r, struct counter_reading one);
void readings_release(struct readings *r);

#endif
