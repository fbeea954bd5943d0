/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The wrappers that a row of calls.def cannot say, and the table of all wrappers that
 * the front fills its trampolines from.
 */
#include "interpose/front/backend.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "interpose/calls/wrap.h"
#include "interpose/hooks/hooks.h"
#include "interpose/job/early.h"
#include "interpose/job/sessions.h"

static void world_begun(uint64_t enter, enum call_id call, void *ra)
{
	struct init init = {enter, ticks_now(), call, ra};

	recorder_start(&init);
	sessions_begin_world();
}

int wrap_Init(int *argc, char ***argv)
{
	uint64_t enter = ticks_now();
	int ret;

	recorder_claim();
	ret = real.Init(argc, argv);
	if (ret == MPI_SUCCESS)
		world_begun(enter, CALL_Init, __builtin_return_address(0));
	return ret;
}

int wrap_Init_thread(int *argc, char ***argv, int required, int *provided)
{
	uint64_t enter = ticks_now();
	int ret;

	recorder_claim();
	ret = real.Init_thread(argc, argv, required, provided);
	if (ret == MPI_SUCCESS)
		world_begun(enter, CALL_Init_thread, __builtin_return_address(0));
	return ret;
}

/* Recording goes on. */
static int finalize_beside_sessions(void *ra)
{
	struct scope s;
	int ret, recorded = scope_enter(&s, CALL_Finalize, ra, __builtin_frame_address(0));

	ret = real.Finalize();
	if (recorded) {
		scope_returned(&s);
		scope_leave(&s);
	}
	return ret;
}

int wrap_Finalize(void)
{
	if (sessions_end_world())
		return finalize_beside_sessions(__builtin_return_address(0));
	recorder_stop(__builtin_return_address(0));
	return real.Finalize();
}

int wrap_Abort(MPI_Comm comm, int code)
{
	struct scope s;

	(void)scope_enter(&s, CALL_Abort, __builtin_return_address(0), __builtin_frame_address(0));
	early_abort(code);
	return real.Abort(comm, code);
}

/* In place of a function that had better not be called. */
static int fail(void)
{
	return MPI_ERR_OTHER;
}

/* The address of a function in the job's MPI. */
static void *find(void *mpi, const char *name)
{
	if (SIMULATED && simulated_lacks(name))
		return (void *)fail;
	return dlsym(mpi, name);
}

/* Which mpi.h this was compiled with. */
#if SIMULATED
#define COMPILED_FOR "smpi"
#elif defined(OPEN_MPI)
#define COMPILED_FOR "openmpi"
#else
#define COMPILED_FOR "mpich"
#endif

int contend_backend_open(void *mpi, const char *name, size_t n, void *wrappers[n],
			 void *originals[n])
{
	if (n != CALL_COUNT || strcmp(name, COMPILED_FOR))
		return -1;
	ticks_init();
#define CALL(name, class, params, args, before, after) \
	real.name = (__typeof__(real.name))find(mpi, REAL_MPI #name);
#define SPECIAL(name, class) real.name = (__typeof__(real.name))find(mpi, REAL_MPI #name);
#define SOME_MPIX(name, class, params, args, before, after) \
	real.X_##name = (__typeof__(real.X_##name))find(mpi, "PMPIX_" #name);
#include "interpose/calls/calls.def"
#undef SPECIAL
#undef CALL
#define REAL(name)              real.name = (__typeof__(real.name))find(mpi, REAL_MPI #name);
#define SOME_REAL(name, params) REAL(name)
#include "interpose/calls/helpers.def"
#undef REAL
#define CALL(name, class, params, args, before, after) \
	originals[CALL_##name] = (void *)real.name;    \
	wrappers[CALL_##name] = real.name ? (void *)wrap_##name : NULL;
#define SPECIAL(name, class) CALL(name, class, , , , )
#include "interpose/calls/calls.def"
#undef SPECIAL
#undef CALL
#define REAL(name)      \
	if (!real.name) \
		return -1;
#include "interpose/calls/helpers.def"
#undef REAL
	return 0;
}
