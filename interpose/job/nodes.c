/* SPDX-License-Identifier: BSD-3-Clause */
#include "interpose/job/nodes.h"

#include <stdlib.h>
#include <string.h>

#include "interpose/job/recorder.h"

struct owner {
	uint64_t clock;
	int rank;
};

static uint64_t hash_text(const char *text)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);

	for (; *text; text++)
		h = (h ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
	return h;
}

static int by_clock(const void *a, const void *b)
{
	const struct owner *x = a, *y = b;

	if (x->clock != y->clock)
		return x->clock < y->clock ? -1 : 1;
	return x->rank < y->rank ? -1 : x->rank > y->rank;
}

static int by_rank(const void *a, const void *b)
{
	int x = *(const int *)a, y = *(const int *)b;

	return x < y ? -1 : x > y;
}

/* From the sorted owners; leaders has room for all. */
static void fill(struct owner *all, uint64_t mine, int *leaders, struct nodes *out)
{
	const int *at;
	int i;

	for (i = 0; i < recorder.ranks; i++) {
		int first = !i || all[i - 1].clock != all[i].clock;

		if (first)
			leaders[out->n++] = all[i].rank;
		if (first && all[i].clock == mine)
			out->leader = all[i].rank;
		else if (all[i].clock == mine)
			leaders[recorder.ranks + out->n_members++] = all[i].rank;
	}
	qsort(leaders, (size_t)out->n, sizeof(*leaders), by_rank);
	at = bsearch(&out->leader, leaders, (size_t)out->n, sizeof(*leaders), by_rank);
	out->index = (int)(at - leaders);
	if (recorder.rank != out->leader)
		return;
	out->leaders = leaders;
	out->members = leaders + out->n;
	memmove(out->members, leaders + recorder.ranks, (size_t)out->n_members * sizeof(*leaders));
}

int nodes_find(const char *clock_id, struct nodes *out)
{
	size_t n = (size_t)recorder.ranks;
	uint64_t mine = hash_text(clock_id), *clocks = malloc(n * sizeof(*clocks));
	struct owner *all = malloc(n * sizeof(*all));
	int *leaders = malloc(2 * n * sizeof(*leaders)), *kept;
	int ok = clocks && all && leaders, every;
	int i;

	memset(out, 0, sizeof(*out));
	real.Allreduce(&ok, &every, 1, MPI_INT, MPI_MIN, recorder.comm);
	if (every) {
		real.Allgather(&mine, 8, MPI_BYTE, clocks, 8, MPI_BYTE, recorder.comm);
		for (i = 0; i < recorder.ranks; i++)
			all[i] = (struct owner){clocks[i], i};
		qsort(all, n, sizeof(*all), by_clock);
		fill(all, mine, leaders, out);
	}
	if (!out->leaders) {
		free(leaders);
	} else {
		kept = realloc(leaders, (size_t)(out->n + out->n_members) * sizeof(*leaders));
		out->leaders = kept ? kept : leaders;
		out->members = out->leaders + out->n;
	}
	free(all);
	free(clocks);
	return every ? 0 : -1;
}
