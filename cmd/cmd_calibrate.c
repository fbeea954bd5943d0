/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmd/arguments.h"
#include "cmd/library.h"
#include "common/options.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The MPI whose launcher started this process; NULL when none did, or none we know. */
static const char *launching_mpi(void)
{
	if (option_outside("OMPI_COMM_WORLD_SIZE") || option_outside("PMIX_NAMESPACE"))
		return "openmpi";
	if (option_outside("PMI_SIZE") || option_outside("PMI_RANK"))
		return "mpich";
	return NULL;
}

/* --drift writes no file and compares nothing else; a variable that is always set may stand. */
static int check_drift(struct err *err)
{
	static const enum option_id others[] = {OPTION_MACHINE_OUT, OPTION_PLOT, OPTION_CHECK,
						OPTION_QUICK, OPTION_CONTENTION};
	size_t i;

	for (i = 0; option_text(OPTION_DRIFT) && i < sizeof(others) / sizeof(others[0]); i++)
		if (option_origin(others[i]) == ORIGIN_FLAG)
			return err_set(err,
				       "--drift measures a few sizes of its file and writes none, "
				       "so it goes without --%s: calibrate again for that",
				       option_rows[others[i]].flag);
	return 0;
}

int cmd_calibrate(const struct verb *v, int argc, char **argv, struct err *err)
{
	static const char *const mpis[] = {"openmpi", "mpich"};
	char program[PATH_MAX], name[64];
	const char *mpi = launching_mpi();
	struct arguments a;
	size_t chosen = 0;
	long contention_s;
	int status;

	status = arguments_parse(v, FLAGS_ANYWHERE, argc, argv, &a, err);
	if (status >= 0)
		return status;
	if (a.n) {
		err_set(err, "calibrate takes no argument, not \"%s\"", a.words[0]);
		return STATUS_USAGE;
	}
	if (check_drift(err) ||
	    option_number(OPTION_CONTENTION, 0, CALIBRATE_CONTENTION_S_MOST, &contention_s, err))
		return STATUS_USAGE;
	if (option_text(OPTION_MPI)) {
		if (option_word(OPTION_MPI, 2, mpis, &chosen, err))
			return STATUS_USAGE;
		mpi = mpis[chosen];
	}
	if (!mpi) {
		err_set(err,
			"calibrate goes after the launcher, which says who the ranks are: %s (or "
			"say "
			"--mpi when the launcher is neither Open MPI's nor MPICH's)",
			v->example);
		return STATUS_USAGE;
	}
	snprintf(name, sizeof(name), "calibrate-%s", mpi);
	if (library_program(name, sizeof(program), program, err))
		return STATUS_FAILED;
	execv(program, (char *const[]){program, NULL});
	err_set(err, "cannot start %s: %s", program, strerror(errno));
	return STATUS_FAILED;
}
