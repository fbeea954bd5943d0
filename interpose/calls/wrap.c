/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every wrapper of a CALL row. They differ in nothing but types and hooks: enter, the
 * hook before, the real function, its end, the hook after.
 */
#include "interpose/calls/wrap.h"

#include "interpose/hooks/hooks.h"
#include "interpose/hooks/hooks_io.h"
#include "interpose/hooks/hooks_rma.h"

#define CALL(name, class, params, args, before, after)                               \
	int wrap_##name params                                                       \
	{                                                                            \
		struct scope s;                                                      \
		int ret;                                                             \
                                                                                     \
		if (!scope_enter(&s, CALL_##name, __builtin_return_address(0),       \
				 __builtin_frame_address(0))) {                      \
			if (!scope_off(&s, CALL_##name, __builtin_return_address(0), \
				       __builtin_frame_address(0)))                  \
				return real.name args;                               \
			before;                                                      \
			ret = real.name args;                                        \
			scope_returned_off(&s);                                      \
			after;                                                       \
			scope_leave(&s);                                             \
			return ret;                                                  \
		}                                                                    \
		before;                                                              \
		ret = real.name args;                                                \
		scope_returned(&s);                                                  \
		after;                                                               \
		scope_leave(&s);                                                     \
		return ret;                                                          \
	}
#define SPECIAL(name, class)
#include "interpose/calls/calls.def"
#undef SPECIAL
#undef CALL

/* Where mpi.h has a function that not every MPI has, its type must be the row's. */
#define CALL(name, class, params, args, before, after)
#define SOME_MPI(name, class, params, args, before, after)  extern int MPI_##name params;
#define SOME_MPIX(name, class, params, args, before, after) extern int MPIX_##name params;
#define SOME_SPECIAL(name, class, params)                   extern int MPI_##name params;
#define SPECIAL(name, class)
#include "interpose/calls/calls.def"
