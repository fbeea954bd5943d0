/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Random valid message passing programs with known matching, for property tests. The
 * program is run under MPI's matching rules (posted and unexpected queues per rank)
 * while its trace is written; messages carry their number as their size in bytes.
 */
#ifndef TESTS_TRACES_MKRANDOM_H
#define TESTS_TRACES_MKRANDOM_H

#include "tests/traces/mktrace.h"

/* What has to come out for one message; times are those of the calls' entries, -1: never. */
struct mktruth {
	uint32_t src, dst;
	int32_t tag;
	int64_t sent_ns;
	int64_t send_done_ns;
	int64_t posted_ns;
	int64_t recv_done_ns;
	int64_t not_here_ns; /* INT64_MIN: no failing test */
};

struct mkrandom {
	uint32_t ranks;
	uint32_t steps;
	unsigned seed;
	int reuse_requests; /* request ids are used again, as other recorders do */
};

struct mkexpected {
	struct mktruth *messages; /* number i has i + 1 bytes */
	uint32_t n;
	uint32_t matched;    /* those with recv_done_ns >= 0 */
	uint32_t open_recvs; /* posted, neither completed nor cancelled */
	uint32_t cancelled;
};

/* Write the trace of a program into m; caller frees out->messages. */
void mkrandom_write(struct mktrace *m, const struct mkrandom *what, struct mkexpected *out);

#endif
