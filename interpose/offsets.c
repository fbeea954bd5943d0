/* SPDX-License-Identifier: BSD-3-Clause */
#include "interpose/offsets.h"

#include <stdlib.h>

#include "interpose/recorder.h"

#define ROUND_TRIPS 20
#define TAG         1

static uint64_t hash_text(const char *text)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);

	for (; *text; text++)
		h = (h ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
	return h;
}

/* Rank 0's side: answer with the time. */
static void answer(int leader)
{
	int64_t now;
	int i;

	for (i = 0; i < ROUND_TRIPS; i++) {
		real.Recv(NULL, 0, MPI_BYTE, leader, TAG, recorder.comm, MPI_STATUS_IGNORE);
		now = ticks_clock_ns(CLOCK_MONOTONIC);
		real.Send(&now, 8, MPI_BYTE, leader, TAG, recorder.comm);
	}
}

static struct log_offset ask(void)
{
	struct log_offset best = {0, 0, INT64_MAX};
	int64_t before, after, theirs;
	int i;

	for (i = 0; i < ROUND_TRIPS; i++) {
		before = ticks_clock_ns(CLOCK_MONOTONIC);
		real.Send(NULL, 0, MPI_BYTE, 0, TAG, recorder.comm);
		real.Recv(&theirs, 8, MPI_BYTE, 0, TAG, recorder.comm, MPI_STATUS_IGNORE);
		after = ticks_clock_ns(CLOCK_MONOTONIC);
		if ((after - before) / 2 < best.error_ns) {
			best.error_ns = (after - before) / 2;
			best.mono_ns = before + best.error_ns;
			best.offset_ns = theirs - best.mono_ns;
		}
	}
	return best;
}

void offsets_measure(struct log_header *h)
{
	struct log_offset mine = {ticks_clock_ns(CLOCK_MONOTONIC), 0, 0}, *all = NULL;
	uint64_t boot = hash_text(h->boot_id), *boots = NULL;
	int r, first, n = recorder.ranks, leader = 0;

	if (recorder.comm == MPI_COMM_NULL || h->n_offsets >= 2)
		return;
	boots = calloc((size_t)n, sizeof(*boots));
	all = calloc((size_t)n, sizeof(*all));
	if (boots && all) {
		real.Allgather(&boot, 8, MPI_BYTE, boots, 8, MPI_BYTE, recorder.comm);
		for (r = 1; r < n; r++) {
			for (first = 0; boots[first] != boots[r]; first++)
				;
			if (r == recorder.rank)
				leader = first;
			if (first < r) /* its node has a leader already, or shares rank 0's clock */
				continue;
			if (recorder.rank == 0)
				answer(r);
			else if (recorder.rank == r)
				mine = ask();
		}
		real.Allgather(&mine, sizeof(mine), MPI_BYTE, all, sizeof(mine), MPI_BYTE,
			       recorder.comm);
		h->offset[h->n_offsets++] = all[leader];
	}
	free(all);
	free(boots);
}
