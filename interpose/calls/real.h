/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The functions of MPI, by number, and the job's own by pointer.
 */
#ifndef INTERPOSE_REAL_H
#define INTERPOSE_REAL_H

#include "interpose/calls/mpi4.h"
#include "interpose/job/simulated.h"

/* What mostly is so, where every call of the program comes by. */
#define USUAL(x) __builtin_expect(!!(x), 1)

enum call_id {
#define CALL(name, class, params, args, before, after) CALL_##name,
#define SPECIAL(name, class)                           CALL_##name,
#include "interpose/calls/calls.def"
#undef SPECIAL
#undef CALL
	CALL_COUNT
};

/* The job's own MPI, by pointer: nothing here calls MPI by name. */
struct real {
#define CALL(name, class, params, args, before, after)     OF_MPI(name, (*name), params);
#define SOME_MPI(name, class, params, args, before, after) int(*name) params;
#define SPECIAL(name, class)                               __typeof__(MPI_##name) *name;
#define SOME_SPECIAL(name, class, params)                  int(*name) params;
#include "interpose/calls/calls.def"
#undef SPECIAL
#undef CALL
#define REAL(name)              __typeof__(MPI_##name) *name;
#define SOME_REAL(name, params) int(*name) params;
#include "interpose/calls/helpers.def"
#undef REAL
};
extern struct real real __attribute__((visibility("hidden")));

#endif
