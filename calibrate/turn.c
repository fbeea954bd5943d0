/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calibrate/turn.h"

#include <stdlib.h>
#include <string.h>

enum { TAG_RESULT = 77 };

struct place *turns_places(MPI_Comm comm, struct err *err)
{
	struct place mine, *all;
	int ranks, bad;

	MPI_Comm_size(comm, &ranks);
	all = calloc((size_t)ranks, sizeof(*all));
	bad = !all;
	MPI_Allreduce(MPI_IN_PLACE, &bad, 1, MPI_INT, MPI_MAX, comm);
	if (bad) {
		free(all);
		err_set(err, "out of memory for %d ranks", ranks);
		return NULL;
	}
	place_here(&mine);
	MPI_Allgather(&mine, sizeof(mine), MPI_BYTE, all, sizeof(mine), MPI_BYTE, comm);
	return all;
}

int turns_init(struct turns *t, MPI_Comm comm, struct err *err)
{
	int ret = 0;

	*t = (struct turns){.comm = comm};
	MPI_Comm_rank(comm, &t->rank);
	MPI_Comm_size(comm, &t->ranks);
	if (t->ranks < 2)
		return err_set(err, "one rank has nobody to send to: start at least two");
	t->places = turns_places(comm, err);
	if (!t->places)
		return -1;
	t->pair = (struct pair){.comm = comm, .room = PAIR_BYTES_MAX, .timer_s = pair_timer()};
	t->pair.buffer = calloc(PAIR_BYTES_MAX, 1);
	if (!t->pair.buffer)
		ret = err_set(err, "out of memory for %d ranks", t->ranks);
	MPI_Allreduce(MPI_IN_PLACE, &ret, 1, MPI_INT, MPI_MIN, comm);
	return ret;
}

void turns_release(struct turns *t)
{
	free(t->pair.buffer);
	free(t->places);
	*t = (struct turns){.comm = t->comm};
}

int turns_find(const struct turns *t, enum nearness n, int *a, int *b)
{
	for (*a = 0; *a < t->ranks; ++*a)
		for (*b = *a + 1; *b < t->ranks; ++*b)
			if (place_nearness(&t->places[*a], &t->places[*b]) == n)
				return 1;
	return 0;
}

int turns_count(const struct turns *t, enum nearness n)
{
	int a, b, pairs = 0;

	for (a = 0; a < t->ranks; a++)
		for (b = a + 1; b < t->ranks; b++)
			pairs += place_nearness(&t->places[a], &t->places[b]) == n;
	return pairs;
}

enum nearness turns_nearness(const struct turns *t)
{
	return place_nearness(&t->places[t->rank], &t->places[t->pair.mirror]);
}

int turns_take(struct turns *t, int from, int to, turn_work work, void *context, void *result,
	       size_t size, struct err *err)
{
	int ret = 0, i;

	t->pair.on_one_host = !strcmp(t->places[from].host, t->places[to].host);
	if (t->rank == from) {
		pair_begin(&t->pair, to);
		ret = work(t, context, result, err);
		pair_done(&t->pair);
		if (from != 0)
			MPI_Send(result, (int)size, MPI_BYTE, 0, TAG_RESULT, t->comm);
	} else if (t->rank == to) {
		pair_answer(&t->pair, from);
	}
	if (t->rank == 0) {
		if (from != 0) {
			pair_doze(t->comm, from, TAG_RESULT);
			MPI_Recv(result, (int)size, MPI_BYTE, from, TAG_RESULT, t->comm,
				 MPI_STATUS_IGNORE);
		}
		for (i = 1; i < t->ranks; i++)
			if (i != from && i != to)
				pair_wake(t->comm, i);
	} else if (t->rank != from && t->rank != to) {
		pair_sleep(t->comm);
	}
	return ret;
}
