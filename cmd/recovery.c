/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmd/recovery.h"

#include "analyze/memory_need.h"
#include "analyze/reader.h"
#include "interpose/recover.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int recovery_run(const struct run *r, struct progress *p, struct err *err)
{
	const struct recover_watch watch = {progress_share, p};
	struct recover_result result;

	progress_step(p, "finishing the trace");
	if (recover_run(r->dir, &watch, &result, err))
		return -1;
	progress_say(p, "contend: finished the trace of %s: %s\n", r->dir, result.summary);
	if (*result.lost)
		progress_say(p, "contend: %s; all else is used, and the logs are kept\n",
			     result.lost);
	return 0;
}

/* Logs that are there on purpose: asked for, or one of them is damaged. */
static int has_kept_logs(const struct run *r)
{
	return r->has_logs && json_is_true(json_object_get(r->meta, "logs_kept"));
}

int recovery_tidy(const struct run *r, struct progress *p)
{
	int n;

	if (!r->has_logs || has_kept_logs(r))
		return 0;
	n = recover_tidy(r->dir);
	if (n)
		progress_say(p,
			     "contend: removed %d log%s that a kill left beside the finished trace "
			     "of %s\n",
			     n, n == 1 ? "" : "s", r->dir);
	return n;
}

/* r's directory once more, after something has been done in it. */
static int open_again(struct run *r, struct run *out, struct err *err)
{
	char *dir = strdup(r->dir);
	int failed;

	run_release(r);
	failed = dir ? run_open(dir, out, err) : err_set(err, "out of memory for a path");
	free(dir);
	return failed;
}

int recovery_open(const char *path, struct progress *p, struct run *out, struct err *err)
{
	struct run run;
	struct err why;

	if (run_open(path, &run, err))
		return -1;
	/* Left by a kill, or by a host that stopped before the trace was on the disk. */
	if (!run.needs_recovery && run.has_logs && !has_kept_logs(&run)) {
		if (trace_check(run.archive, &why))
			run.needs_recovery = 1;
		else
			recovery_tidy(&run, p);
	}
	if (!run.needs_recovery) {
		*out = run;
		return 0;
	}
	if (recovery_run(&run, p, err)) {
		run_release(&run);
		return -1;
	}
	return open_again(&run, out, err);
}

int recovery_read(const struct run *r, struct progress *p, struct trace *out, struct err *err)
{
	char lacks[1024];
	struct err why;

	progress_step(p, "reading the trace");
	if (memory_lacks(r->archive, memory_free_bytes(), sizeof(lacks), lacks))
		progress_say(p, "contend: %s\n", lacks);
	if (!trace_read(r->archive, out, &why))
		return 0;
	if (!r->has_logs) {
		*err = why;
		return -1;
	}
	return err_set(err, "%s; or make it anew from the logs: contend recover %s", why.text,
		       r->dir);
}
