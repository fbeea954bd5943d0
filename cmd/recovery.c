/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmd/recovery.h"

#include "analyze/reader/reader.h"
#include "analyze/run/lost.h"
#include "analyze/run/mistaken.h"
#include "analyze/tools/memory_need.h"
#include "common/options.h"
#include "common/spill.h"
#include "common/table.h"
#include "interpose/archive/recover.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int recovery_run(const struct run *r, struct progress *p, struct err *err)
{
	const struct recover_watch watch = {progress_share, p};
	struct recover_result result;

	if (access(r->dir, W_OK))
		return err_set(err,
			       "the trace of %s is still to be finished, which needs writing into "
			       "that folder: %s; copy it to where you may, or let its owner say: "
			       "contend recover %s",
			       r->dir, strerror(errno), r->dir);
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

#define WAIT_S 3

/* r's directory once more, after something has been done in it. */
static int open_again(struct run *r, struct err *err)
{
	char *dir = strdup(r->dir);
	int failed;

	run_release(r);
	failed = dir ? run_open(dir, r, err) : err_set(err, "out of memory for a path");
	free(dir);
	return failed;
}

/* The job itself finishes its trace, if it can: it must not be interfered with. */
static int await_job(struct run *r, struct progress *p, struct err *err)
{
	if (!r->has_logs || has_kept_logs(r) || !recover_await(r->dir, 0))
		return 0;
	progress_say(p,
		     "contend: %s is still being recorded: waiting up to %d s for the end of the "
		     "job\n",
		     r->dir, WAIT_S);
	if (recover_await(r->dir, WAIT_S))
		return err_set(err, "%s is still being recorded: wait until the job has ended",
			       r->dir);
	return open_again(r, err);
}

int recovery_find(const char *path, struct progress *p, struct run *out, struct err *err)
{
	if (run_open(path, out, err)) {
		if (path)
			mistaken_for(path, WANTED_RECORDING, err);
		return -1;
	}
	if (!await_job(out, p, err))
		return 0;
	run_release(out);
	return -1;
}

int recovery_open(const char *path, struct progress *p, struct run *out, struct err *err)
{
	struct run run;
	struct err why;

	if (recovery_find(path, p, &run, err))
		return -1;
	/* Left by a kill, or by a host that stopped before the trace was on the disk. */
	if (!run.needs_recovery && run.has_logs && !has_kept_logs(&run)) {
		if (trace_check(run.archive, &why))
			run.needs_recovery = 1;
		else
			recovery_tidy(&run, p);
	}
	if (run.needs_recovery && (recovery_run(&run, p, err) || open_again(&run, err))) {
		run_release(&run);
		return -1;
	}
	*out = run;
	return 0;
}

int recovery_checked(struct err *err)
{
	uint64_t bytes = 0;

	return option_bytes(OPTION_MEMORY, &bytes, err);
}

/*
 * Keep so many bytes of tables in memory and what is more in a file, in the first of the folders
 * that can have one; of one that cannot it is said. Returns the folder, or NULL with *err set.
 */
static const char *limit_tables(uint64_t bytes, struct progress *p, struct err *err)
{
	const char *const folders[] = {option_outside("TMPDIR"), "/tmp", "/var/tmp"};
	struct err why = {"TMPDIR, /tmp and /var/tmp are in memory themselves"};
	size_t refused = 0;

	for (size_t k = 0; k < sizeof(folders) / sizeof(*folders); k++) {
		if (!folders[k] || spill_is_in_memory(folders[k]))
			continue;
		if (table_limit(bytes, folders[k], refused++ ? err : &why))
			continue;
		if (refused > 1)
			progress_say(p, "contend: %s; it is in %s\n", why.text, folders[k]);
		return folders[k];
	}
	err_set(err, "%s; set TMPDIR to a folder on a disk", why.text);
	return NULL;
}

/* Where the tables of a trace will be: in memory, or beyond a limit in a file. */
static int place_tables(const char *archive, struct progress *p, struct err *err)
{
	uint64_t bytes = 0, left;
	const char *folder;
	char lacks[1024];
	struct err none;

	table_keep_none(); /* of a run before */
	left = memory_free_bytes("");
	if (option_text(OPTION_MEMORY))
		return option_bytes(OPTION_MEMORY, &bytes, err) || !limit_tables(bytes, p, err) ? -1
												: 0;
	if (!memory_lacks(archive, left, NULL, sizeof(lacks), lacks))
		return 0;
	/*
	 * the file's pages need memory, too: with the most of it the tables are read out of order
	 * faster
	 */
	folder = limit_tables(table_held() + left / 4, p, &none);
	memory_lacks(archive, left, folder, sizeof(lacks), lacks);
	progress_say(p, "contend: %s\n", lacks);
	return 0;
}

int recovery_read(const struct run *r, struct progress *p, struct trace *out, struct err *err)
{
	struct err why;

	if (place_tables(r->archive, p, err))
		return -1;
	progress_step(p, "reading the trace");
	if (!trace_read(r->archive, out, &why)) {
		if (!r->has_logs || !lost_ranks(out) || !trace_check(r->archive, &why))
			return 0;
		trace_release(out);
		*out = (struct trace){0};
	}
	if (!r->has_logs || spill_trouble()) {
		*err = why;
		return -1;
	}
	return err_set(err, "%s; or make it anew from the logs: contend recover %s", why.text,
		       r->dir);
}
