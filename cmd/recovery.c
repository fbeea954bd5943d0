/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmd/recovery.h"

#include "interpose/recover.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int recovery_run(const struct run *r, struct err *err)
{
	struct recover_result result;

	if (recover_run(r->dir, &result, err))
		return -1;
	fprintf(stderr, "contend: finished the trace of %s: %s\n", r->dir, result.summary);
	return 0;
}

int recovery_open(const char *path, struct run *out, struct err *err)
{
	struct run run;
	char *dir;
	int failed;

	if (run_open(path, &run, err))
		return -1;
	if (!run.needs_recovery) {
		*out = run;
		return 0;
	}
	failed = recovery_run(&run, err);
	dir = strdup(run.dir);
	run_release(&run);
	if (!failed && !dir)
		failed = err_set(err, "out of memory for a path");
	if (!failed)
		failed = run_open(dir, out, err);
	free(dir);
	return failed;
}
