/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two ranks' turn to measure while all others of the communicator sleep: one asks, one answers, and
 * rank 0 gets the result, which is plain bytes.
 */
#ifndef CALIBRATE_TURN_H
#define CALIBRATE_TURN_H

#include "calibrate/pair.h"
#include "calibrate/places.h"
#include "common/err.h"

struct turns {
	MPI_Comm comm;
	int rank, ranks;
	struct place *places;
	struct pair pair;
};

/* Collective: where each rank is; the caller frees it. NULL with *err set on every rank. */
struct place *turns_places(MPI_Comm comm, struct err *err);

/* Collective. Returns 0, or -1 with *err set on every rank. Caller: turns_release, either way. */
int turns_init(struct turns *t, MPI_Comm comm, struct err *err);
void turns_release(struct turns *t);

/* The first two ranks that are as near as that. Returns 1 when there are any. */
int turns_find(const struct turns *t, enum nearness n, int *a, int *b);

/* How many pairs are. */
int turns_count(const struct turns *t, enum nearness n);

/* How near the other of the two is; for the asking rank during its turn. */
enum nearness turns_nearness(const struct turns *t);

/* What the asking rank does; the mirror is set. Returns 0, or -1 with *err set. */
typedef int (*turn_work)(struct turns *t, void *context, void *result, struct err *err);

/* Collective. result has size bytes on every rank; it is filled on `from` and on rank 0. */
int turns_take(struct turns *t, int from, int to, turn_work work, void *context, void *result,
	       size_t size, struct err *err);

#endif
