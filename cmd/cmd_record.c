/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * contend record: becomes the program with the recorder preloaded. Runs once per
 * rank, so what concerns the whole program is said by one rank only.
 */
#include "cmd/arguments.h"
#include "cmd/job.h"
#include "cmd/launcher.h"
#include "cmd/library.h"
#include "cmd/program.h"
#include "common/options.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DEPTH_MAX 64

static void warn_once(const char *text)
{
	if (job_speaks())
		fprintf(stderr, "contend: warning: %s\n", text);
}

static int refuse_launcher(const struct arguments *a, struct err *err)
{
	char flags[256] = "";
	char corrected[400];
	int i;

	for (i = 0; i < a->n_flags; i++) {
		size_t used = strlen(flags);

		if (strcmp(a->flags[i], "--"))
			snprintf(flags + used, sizeof(flags) - used, "%s%s", used ? " " : "",
				 a->flags[i]);
	}
	launcher_corrected(a->n, a->words, flags, sizeof(corrected), corrected);
	err_set(err, "record goes after the launcher: %s", corrected);
	return STATUS_USAGE;
}

/* Values that the recorder could only complain about later, once per rank. */
static int check_options(struct err *err)
{
	static const char *const mpis[] = {"openmpi", "mpich"};
	size_t mpi;
	uint64_t bytes;
	long number;
	int listed;

	if (option_number(OPTION_DEPTH, 0, DEPTH_MAX, &number, err) ||
	    option_number(OPTION_COUNTERS, 0, 3600000, &number, err) ||
	    option_number(OPTION_CLOCK_INTERVAL, 0, 86400, &number, err) ||
	    option_bytes(OPTION_MAX_TRACE, &bytes, err) ||
	    option_lists(OPTION_RANKS, 0, &listed, err))
		return -1;
	return option_word(OPTION_MPI, 2, mpis, &mpi, err);
}

/* The program may change its folder before it reaches MPI_Init. */
static int make_output_absolute(struct err *err)
{
	const char *output = option_text(OPTION_OUTPUT);
	char cwd[PATH_MAX];
	char absolute[2 * PATH_MAX];

	if (!output || output[0] == '/')
		return 0;
	if (!getcwd(cwd, sizeof(cwd)))
		return err_set(err, "cannot tell the current folder: %s", strerror(errno));
	snprintf(absolute, sizeof(absolute), "%s/%s", cwd, output);
	if (setenv(option_rows[OPTION_OUTPUT].variable, absolute, 1))
		return err_set(err, "cannot set %s: %s", option_rows[OPTION_OUTPUT].variable,
			       strerror(errno));
	return 0;
}

/*
 * Put the library behind what is preloaded already: another tool there calls PMPI_x or looks up
 * the next MPI_x, and both are ours; and sanitizers want to be first.
 */
static int preload(struct err *err)
{
	const char *before = option_outside("LD_PRELOAD");
	char library[PATH_MAX];
	char pid[16];
	char *list = NULL;
	int ret = -1;

	if (library_find(sizeof(library), library, err))
		return -1;
	if (strpbrk(library, " :"))
		return err_set(err, "%s cannot be preloaded: its path has a space or a colon",
			       library);
	if (asprintf(&list, "%s%s%s", before ? before : "", before ? ":" : "", library) < 0)
		return err_set(err, "out of memory for LD_PRELOAD");
	snprintf(pid, sizeof(pid), "%d", (int)getpid());
	ret = setenv("LD_PRELOAD", list, 1) || setenv(OPTION_PID_VARIABLE, pid, 1) ? -1 : 0;
	if (ret)
		err_set(err, "cannot set LD_PRELOAD: %s", strerror(errno));
	else if (option_is_on(OPTION_VERBOSE) && option_job_rank() <= 0)
		fprintf(stderr, "contend: recording with %s\n", library);
	free(list);
	return ret;
}

/* Why the program cannot be recorded although it can run; NULL when it can. */
static const char *why_not(enum program_kind kind)
{
	switch (kind) {
	case PROGRAM_STATIC:
		return "is linked statically, so nothing can be preloaded";
	case PROGRAM_SETUID:
		return "runs with other rights (setuid or setgid), so nothing can be preloaded";
	case PROGRAM_OTHER_MACHINE:
		return "is built for another kind of processor than the recorder";
	default:
		return NULL;
	}
}

/* Prepare the environment; when that fails the program still runs, unrecorded. */
static void prepare(const char *name, enum program_kind kind)
{
	char text[sizeof(struct err) + 80];
	struct err err = {""};

	if (option_is_on(OPTION_DISABLE))
		return;
	if (why_not(kind))
		err_set(&err, "%s %s", name, why_not(kind));
	else if (!make_output_absolute(&err))
		preload(&err);
	if (!*err.text)
		return;
	snprintf(text, sizeof(text), "%s; it runs without being recorded", err.text);
	warn_once(text);
}

int cmd_record(const struct verb *v, int argc, char **argv, struct err *err)
{
	struct arguments a;
	enum program_kind kind;
	char path[PATH_MAX];
	int status;

	status = arguments_parse(v, FLAGS_BEFORE_WORDS, argc, argv, &a, err);
	if (status >= 0)
		return status;
	if (!a.n) {
		err_set(err, "record needs a program: %s", v->example);
		return STATUS_USAGE;
	}
	if (launcher_is(a.words[0]))
		return refuse_launcher(&a, err);
	if (check_options(err))
		return STATUS_USAGE;
	kind = program_inspect(a.words[0], sizeof(path), path);
	if (kind == PROGRAM_NOT_FOUND) {
		err_set(err, "%s: no such program", a.words[0]);
		return STATUS_NOT_FOUND;
	}
	if (kind == PROGRAM_NOT_EXECUTABLE) {
		err_set(err, "%s: not an executable program", path);
		return STATUS_NOT_EXECUTABLE;
	}
	prepare(a.words[0], kind);
	execvp(a.words[0], a.words);
	status = errno == ENOENT ? STATUS_NOT_FOUND : STATUS_NOT_EXECUTABLE;
	err_set(err, "cannot start %s: %s", a.words[0], strerror(errno));
	return status;
}
