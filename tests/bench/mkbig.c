/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mkbig DIR RANKS EVENTS [unlike]: a trace of at least so many events, for measuring the analysis:
 * a grid of ranks that exchange with four neighbours, Irecv and Isend and Waitall, and reduce in
 * every tenth step. Times are plausible, not exact. unlike: all messages between two ranks differ
 * in tag and size.
 */
#include "tests/traces/mktrace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NEIGHBOURS 4

struct grid {
	struct mktrace *m;
	uint32_t ranks, width;
	int is_unlike;
};

/* Left, right, up, down on the torus; what one sends to side s comes in at side s ^ 1. */
static uint32_t neighbour(const struct grid *g, uint32_t rank, int side)
{
	uint32_t x = rank % g->width, y = rank / g->width, height = g->ranks / g->width;
	uint32_t dx = side == 0 ? g->width - 1 : side == 1, dy = side == 2 ? height - 1 : side == 3;

	return (x + dx) % g->width + (y + dy) % height * g->width;
}

static int32_t tag_of(const struct grid *g, uint64_t step, int side)
{
	return g->is_unlike ? (int32_t)(step * NEIGHBOURS) + side : side;
}

static uint64_t bytes_of(const struct grid *g, uint64_t step, int side)
{
	return g->is_unlike ? (UINT64_C(1) << 20) + step * NEIGHBOURS + (uint64_t)side : 1024;
}

/* A computation's length that is known by rank and step alone. */
static int64_t noise_ns(uint32_t rank, uint64_t step)
{
	uint64_t x = (rank * 2654435761ULL + step * 40503ULL) * 0x9e3779b97f4a7c15ULL;

	return (int64_t)(x >> 50);
}

static int64_t exchange(const struct grid *g, uint32_t rank, uint64_t step, int64_t at_ns)
{
	uint64_t location = SCHEMA_LOCATION(rank, 0), id = step * 2 * NEIGHBOURS;

	for (int s = 0; s < NEIGHBOURS; s++, at_ns += 400) {
		struct mkop post = {.kind = OP_IRECV, .request = id + (uint64_t)s + 1};

		mktrace_call(g->m, location, (struct mkspan){at_ns, at_ns + 300}, "MPI_Irecv",
			     "1111:20;1111:10", 1, &post);
	}
	for (int s = 0; s < NEIGHBOURS; s++, at_ns += 600) {
		struct mkop post = {.kind = OP_ISEND,
				    .peer = (int32_t)neighbour(g, rank, s),
				    .tag = tag_of(g, step, s),
				    .bytes = bytes_of(g, step, s),
				    .request = id + NEIGHBOURS + (uint64_t)s + 1};

		mktrace_call(g->m, location, (struct mkspan){at_ns, at_ns + 500}, "MPI_Isend",
			     "1111:30;1111:10", 1, &post);
	}
	return at_ns;
}

static void run(const struct grid *g, uint32_t rank, uint64_t steps)
{
	const int64_t step_ns = 60000;
	uint64_t location = SCHEMA_LOCATION(rank, 0), id;
	struct mkop done[2 * NEIGHBOURS],
		sum = {.kind = OP_COLL, .peer = -1, .bytes = 8, .bytes_in = 8, .coll_op = 13};

	for (uint64_t step = 0; step < steps; step++) {
		int64_t begin_ns = (int64_t)step * step_ns, at_ns;

		id = step * 2 * NEIGHBOURS;
		for (int s = 0; s < NEIGHBOURS; s++) {
			done[s] = (struct mkop){.kind = OP_IRECV_DONE,
						.peer = (int32_t)neighbour(g, rank, s),
						.tag = tag_of(g, step, s ^ 1),
						.bytes = bytes_of(g, step, s ^ 1),
						.request = id + (uint64_t)s + 1};
			done[NEIGHBOURS + s] =
				(struct mkop){.kind = OP_ISEND_DONE,
					      .request = id + NEIGHBOURS + (uint64_t)s + 1};
		}
		at_ns = exchange(g, rank, step, begin_ns + noise_ns(rank, step));
		mktrace_call(g->m, location, (struct mkspan){at_ns, begin_ns + 35000},
			     "MPI_Waitall", "1111:40;1111:10", 2 * NEIGHBOURS, done);
		if (step % 10 == 9)
			mktrace_call(g->m, location,
				     (struct mkspan){begin_ns + 40000 + noise_ns(rank, step) / 4,
						     begin_ns + 50000},
				     "MPI_Allreduce", "1111:50;1111:10", 1, &sum);
	}
}

int main(int argc, char **argv)
{
	int all = argc == 4 || (argc == 5 && !strcmp(argv[4], "unlike"));
	struct grid g = {.ranks = all ? (uint32_t)strtoul(argv[2], NULL, 10) : 0,
			 .is_unlike = argc == 5};
	uint64_t events = all ? strtoull(argv[3], NULL, 10) : 0;
	struct err err;

	if (!g.ranks || !events) {
		fprintf(stderr, "usage: mkbig DIR RANKS EVENTS [unlike]\n");
		return 2;
	}
	for (g.width = 1; g.width * g.width < g.ranks || g.ranks % g.width; g.width++)
		;
	g.m = mktrace_new(argv[1], g.ranks, &err);
	for (uint32_t rank = 0; g.m && rank < g.ranks; rank++) {
		char host[32];

		snprintf(host, sizeof(host), "node%u", rank / 16);
		mktrace_host(g.m, rank, host, "one");
	}
	/* 9 calls with 2 events each, 16 records, and a tenth of 4 */
	for (uint32_t rank = 0; g.m && rank < g.ranks; rank++)
		run(&g, rank, events / g.ranks / 34 + 1);
	if (!g.m || mktrace_close(g.m, &err)) {
		fprintf(stderr, "mkbig: error: %s\n", err.text);
		return 1;
	}
	return 0;
}
