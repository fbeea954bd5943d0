/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The front: the library that LD_PRELOAD names. It exports MPI_*, PMPI_*, _exit (front_exit.h),
 * exec (front_exec.h) and signal (front_signals.h) and their kind and nothing else, needs libc
 * only, and so is harmless in any process. Each name of MPI's is a trampoline through a table; the
 * first call of any of them finds out which MPI the program uses and loads the backend that was
 * built with it. From then on a call costs one indirect jump. Where there is no backend the table
 * gets the real functions.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/options.h"
#include "interpose/front/backend.h"
#include "interpose/front/front_exec.h"
#include "interpose/front/front_exit.h"
#include "interpose/front/front_signals.h"
#include "interpose/front/front_tool.h"

enum {
#define CALL(name, class, params, args, before, after) CALL_##name,
#define SPECIAL(name, class)                           CALL_##name,
#include "interpose/calls/calls.def"
#undef SPECIAL
#undef CALL
	N_CALLS
};

/* The real functions' names; one character on, those that the program calls. */
static const char *const names[N_CALLS] = {
#define CALL(name, class, params, args, before, after)      "PMPI_" #name,
#define SPECIAL(name, class)                                "PMPI_" #name,
#define SOME_MPIX(name, class, params, args, before, after) "PMPIX_" #name,
#include "interpose/calls/calls.def"
#undef SPECIAL
#undef CALL
};

/*
 * The trampolines' table and its first contents, in the generated assembly: MPI_x for every
 * row, then PMPI_x for every row.
 */
extern void *contend_table[2 * N_CALLS] __attribute__((visibility("hidden")));
void **contend_resolve(void *caller) __attribute__((visibility("hidden")));

static const struct {
	const char *version; /* how PMPI_Get_library_version begins */
	const char *name;    /* of the backend */
} mpis[] = {{"Open MPI", "openmpi"}, {"MPICH", "mpich"}};

/* One sentence, from rank 0 only. */
static void say(const char *sentence, const char *detail)
{
	if (option_job_rank() <= 0)
		dprintf(STDERR_FILENO, "contend: %s%s; the program runs on, not recorded\n",
			sentence, detail);
}

/* A function that the program's MPI does not have: an error under every MPI. */
static int not_in_this_mpi(void)
{
	return 16;
}

/* A handle of the real MPI: the next in the search order, else the caller's own. */
static void *find_mpi(void *caller)
{
	void *version = dlsym(RTLD_NEXT, "PMPI_Get_library_version"), *handle;
	Dl_info info;

	if (!version && dladdr(caller, &info) && info.dli_fname) {
		/* a program that loaded MPI for itself: through the object that calls us */
		handle = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
		version = handle ? dlsym(handle, "PMPI_Get_library_version") : NULL;
	}
	if (!version || !dladdr(version, &info) || !info.dli_fname)
		return NULL;
	return dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
}

/* The backend's name for this MPI, or NULL. */
static const char *backend_name(void *mpi)
{
	int (*get)(char *, int *) = (int (*)(char *, int *))dlsym(mpi, "PMPI_Get_library_version");
	const char *forced = option_text(OPTION_MPI);
	char text[16384] = "";
	int length = 0;
	size_t i;

	if (!get || get(text, &length))
		return forced;
	for (i = 0; i < sizeof(mpis) / sizeof(mpis[0]); i++) {
		if (strncmp(text, mpis[i].version, strlen(mpis[i].version)))
			continue;
		if (!forced || !strcmp(forced, mpis[i].name))
			return mpis[i].name;
		say("asked to record with another MPI's library, but the program uses ",
		    mpis[i].name);
		return NULL;
	}
	if (forced)
		return forced;
	text[strcspn(text, ",\n")] = '\0';
	say("no recorder for this MPI: ", text);
	return NULL;
}

/* Load the backend beside this library and let it fill in wrappers. Returns 0 or -1. */
static int load_backend(void *mpi, const char *name, void *wrappers[], void *originals[])
{
	__typeof__(contend_backend_open) *open_backend;
	char path[4096];
	const char *slash;
	void *backend;
	Dl_info self;

	if (!dladdr((void *)&load_backend, &self) || !(slash = strrchr(self.dli_fname, '/')))
		return -1;
	snprintf(path, sizeof(path), "%.*s/libcontend-%s.so", (int)(slash - self.dli_fname),
		 self.dli_fname, name);
	backend = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (!backend) {
		say("cannot load the recorder: ", dlerror());
		return -1;
	}
	open_backend = (__typeof__(open_backend))dlsym(backend, "contend_backend_open");
	if (!open_backend || open_backend(mpi, name, N_CALLS, wrappers, originals)) {
		say("this recorder does not fit the program's MPI: ", path);
		return -1;
	}
	front_exit_tell((__typeof__(contend_backend_left) *)dlsym(backend, "contend_backend_left"));
	front_exec_tell(
		(__typeof__(contend_backend_becomes) *)dlsym(backend, "contend_backend_becomes"));
	front_signals_tell(
		(__typeof__(contend_backend_asked) *)dlsym(backend, "contend_backend_asked"),
		(__typeof__(contend_backend_given) *)dlsym(backend, "contend_backend_given"));
	return 0;
}

static void set_slot(size_t slot, void *f)
{
	__atomic_store_n(&contend_table[slot], f ? f : (void *)not_in_this_mpi, __ATOMIC_RELEASE);
}

/*
 * MPI_x leads to another tool where there is one behind us, and PMPI_x, which that tool calls,
 * to the wrapper, or to the real function when there is nothing to record with.
 */
static void fill_slots(void *mpi, void *const wrappers[])
{
	const char *path = NULL;
	int i, past = 0;

	for (i = 0; i < N_CALLS; i++) {
		void *real = mpi ? dlsym(mpi, names[i]) : NULL;
		void *f = wrappers[i] ? wrappers[i] : real;
		void *tool = front_tool_find(names[i] + 1, real);
		const char *goes_past = tool ? front_tool_past(tool, names[i]) : NULL;

		set_slot((size_t)i, tool ? tool : f);
		set_slot((size_t)(N_CALLS + i), f);
		past += !tool ? 0 : goes_past ? 1 : -1;
		path = goes_past ? goes_past : path;
	}
	if (past > 0 && wrappers[0])
		say("has to be preloaded after a library that calls MPI past it: ", path);
}

/* The first call: wrappers, or the real functions when there is nothing to record with. */
static void fill_table(void *caller)
{
	void *wrappers[N_CALLS] = {NULL}, *originals[N_CALLS] = {NULL};
	void *mpi = find_mpi(caller);
	const char *name = NULL;

	if (mpi && !option_is_on(OPTION_DISABLE))
		name = backend_name(mpi);
	if (!mpi)
		say("cannot find the program's MPI library", "");
	if (name && load_backend(mpi, name, wrappers, originals))
		memset(wrappers, 0, sizeof(wrappers));
	fill_slots(mpi, wrappers);
}

static atomic_int state; /* of the table: 0 untouched, 1 being filled, 2 done */

void **contend_resolve(void *caller)
{
	int expected = 0;

	if (atomic_compare_exchange_strong(&state, &expected, 1)) {
		fill_table(caller);
		atomic_store(&state, 2);
	}
	while (atomic_load(&state) != 2)
		usleep(100);
	return contend_table;
}

static int own_stderr = -1; /* the program may close its own before we are asked */

/* In the process that `contend record` became, and in no child of it. */
static int is_recorded_process(void)
{
	const char *pid = option_outside(OPTION_PID_VARIABLE);

	return pid && atoi(pid) == getpid() && option_job_rank() <= 0;
}

__attribute__((constructor)) static void program_begins(void)
{
	if (is_recorded_process())
		own_stderr = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 100);
}

/* A program that never called MPI through us: not an MPI program, or MPI is linked in. */
__attribute__((destructor)) static void program_ends(void)
{
	if (own_stderr < 0 || atomic_load(&state) || !is_recorded_process())
		return;
	dprintf(own_stderr,
		"contend: %s called no MPI function that can be recorded (not an MPI program, or "
		"MPI is linked into it statically or called past the linker, by dlsym)\n",
		program_invocation_short_name);
}
