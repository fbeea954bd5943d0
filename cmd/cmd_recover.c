/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmd/arguments.h"
#include "cmd/recovery.h"

#include <stdio.h>

int cmd_recover(const struct verb *v, int argc, char **argv, struct err *err)
{
	struct arguments a;
	struct run run;
	int status;

	status = arguments_parse(v, FLAGS_ANYWHERE, argc, argv, &a, err);
	if (status >= 0)
		return status;
	if (a.n > 1) {
		err_set(err, "recover takes one run, not also \"%s\"", a.words[1]);
		return STATUS_USAGE;
	}
	if (run_open(a.n ? a.words[0] : NULL, &run, err))
		return STATUS_FAILED;
	status = STATUS_OK;
	if (!run.needs_recovery)
		fprintf(stderr, "contend: %s has a complete trace, nothing to recover\n", run.dir);
	else if (recovery_run(&run, err))
		status = STATUS_FAILED;
	run_release(&run);
	return status;
}
