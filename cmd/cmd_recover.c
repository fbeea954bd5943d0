/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/reader/reader.h"
#include "analyze/run/ending.h"
#include "analyze/run/lost.h"
#include "cmd/arguments.h"
#include "cmd/recovery.h"

/* Finish the trace, and say how the ranks ended that did not finalize. */
static int finish(const struct run *r, struct progress *p, struct err *err)
{
	char ending[ENDING_ROOM];
	struct run finished;

	if (recovery_run(r, p, err) || run_open(r->dir, &finished, err))
		return -1;
	ending_text(&finished, "; ", sizeof(ending), ending);
	if (*ending)
		progress_say(p, "contend: %s\n", ending);
	run_release(&finished);
	return 0;
}

/* A run that has a trace: is it whole, and was nothing lost when it was made of its logs? */
static int look_again(const struct run *r, struct progress *p, struct err *err)
{
	struct err why;

	progress_step(p, "checking the trace");
	if (r->has_logs && lost_files(r, NULL)) /* which may have been copied once more */
		return finish(r, p, err);
	if (!trace_check(r->archive, &why)) {
		if (!recovery_tidy(r, p))
			progress_say(p, "contend: %s has a complete trace, nothing to recover\n",
				     r->dir);
		return 0;
	}
	if (r->has_logs) {
		progress_say(p, "contend: %s\n", why.text);
		return finish(r, p, err);
	}
	return err_set(err, "%s; the logs, of which it could be made anew, are gone", why.text);
}

int cmd_recover(const struct verb *v, int argc, char **argv, struct err *err)
{
	struct arguments a;
	struct progress progress;
	struct run run;
	int status;

	status = arguments_parse(v, FLAGS_ANYWHERE, argc, argv, &a, err);
	if (status >= 0)
		return status;
	if (arguments_are_one(v, &a, WANTED_RECORDING, err))
		return STATUS_USAGE;
	status = STATUS_FAILED;
	progress_start(&progress);
	if (!recovery_find(a.n ? a.words[0] : NULL, &progress, &run, err)) {
		if (!(run.needs_recovery ? finish(&run, &progress, err)
					 : look_again(&run, &progress, err)))
			status = STATUS_OK;
		run_release(&run);
	}
	progress_stop(&progress);
	return status;
}
