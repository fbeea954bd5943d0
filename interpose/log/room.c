/* SPDX-License-Identifier: BSD-3-Clause */
#include "interpose/log/room.h"

#include "common/schema.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

/* Bytes of a trace for each of its logs: 5.2 were measured on calls of the smallest records. */
#define GROWTH 6

/* What a folder's logs occupy. */
static double logs_bytes(const char *folder)
{
	char path[1600];
	struct dirent *e;
	struct stat st;
	double sum = 0;
	DIR *d = opendir(folder);

	while (d && (e = readdir(d))) {
		const char *suffix = strrchr(e->d_name, '.');

		snprintf(path, sizeof(path), "%s/%s", folder, e->d_name);
		if (suffix && !strcmp(suffix, ".log") && !stat(path, &st))
			sum += 512.0 * (double)st.st_blocks;
	}
	if (d)
		closedir(d);
	return sum;
}

int room_check(const char *dir, struct err *err)
{
	char folder[1200];
	struct statvfs fs;
	double need, free_bytes;

	snprintf(folder, sizeof(folder), "%s/" SCHEMA_LOG_DIR, dir);
	need = GROWTH * logs_bytes(folder);
	if (statvfs(folder, &fs))
		return 0; /* not known: try */
	free_bytes = (double)fs.f_bavail * (double)fs.f_frsize;
	if (free_bytes >= need)
		return 0;
	return err_set(
		err,
		"%s: the disk is full: its trace needs up to %.1f MB and %.1f MB are free; make "
		"room, or copy the run to another disk and name the copy",
		dir, need / 1e6, free_bytes / 1e6);
}
