/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmd/arguments.h"
#include "cmd/library.h"

#include <limits.h>
#include <stdio.h>

int cmd_preload(const struct verb *v, int argc, char **argv, struct err *err)
{
	struct arguments a;
	char library[PATH_MAX];
	int status;

	status = arguments_parse(v, FLAGS_ANYWHERE, argc, argv, &a, err);
	if (status >= 0)
		return status;
	if (a.n) {
		err_set(err, "preload takes no argument, not \"%s\"", a.words[0]);
		return STATUS_USAGE;
	}
	if (library_find(sizeof(library), library, err))
		return STATUS_FAILED;
	printf("%s\n", library);
	return STATUS_OK;
}
