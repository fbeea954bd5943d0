/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/memory_need.h"

#include <dirent.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* Bytes of tables for each of an event file: 5 were measured for long calls, 6.8 for short ones. */
#define GROWTH 6.0

#define ANCHOR_SUFFIX ".otf2"
#define EVENTS_SUFFIX ".evt"

static int has_suffix(const char *name, const char *suffix)
{
	size_t n = strlen(name), k = strlen(suffix);

	return n > k && !strcmp(name + n - k, suffix);
}

uint64_t memory_free_bytes(void)
{
	FILE *f = fopen("/proc/meminfo", "r");
	uint64_t free_bytes = UINT64_MAX, kib;
	char line[128];

	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "MemAvailable: %" SCNu64, &kib) == 1)
			free_bytes = 1024 * kib;
	if (f)
		fclose(f);
	return free_bytes;
}

/* What the event files in a folder hold. */
static double events_bytes(const char *folder)
{
	char path[PATH_MAX];
	struct dirent *e;
	struct stat st;
	double sum = 0;
	DIR *d = opendir(folder);

	while (d && (e = readdir(d))) {
		if (has_suffix(e->d_name, EVENTS_SUFFIX) &&
		    snprintf(path, sizeof(path), "%s/%s", folder, e->d_name) < (int)sizeof(path) &&
		    !stat(path, &st))
			sum += (double)st.st_size;
	}
	if (d)
		closedir(d);
	return sum;
}

int memory_lacks(const char *anchor, uint64_t free_bytes, size_t n, char text[n])
{
	char folder[PATH_MAX];
	double bytes;

	if (!has_suffix(anchor, ANCHOR_SUFFIX) || strlen(anchor) >= sizeof(folder))
		return 0;
	snprintf(folder, sizeof(folder), "%.*s", (int)(strlen(anchor) - strlen(ANCHOR_SUFFIX)),
		 anchor);
	bytes = events_bytes(folder);
	if (GROWTH * bytes <= (double)free_bytes)
		return 0;
	snprintf(text, n,
		 "%s: reading its %.1f GB of events may take %.0f GB of memory, and %.1f GB are "
		 "free; if that does not do, read it where there is more, or record less "
		 "(--ranks, --max-trace, MPI_Pcontrol)",
		 anchor, bytes / 1e9, GROWTH * bytes / 1e9, (double)free_bytes / 1e9);
	return 1;
}
