/* SPDX-License-Identifier: BSD-3-Clause */
/* The wrappers: one per row of calls.def, with the type of the function it stands for. */
#ifndef INTERPOSE_WRAP_H
#define INTERPOSE_WRAP_H

#include "interpose/calls/mpi4.h"
#include "interpose/job/simulated.h"

#define CALL(name, class, params, ...)     extern OF_MPI(name, wrap_##name, params);
#define SOME_MPI(name, class, params, ...) extern int wrap_##name params;
#define SPECIAL(name, class)               extern __typeof__(MPI_##name) wrap_##name;
#define SOME_SPECIAL(name, class, params)  extern int wrap_##name params;
#include "interpose/calls/calls.def"
#undef SPECIAL
#undef CALL

#endif
