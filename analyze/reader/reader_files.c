/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/reader/reader_files.h"

#include "analyze/tools/suffix.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define ANCHOR_SUFFIX ".otf2"

/* The one anchor file in a directory, or NULL with *err set. */
static char *anchor_in(const char *dir, struct err *err)
{
	DIR *d = opendir(dir);
	char *found = NULL;
	struct dirent *e;
	int n = 0;

	if (!d) {
		err_set(err, "%s: %s", dir, strerror(errno));
		return NULL;
	}
	while ((e = readdir(d))) {
		if (!has_suffix(e->d_name, ANCHOR_SUFFIX) || n++)
			continue;
		if (asprintf(&found, "%s/%s", dir, e->d_name) < 0)
			found = NULL;
	}
	closedir(d);
	if (n == 1) {
		if (!found)
			err_set(err, "%s: out of memory", dir);
		return found;
	}
	if (n)
		err_set(err, "%s: %d OTF2 archives in it; name the .otf2 file that is meant", dir,
			n);
	else
		err_set(err, "%s: no OTF2 archive (*.otf2) in it", dir);
	free(found);
	return NULL;
}

char *load_anchor(const char *path, struct err *err)
{
	struct stat st;
	char *copy;

	if (stat(path, &st)) {
		err_set(err, "%s: %s", path, strerror(errno));
		return NULL;
	}
	if (S_ISDIR(st.st_mode))
		return anchor_in(path, err);
	if (!has_suffix(path, ANCHOR_SUFFIX) || !S_ISREG(st.st_mode)) {
		err_set(err, "%s: not an OTF2 archive: its name does not end in .otf2", path);
		return NULL;
	}
	if (!st.st_size) {
		err_set(err, "%s: empty: the recording ended before its archive was written", path);
		return NULL;
	}
	copy = strdup(path);
	if (!copy)
		err_set(err, "%s: out of memory", path);
	return copy;
}

int load_file(const struct load *l, char path[PATH_MAX], const char *format, uint64_t id)
{
	int stem = (int)(strlen(l->anchor) - strlen(ANCHOR_SUFFIX));
	int n = snprintf(path, PATH_MAX, "%.*s", stem, l->anchor);

	if (n < PATH_MAX) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
		n += snprintf(path + n, (size_t)(PATH_MAX - n), format, id);
#pragma GCC diagnostic pop
	}
	return n < PATH_MAX ? 0 : err_set(l->err, "%s: the path is too long", l->anchor);
}

#define NAMED 3 /* of files that are missing */

/*
 * Has a location events, and no file with them? Returns -1 with the error set if its path is too
 * long.
 */
static int is_missing(const struct load *l, const struct def_location *location)
{
	char path[PATH_MAX];

	if (location->rank == TRACE_NONE || !location->events)
		return 0;
	if (load_file(l, path, "/%" PRIu64 ".evt", location->id))
		return -1;
	return access(path, F_OK) && errno == ENOENT;
}

int load_find_files(const struct load *l)
{
	const struct defs *d = &l->defs;
	char named[NAMED * 26] = "";
	size_t missing = 0, with_events = 0, used = 0, i;

	for (i = 0; i < d->n_locations; i++) {
		const struct def_location *location = &d->locations[i];
		int is = is_missing(l, location);

		if (is < 0)
			return -1;
		with_events += location->rank != TRACE_NONE && location->events;
		if (is && missing++ < NAMED)
			used += (size_t)snprintf(named + used, sizeof(named) - used,
						 "%s%" PRIu64 ".evt", used ? ", " : "",
						 location->id);
	}
	if (missing < 2)
		return 0;
	return err_set(l->err,
		       "%s: %zu of its %zu event files are missing (%s%s): the copy or the "
		       "recording is not whole; copy or record it again",
		       l->anchor, missing, with_events, named, missing > NAMED ? ", ..." : "");
}
