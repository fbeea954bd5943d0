/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmd/arguments.h"
#include "cmd/library.h"

#include <limits.h>
#include <stdio.h>

#include "common/options.h"

int cmd_preload(const struct verb *v, int argc, char **argv, struct err *err)
{
	struct arguments a;
	char library[PATH_MAX];
	const char *mpi;
	int status;

	status = arguments_parse(v, FLAGS_ANYWHERE, argc, argv, &a, err);
	if (status >= 0)
		return status;
	if (a.n) {
		err_set(err, "preload takes no argument, not \"%s\"", a.words[0]);
		return STATUS_USAGE;
	}
	mpi = option_text(OPTION_MPI);
	if (library_find(sizeof(library), library, err) ||
	    (mpi && library_records(library, mpi, err)))
		return STATUS_FAILED;
	printf("%s\n", library);
	return STATUS_OK;
}
