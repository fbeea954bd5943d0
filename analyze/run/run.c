/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/run/run.h"

#include "analyze/tools/suffix.h"
#include "common/schema.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define ANCHOR_SUFFIX ".otf2"

/* dir/name, or NULL when out of memory. */
static char *path_join(const char *dir, const char *name)
{
	char *path = NULL;

	return asprintf(&path, "%s/%s", dir, name) < 0 ? NULL : path;
}

static int is_there(const char *dir, const char *name)
{
	char *path = path_join(dir, name);
	int there = path && !access(path, F_OK);

	free(path);
	return there;
}

static int is_dir(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISDIR(st.st_mode);
}

static int newer(const char *path, struct timespec *newest)
{
	struct stat st;

	if (stat(path, &st) || !S_ISDIR(st.st_mode) || st.st_mtim.tv_sec < newest->tv_sec ||
	    (st.st_mtim.tv_sec == newest->tv_sec && st.st_mtim.tv_nsec <= newest->tv_nsec))
		return 0;
	*newest = st.st_mtim;
	return 1;
}

/* The newest run in the current directory; NULL when there is none or no memory. */
static char *newest_run(void)
{
	struct timespec newest = {-1, 0};
	char *found = NULL;
	struct dirent *e;
	DIR *d;

	if (is_dir(SCHEMA_LATEST))
		return strdup(SCHEMA_LATEST);
	d = opendir(".");
	while (d && (e = readdir(d))) {
		if (!has_suffix(e->d_name, SCHEMA_RUN_SUFFIX) || !newer(e->d_name, &newest))
			continue;
		free(found);
		found = strdup(e->d_name);
	}
	if (d)
		closedir(d);
	return found;
}

/* Read run.json when it is there. Returns 0, or -1 with *err set. */
static int load_meta(struct run *r, struct err *err)
{
	char *path = path_join(r->dir, SCHEMA_RUN_JSON);
	const char *schema;
	json_error_t where;
	int ret = 0;

	if (!path)
		return err_set(err, "%s: out of memory", r->dir);
	if (access(path, F_OK))
		goto out;
	r->meta = json_load_file(path, 0, &where);
	schema = json_string_value(json_object_get(r->meta, "schema"));
	if (!r->meta)
		ret = err_set(err, "%s: line %d: %s; name the .otf2 file to do without it", path,
			      where.line, where.text);
	else if (!schema || strcmp(schema, SCHEMA_RUN_VERSION))
		ret = err_set(err, "%s: schema %s, expected %s: recorded by another version", path,
			      schema ? schema : "missing", SCHEMA_RUN_VERSION);
out:
	free(path);
	return ret;
}

/* A single archive: its directory may be a run's. */
static int open_archive(const char *path, struct run *r, struct err *err)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;

	r->archive = strdup(path);
	r->dir = slash ? strndup(path, slash > path ? (size_t)(slash - path) : 1) : strdup(".");
	if (!r->archive || !r->dir)
		return err_set(err, "%s: out of memory", path);
	if (strcmp(name, SCHEMA_ARCHIVE ANCHOR_SUFFIX))
		return 0;
	return load_meta(r, err);
}

/* Is there a file of such a name in the folder? */
static int holds(const char *dir, const char *suffix)
{
	DIR *d = opendir(dir);
	struct dirent *e;
	int found = 0;

	while (d && !found && (e = readdir(d)))
		found = has_suffix(e->d_name, suffix);
	if (d)
		closedir(d);
	return found;
}

static int holds_logs(const char *dir)
{
	char *logs = path_join(dir, SCHEMA_LOG_DIR);
	int found = logs && holds(logs, ".log");

	free(logs);
	return found;
}

static int open_dir(const char *path, struct run *r, struct err *err)
{
	r->dir = strdup(path);
	if (!r->dir)
		return err_set(err, "%s: out of memory", path);
	r->has_logs = holds_logs(path);
	/* The recorder writes run.json last: with logs and without it nothing is finished. */
	if (is_there(path, SCHEMA_ARCHIVE ANCHOR_SUFFIX) &&
	    (is_there(path, SCHEMA_RUN_JSON) || !r->has_logs)) {
		r->archive = path_join(path, SCHEMA_ARCHIVE ANCHOR_SUFFIX);
	} else if (is_there(path, SCHEMA_LOG_DIR)) {
		r->needs_recovery = 1;
		r->archive = path_join(path, SCHEMA_ARCHIVE ANCHOR_SUFFIX);
	} else if (holds(path, ANCHOR_SUFFIX)) {
		r->archive = strdup(path);
		return r->archive ? 0 : err_set(err, "%s: out of memory", path);
	} else if (access(path, R_OK | X_OK)) {
		return err_set(err, "%s: %s", path, strerror(errno));
	} else {
		return err_set(err,
			       "%s: no recording in it (neither an archive, *" ANCHOR_SUFFIX
			       ", nor " SCHEMA_LOG_DIR "/)",
			       path);
	}
	if (!r->archive)
		return err_set(err, "%s: out of memory", path);
	/* What a run.json says that is about to be written anew is of no consequence. */
	return load_meta(r, err) && !r->needs_recovery ? -1 : 0;
}

static int is_recording(const char *dir)
{
	return is_there(dir, SCHEMA_LOG_DIR) || holds(dir, ANCHOR_SUFFIX);
}

/* How many folders in it, but links, hold a recording. only: one, for the caller to free. */
static int find_below(const char *path, char **only)
{
	DIR *d = opendir(path);
	struct dirent *e;
	struct stat st;
	int n = 0;

	*only = NULL;
	while (d && (e = readdir(d))) {
		char *below = *e->d_name == '.' ? NULL : path_join(path, e->d_name);

		if (below && !lstat(below, &st) && S_ISDIR(st.st_mode) && is_recording(below) &&
		    !n++)
			*only = below;
		else
			free(below);
	}
	if (d)
		closedir(d);
	return n;
}

/* Other recorders make a folder for their archive in the one that they are told. */
static int open_dir_or_below(const char *path, struct run *r, struct err *err)
{
	char *only = NULL;
	int n = is_recording(path) ? 0 : find_below(path, &only), ret;

	if (n > 1)
		ret = err_set(err,
			      "%s: recordings in %d folders of it; name the one that is meant, "
			      "such as %s",
			      path, n, only);
	else
		ret = open_dir(only ? only : path, r, err);
	free(only);
	return ret;
}

int run_is_other(const char *path)
{
	return !access(path, F_OK) && !is_dir(path) && !has_suffix(path, ANCHOR_SUFFIX);
}

int run_open(const char *path, struct run *out, struct err *err)
{
	struct run r = {0};
	char *newest = NULL;
	int ret;

	if (!path) {
		newest = newest_run();
		path = newest;
	}
	if (!path)
		return err_set(err, "no run here (*" SCHEMA_RUN_SUFFIX
				    "): record one with mpirun ... contend record APP");
	if (access(path, F_OK))
		ret = err_set(err, "%s: %s", path, strerror(errno));
	else if (is_dir(path))
		ret = open_dir_or_below(path, &r, err);
	else if (has_suffix(path, ANCHOR_SUFFIX))
		ret = open_archive(path, &r, err);
	else
		ret = err_set(err, "%s: neither a run directory nor an OTF2 archive (*.otf2)",
			      path);
	if (ret)
		run_release(&r);
	else
		*out = r;
	free(newest);
	return ret;
}

void run_release(struct run *r)
{
	free(r->dir);
	free(r->archive);
	json_decref(r->meta);
	*r = (struct run){0};
}

/* A field by name; "cost.share" is the field share of the object cost. */
static const json_t *field(const struct run *r, const char *key)
{
	const json_t *at = r->meta;
	const char *dot;

	for (; (dot = strchr(key, '.')); key = dot + 1) {
		char part[64];

		snprintf(part, sizeof(part), "%.*s", (int)(dot - key), key);
		at = json_object_get(at, part);
	}
	return json_object_get(at, key);
}

const json_t *run_unfinished(const struct run *r)
{
	return r ? json_object_get(r->meta, "unfinished") : NULL;
}

const char *run_row_text(const json_t *row, const char *key)
{
	const char *text = json_string_value(json_object_get(row, key));

	return text ? text : "";
}

const char *run_text(const struct run *r, const char *key, const char *otherwise)
{
	const char *text = json_string_value(field(r, key));

	return text ? text : otherwise;
}

double run_number(const struct run *r, const char *key, double otherwise)
{
	const json_t *value = field(r, key);

	return json_is_number(value) ? json_number_value(value) : otherwise;
}
