/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mkexchange DIR: a run directory for the tests of the command line. Four ranks on two
 * nodes send to the next one and meet in a barrier, ten times.
 */
#include "tests/traces/mktrace.h"

#include <stdio.h>

#define RANKS    4
#define ROUNDS   10
#define ROUND_NS 100000
#define BARRIER  0 /* OTF2_COLLECTIVE_OP_BARRIER */

static const char send_site[] = "/nowhere/ring:c0ffee+0x10";
static const char recv_site[] = "/nowhere/ring:c0ffee+0x20";

static void add_round(struct mktrace *m, int32_t rank, int64_t start_ns)
{
	int64_t t = start_ns + rank * 100;
	const struct mkop send = {.kind = OP_SEND, .peer = (rank + 1) % RANKS, .bytes = 1000};
	const struct mkop recv = {
		.kind = OP_RECV, .peer = (rank + RANKS - 1) % RANKS, .bytes = 1000};
	const struct mkop barrier = {.kind = OP_COLL, .peer = -1, .coll_op = BARRIER};

	mktrace_call(m, SCHEMA_LOCATION(rank, 0), (struct mkspan){t, t + 2000}, "MPI_Send",
		     send_site, 1, &send);
	mktrace_call(m, SCHEMA_LOCATION(rank, 0), (struct mkspan){t + 3000, t + 9000 + rank * 1000},
		     "MPI_Recv", recv_site, 1, &recv);
	mktrace_call(m, SCHEMA_LOCATION(rank, 0),
		     (struct mkspan){start_ns + 50000 + rank * 500, start_ns + 60000},
		     "MPI_Barrier", NULL, 1, &barrier);
}

int main(int argc, char **argv)
{
	struct err err = {""};
	struct mktrace *m;
	int32_t rank;
	int round;

	if (argc != 2) {
		fprintf(stderr, "usage: mkexchange DIR\n");
		return 2;
	}
	m = mktrace_new(argv[1], RANKS, &err);
	for (rank = 0; m && rank < RANKS; rank++) {
		mktrace_host(m, rank, rank < 2 ? "alpha" : "beta", rank < 2 ? "boot-a" : "boot-b");
		for (round = 0; round < ROUNDS; round++)
			add_round(m, rank, 1000 + (int64_t)round * ROUND_NS);
	}
	if (!m || mktrace_close(m, &err)) {
		fprintf(stderr, "mkexchange: %s\n", err.text);
		return 1;
	}
	return 0;
}
