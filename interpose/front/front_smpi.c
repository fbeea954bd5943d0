/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The front for programs that SimGrid's SMPI simulates: all ranks are contexts of one thread.
 * It is linked into the program before libsimgrid (SMPI binds each rank's copy of the program
 * to the program's own libraries, so that a preloaded library is passed by). Each rank gets
 * its own copy of the backend, loaded from a file of its own, and every call finds its
 * rank's table: here the trampolines always lead to contend_resolve().
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <simgrid/actor.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/options.h"
#include "interpose/front/backend.h"

enum {
#define CALL(name, class, params, args, before, after) CALL_##name,
#define SPECIAL(name, class)                           CALL_##name,
#include "interpose/calls/calls.def"
#undef SPECIAL
#undef CALL
	N_CALLS
};

static const char *const names[N_CALLS] = {
#define CALL(name, class, params, args, before, after)      "MPI_" #name,
#define SPECIAL(name, class)                                "MPI_" #name,
#define SOME_MPIX(name, class, params, args, before, after) "MPIX_" #name,
#include "interpose/calls/calls.def"
#undef SPECIAL
#undef CALL
};

void **contend_resolve(void *caller) __attribute__((visibility("hidden")));

static void ***tables; /* by the actor's number; NULL where there is none yet */
static size_t n_tables;
static void *simulator;              /* dlopen handle of libsimgrid */
static void *originals[2 * N_CALLS]; /* its own functions, for who is not recorded: MPI_x, PMPI_x */
static int is_off;

/* One sentence for the job; after it nothing is recorded. */
static void give_up(const char *sentence, const char *detail)
{
	if (!is_off)
		dprintf(STDERR_FILENO, "contend: %s%s; the program runs on, not recorded\n",
			sentence, detail);
	is_off = 1;
}

static int not_in_this_mpi(void)
{
	return 16;
}

/* A job of 1,024 ranks has as many logs. */
static void raise_limit(void)
{
	struct rlimit files;

	if (!getrlimit(RLIMIT_NOFILE, &files) && files.rlim_cur < files.rlim_max) {
		files.rlim_cur = files.rlim_max;
		setrlimit(RLIMIT_NOFILE, &files);
	}
}

static void find_simulator(void)
{
	Dl_info info;
	int i;

	if (dladdr((void *)&sg_actor_self, &info) && info.dli_fname)
		simulator = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
	for (i = 0; i < N_CALLS; i++) {
		originals[i] = simulator ? dlsym(simulator, names[i]) : NULL;
		if (!originals[i])
			originals[i] = (void *)not_in_this_mpi;
		originals[N_CALLS + i] = originals[i];
	}
	raise_limit();
	is_off = option_is_on(OPTION_DISABLE);
	if (!simulator)
		give_up("cannot find libsimgrid", "");
}

/* Copy the backend, which lies beside this library, to path. Returns 0 or -1. */
static int copy_backend(const char *path)
{
	char from[PATH_MAX];
	const char *slash;
	struct stat st;
	Dl_info self;
	int in, out, ret = -1;

	if (!dladdr((void *)&copy_backend, &self) || !(slash = strrchr(self.dli_fname, '/')))
		return -1;
	snprintf(from, sizeof(from), "%.*s/libcontend-smpi.so", (int)(slash - self.dli_fname),
		 self.dli_fname);
	in = open(from, O_RDONLY | O_CLOEXEC);
	out = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0700);
	if (in >= 0 && out >= 0 && !fstat(in, &st))
		ret = sendfile(out, in, NULL, (size_t)st.st_size) == st.st_size ? 0 : -1;
	if (in >= 0)
		close(in);
	if (out >= 0)
		close(out);
	return ret;
}

/* A backend of this rank's own; NULL when there can be none. */
static void *load_copy(long pid)
{
	const char *folder = option_outside("TMPDIR");
	char path[PATH_MAX];
	void *backend = NULL;

	snprintf(path, sizeof(path), "%s/libcontend-smpi-%d-%ld.so", folder ? folder : "/tmp",
		 (int)getpid(), pid);
	if (copy_backend(path))
		give_up("cannot copy the recorder to ", path);
	else if (!(backend = dlopen(path, RTLD_NOW | RTLD_LOCAL)))
		give_up("cannot load the recorder: ", dlerror());
	unlink(path);
	return backend;
}

/* The table of a rank's wrappers; the simulator's own functions when it is not recorded. */
static void **open_table(long pid)
{
	__typeof__(&contend_backend_open) open_backend;
	void *backend, **table = calloc(2 * N_CALLS, sizeof(*table)), *real[N_CALLS];
	int i;

	if (!table || is_off || !(backend = load_copy(pid)))
		goto out;
	open_backend = (__typeof__(open_backend))dlsym(backend, "contend_backend_open");
	if (!open_backend || open_backend(simulator, "smpi", N_CALLS, table, real)) {
		give_up("the recorder does not fit this SimGrid", "");
		memset(table, 0, N_CALLS * sizeof(*table));
	}
out:
	for (i = 0; table && i < N_CALLS; i++)
		table[N_CALLS + i] = table[i] = table[i] ? table[i] : originals[i];
	return table ? table : originals;
}

void **contend_resolve(void *caller)
{
	long pid = sg_actor_self() ? sg_actor_self_get_pid() : 0;
	void ***more;

	(void)caller;
	if (!simulator && !is_off)
		find_simulator();
	if (pid <= 0)
		return originals;
	if ((size_t)pid >= n_tables) {
		more = realloc(tables, (size_t)(2 * pid) * sizeof(*tables));
		if (!more)
			return originals;
		memset(more + n_tables, 0, ((size_t)(2 * pid) - n_tables) * sizeof(*tables));
		tables = more;
		n_tables = (size_t)(2 * pid);
	}
	if (!tables[pid])
		tables[pid] = open_table(pid);
	return tables[pid];
}
