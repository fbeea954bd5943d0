/* SPDX-License-Identifier: BSD-3-Clause */
#include "interpose/archive/tidy.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/schema.h"

int tidy_log(const char *dir, unsigned rank, unsigned thread)
{
	char path[1200];

	snprintf(path, sizeof(path), "%s/" SCHEMA_LOG_DIR "/%u.%u.log", dir, rank, thread);
	return !unlink(path);
}

void tidy_log_dir(const char *dir)
{
	char folder[1100], path[1400];
	struct dirent *e;
	DIR *d;

	snprintf(folder, sizeof(folder), "%s/" SCHEMA_LOG_DIR, dir);
	d = opendir(folder);
	while (d && (e = readdir(d))) {
		const char *suffix = strrchr(e->d_name, '.');

		if (suffix && (suffix == e->d_name || !strcmp(suffix, ".log")))
			continue;
		snprintf(path, sizeof(path), "%s/%s", folder, e->d_name);
		unlink(path); /* a mark of the recorder */
	}
	if (d)
		closedir(d);
	rmdir(folder);
}

void tidy_archive(const char *dir)
{
	static const char *const names[] = {SCHEMA_RUN_JSON, SCHEMA_ARCHIVE ".otf2",
					    SCHEMA_ARCHIVE ".def"};
	char path[1600];
	struct dirent *e;
	size_t i;
	DIR *d;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++) {
		snprintf(path, sizeof(path), "%s/%s", dir, names[i]);
		unlink(path);
	}
	snprintf(path, sizeof(path), "%s/" SCHEMA_ARCHIVE, dir);
	d = opendir(path);
	while (d && (e = readdir(d))) {
		snprintf(path, sizeof(path), "%s/" SCHEMA_ARCHIVE "/%s", dir, e->d_name);
		if (e->d_name[0] != '.')
			unlink(path);
	}
	if (d)
		closedir(d);
	snprintf(path, sizeof(path), "%s/" SCHEMA_ARCHIVE, dir);
	rmdir(path); /* OTF2 wants to make it itself */
}
