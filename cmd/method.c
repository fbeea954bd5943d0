/* SPDX-License-Identifier: GPL-3.0-or-later */
/* analyze() is the method, one call a step, in the order in which data flows. */
#include "cmd/method.h"

#include "analyze/clock/clock_split.h"
#include "analyze/document/document.h"
#include "analyze/document/message_table.h"
#include "analyze/matching/dozes.h"
#include "analyze/reader/reader.h"
#include "analyze/reader/sites.h"
#include "analyze/run/mistaken.h"
#include "analyze/run/run_cores.h"
#include "analyze/run/run_ends.h"
#include "analyze/run/run_queues.h"
#include "analyze/standing/awaited.h"
#include "analyze/tools/share.h"
#include "analyze/tools/suffix.h"
#include "cmd/json_file.h"
#include "cmd/machine_choice.h"
#include "cmd/model/model_json.h"
#include "cmd/progress.h"
#include "cmd/recovery.h"
#include "report/pick.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct tables {
	struct run run;
	struct trace trace;
	struct messages messages;
	struct clock_quality clock;
	struct collectives collectives;
	struct machine machine;
	int has_machine; /* from a file */
	struct attribution attribution;
	struct evidence_base evidence;
	struct hotspots hotspots;
	struct phases phases;
	struct patterns patterns;
	struct lateness lateness;
	struct opinions opinions;
	struct method_extras extras;
	struct changes changes; /* if asked for */
};

/* What looks at the trace and not at each other, a piece each. */
static int prepare_one(void *tables, unsigned hand, uint32_t piece, struct err *err)
{
	struct tables *t = tables;

	(void)hand;
	if (piece > 0)
		return phases_find(&t->trace, &t->messages, &t->collectives, &t->phases, err);
	return t->has_machine ? 0 : machine_estimate(&t->trace, &t->messages, &t->machine, err);
}

/* Patterns by phase, and what the models say to them. */
static int find_patterns(struct tables *t, struct err *err)
{
	if (patterns_find(&t->trace, &t->messages, &t->collectives, &t->phases, &t->patterns, err))
		return -1;
	return opinions_find(&t->evidence, &t->phases, &t->patterns, &t->opinions, err);
}

/* What looks at the attribution and not at each other, a piece each: the last shares its own. */
static int find_one(void *tables, unsigned hand, uint32_t piece, struct err *err)
{
	struct tables *t = tables;

	(void)hand;
	switch (piece) {
	case 0:
		return find_patterns(t, err);
	case 1:
		return lateness_find(&t->lateness, &t->trace, &t->messages, &t->attribution, err);
	default:
		return hotspots_find(&t->evidence, &t->hotspots, err);
	}
}

static int find(struct tables *t, struct err *err)
{
	int ret;

	t->evidence = (struct evidence_base){.t = &t->trace,
					     .m = &t->messages,
					     .c = &t->collectives,
					     .machine = &t->machine,
					     .a = &t->attribution};
	if (evidence_find(&t->evidence, err))
		return -1;
	ret = share_run(share_hands(), 3, find_one, t, err);
	if (!ret && t->extras.predictions)
		ret = what_ifs_find(&t->evidence, t->extras.predictions, err);
	if (!ret && t->extras.changes)
		ret = changes_find(&t->evidence, t->extras.changes, &t->changes, err);
	evidence_release(&t->evidence);
	return ret;
}

/* What collectives waited for is known once times are. */
static int align_clocks(struct tables *t, const struct machine *machine, struct err *err)
{
	if (clock_align(&t->trace, &t->messages, &t->collectives, machine, &t->clock, err))
		return -1;
	if (!clock_is_corrected(&t->clock))
		return 0;
	collectives_release(&t->collectives);
	return collectives_match(&t->trace, &t->collectives, err);
}

static json_t *analyze(struct tables *t, const char *path, struct progress *p, struct err *err)
{
	const struct analysis all = {&t->run,
				     &t->trace,
				     &t->messages,
				     &t->collectives,
				     &t->clock,
				     &t->machine,
				     &t->attribution,
				     &t->hotspots,
				     &t->phases,
				     &t->patterns,
				     &t->lateness,
				     &t->opinions,
				     t->extras.predictions,
				     t->extras.changes ? &t->changes : NULL};
	int no_file;

	if (recovery_open(path, p, &t->run, err))
		return NULL;
	if (recovery_read(&t->run, p, &t->trace, err) || trace_is_of_calls(&t->trace, err))
		return NULL;
	if (run_cores_mark(&t->run, &t->trace, err))
		return NULL;
	run_queues_mark(&t->run, &t->trace);
	progress_step(p, "resolving call sites");
	if (sites_name(&t->trace, err))
		return NULL;
	progress_step(p, "matching messages");
	if (messages_match(&t->trace, &t->messages, err))
		return NULL;
	if (endpoints_keep_open(&t->trace.ends, &t->trace)) {
		err_set(err, "%s: out of memory for its open requests", path);
		return NULL;
	}
	progress_step(p, "matching collectives");
	if (collectives_match(&t->trace, &t->collectives, err))
		return NULL;
	progress_step(p, "auditing clocks");
	no_file = machine_choose(&t->run, &t->machine, err);
	if (no_file < 0 || clock_split(&t->trace, &t->messages, err) ||
	    align_clocks(t, no_file ? NULL : &t->machine, err))
		return NULL;
	run_ends_mark(&t->run, &t->trace);
	awaited_mark(&t->run, &t->trace, &t->messages, &t->collectives);
	if (dozes_mark(&t->trace, &t->messages, err))
		return NULL;
	t->has_machine = !no_file;
	progress_step(p, "estimating the machine");
	if (share_run(share_hands(), 2, prepare_one, t, err))
		return NULL;
	progress_step(p, "attributing time");
	if (attribution_run(&t->trace, &t->messages, &t->collectives, &t->machine, &t->clock,
			    &t->attribution, err))
		return NULL;
	progress_step(p, "finding hotspots, patterns and late partners");
	if (find(t, err))
		return NULL;
	progress_step(p, "writing the document");
	return document_build(&all, err);
}

/* The message table into a file. */
static int export(const struct tables *t, const char *path, struct err *err)
{
	FILE *out = fopen(path, "w");
	int failed;

	if (!out)
		return err_set(err, "%s: %s", path, strerror(errno));
	failed = message_table_write(&t->trace, &t->messages, &t->attribution, out);
	failed |= fclose(out);
	return failed ? err_set(err, "%s: %s", path, strerror(errno)) : 0;
}

/* By its name: what a recording is made of is nobody's table of messages. */
static int is_of_recording(const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;

	return !strcmp(name, "run.json") || has_suffix(name, ".otf2") || has_suffix(name, ".def") ||
	       has_suffix(name, ".evt");
}

/*
 * Can it be written, before the analysis takes its time? What is there stays as it is, and what is
 * no file (a pipe) shows when it is opened.
 */
static int is_writable(const char *path, struct err *err)
{
	struct stat st;
	int is_there = !stat(path, &st), fd;

	if (is_there && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode))
		return 1;
	if (is_there && is_of_recording(path))
		return !err_set(err, "%s is of a recording: give --messages another file", path);
	fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
	if (fd < 0)
		return !err_set(err, "%s: %s", path, strerror(errno));
	close(fd);
	if (!is_there)
		unlink(path);
	return 1;
}

static void release(struct tables *t)
{
	changes_release(&t->changes);
	opinions_release(&t->opinions);
	patterns_release(&t->patterns);
	phases_release(&t->phases);
	lateness_release(&t->lateness);
	hotspots_release(&t->hotspots);
	attribution_release(&t->attribution);
	machine_release(&t->machine);
	collectives_release(&t->collectives);
	messages_release(&t->messages);
	trace_release(&t->trace);
	run_release(&t->run);
}

static int is_document(const char *path)
{
	return path && *path && (has_suffix(path, ".json") || model_json_is(path));
}

static json_t *load(const char *path, struct err *err)
{
	struct err what;
	json_t *document = json_file_load(path, 0, err);

	if (document && pick_check(document, &what)) {
		if (!mistaken_for(path, WANTED_RUN, err))
			err_set(err, "%s: %s", path, what.text);
		json_decref(document);
		document = NULL;
	}
	return document;
}

/* Is more asked than a document has, which is the result of an analysis? */
static int is_beyond(const struct method_extras *x)
{
	return x->messages || x->predictions || x->changes || x->with_machine;
}

/* What is asked is not in a document: NULL, and *err says so. */
static json_t *beyond(const char *path, const struct method_extras *x, struct err *err)
{
	if (x->with_machine)
		err_set(err, "%s has been analyzed: --machine needs the run that it was made of",
			path);
	else if (x->messages)
		err_set(err, "%s has no messages: --messages needs the run that it was made of",
			path);
	else
		err_set(err, "%s: a prediction needs the run that this was made of", path);
	return NULL;
}

json_t *method_document(const char *path, struct method_extras extras, struct err *err)
{
	const char *messages = extras.messages;
	struct tables tables;
	struct progress progress;
	json_t *document;

	if (is_document(path) && is_beyond(&extras))
		return mistaken_for(path, WANTED_RUN, err) ? NULL : beyond(path, &extras, err);
	if (is_document(path))
		return load(path, err);
	if (path && run_is_other(path)) {
		err_set(err,
			"%s: neither a run directory, nor an OTF2 archive (*.otf2), nor a document "
			"(*.json)",
			path);
		return NULL;
	}
	if (messages && !is_writable(messages, err))
		return NULL;
	memset(&tables, 0, sizeof(tables));
	tables.extras = extras;
	progress_start(&progress);
	document = analyze(&tables, path, &progress, err);
	if (document && messages && export(&tables, messages, err)) {
		json_decref(document);
		document = NULL;
	}
	progress_stop(&progress);
	release(&tables);
	return document;
}
