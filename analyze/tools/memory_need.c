/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/tools/memory_need.h"

#include "analyze/tools/suffix.h"
#include "common/number.h"

#include <dirent.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/*
 * Bytes of tables for each of an event file: 5 were measured for long calls, 6.8 for short ones and
 * 7.4 for waits of hundreds of receives. The most counts: where they are more than was expected the
 * kernel ends the process.
 */
#define GROWTH 8.0

#define ANCHOR_SUFFIX ".otf2"
#define EVENTS_SUFFIX ".evt"

/* What the kernel would give to anybody. */
static uint64_t available_bytes(const char *root)
{
	uint64_t free_bytes = UINT64_MAX, kib;
	char path[PATH_MAX], line[128];
	FILE *f;

	snprintf(path, sizeof(path), "%s/proc/meminfo", root);
	f = fopen(path, "r");
	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "MemAvailable: %" SCNu64, &kib) == 1)
			free_bytes = 1024 * kib;
	if (f)
		fclose(f);
	return free_bytes;
}

/* How the two kinds of control groups say what a group of processes may have. */
static const struct cgroup_kind {
	const char *controllers; /* as in /proc/self/cgroup */
	const char *mount;
	const char *limit,
		*used;      /* files; without a limit there is no number in it, or a huge one */
	const char *cached; /* in memory.stat, what the kernel takes back when it is needed: */
} cgroup_kinds[] = {
	{"", "/sys/fs/cgroup", "memory.max", "memory.current", ""},
	{"memory", "/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes",
	 "total_"},
};

/* Opens a file of a group. */
static FILE *open_in(const char *group, const char *name)
{
	char path[PATH_MAX];

	if (snprintf(path, sizeof(path), "%s/%s", group, name) >= (int)sizeof(path))
		return NULL;
	return fopen(path, "r");
}

static int number_in(const char *group, const char *name, uint64_t *n)
{
	FILE *f = open_in(group, name);
	int found = f && fscanf(f, "%" SCNu64, n) == 1;

	if (f)
		fclose(f);
	return found;
}

static uint64_t cached_bytes(const char *group, const char *prefix)
{
	FILE *f = open_in(group, "memory.stat");
	uint64_t sum = 0, n;
	char key[64];

	while (f && fscanf(f, "%63s %" SCNu64, key, &n) == 2)
		if (!strncmp(key, prefix, strlen(prefix)) &&
		    (!strcmp(key + strlen(prefix), "inactive_file") ||
		     !strcmp(key + strlen(prefix), "active_file")))
			sum += n;
	if (f)
		fclose(f);
	return sum;
}

/* What is left of a group's limit; UINT64_MAX: it has none, or none that is seen from here. */
static uint64_t left_bytes(const char *group, const struct cgroup_kind *k)
{
	uint64_t limit, used, cached;

	if (!number_in(group, k->limit, &limit) || !number_in(group, k->used, &used))
		return UINT64_MAX;
	cached = cached_bytes(group, k->cached);
	used -= cached < used ? cached : used;
	return used < limit ? limit - used : 0;
}

/* The least that is left of any limit of a group, or of those that it is in. */
static uint64_t cgroup_bytes(const char *root, const struct cgroup_kind *k, const char *name)
{
	char group[PATH_MAX];
	size_t top = (size_t)snprintf(group, sizeof(group), "%s%s", root, k->mount);
	int n = snprintf(group, sizeof(group), "%s%s%s", root, k->mount, name);
	uint64_t least = UINT64_MAX, left;

	if (n < 0 || n >= (int)sizeof(group))
		return UINT64_MAX;
	for (size_t end = (size_t)n; end >= top; end--) {
		if (end > top && group[end] && group[end] != '/')
			continue;
		group[end] = '\0';
		left = left_bytes(group, k);
		least = left < least ? left : least;
	}
	return least;
}

/* The last number of the line that begins so, in one of this process's files; else otherwise. */
static uint64_t own_number(const char *root, const char *file, const char *key, uint64_t otherwise)
{
	char path[PATH_MAX], line[256];
	uint64_t n = otherwise;
	FILE *f;

	snprintf(path, sizeof(path), "%s/proc/self/%s", root, file);
	f = fopen(path, "r");
	while (f && fgets(line, sizeof(line), f))
		if (!strncmp(line, key, strlen(key)) &&
		    sscanf(line + strlen(key), "%" SCNu64, &n) != 1)
			n = otherwise;
	if (f)
		fclose(f);
	return n;
}

/* What is left of the limit of this process's own data, which files are not part of. */
static uint64_t data_bytes(const char *root)
{
	uint64_t limit = own_number(root, "limits", "Max data size", UINT64_MAX);
	uint64_t used = 1024 * own_number(root, "status", "VmData:", 0);

	if (limit == UINT64_MAX)
		return limit;
	return used < limit ? limit - used : 0;
}

uint64_t memory_free_bytes(const char *root)
{
	uint64_t least = available_bytes(root), left = data_bytes(root);
	char path[PATH_MAX], line[PATH_MAX];
	FILE *f;

	least = left < least ? left : least;
	snprintf(path, sizeof(path), "%s/proc/self/cgroup", root);
	f = fopen(path, "r");
	while (f && fgets(line, sizeof(line), f)) {
		char *kind = strchr(line, ':'), *name = kind ? strchr(kind + 1, ':') : NULL;

		if (!name)
			continue;
		*name++ = '\0';
		name[strcspn(name, "\n")] = '\0';
		for (size_t k = 0; k < sizeof(cgroup_kinds) / sizeof(*cgroup_kinds); k++) {
			if (strcmp(kind + 1, cgroup_kinds[k].controllers))
				continue;
			left = cgroup_bytes(root, &cgroup_kinds[k], name);
			least = left < least ? left : least;
		}
	}
	if (f)
		fclose(f);
	return least;
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

int memory_lacks(const char *anchor, uint64_t free_bytes, const char *folder, size_t n,
		 char text[n])
{
	char events[PATH_MAX];
	double bytes;
	int said;

	if (!has_suffix(anchor, ANCHOR_SUFFIX) || strlen(anchor) >= sizeof(events))
		return 0;
	snprintf(events, sizeof(events), "%.*s", (int)(strlen(anchor) - strlen(ANCHOR_SUFFIX)),
		 anchor);
	bytes = events_bytes(events);
	if (GROWTH * bytes <= (double)free_bytes)
		return 0;
	said = snprintf(text, n,
			"%s: reading its %s of events may take %s of memory, and %s are free; ",
			anchor, number_room(bytes).text, number_room(GROWTH * bytes).text,
			number_room((double)free_bytes).text);
	if (said < 0 || (size_t)said >= n)
		return 1;
	if (folder)
		snprintf(text + said, n - (size_t)said,
			 "the rest will be in a file in %s, which takes longer", folder);
	else
		snprintf(text + said, n - (size_t)said,
			 "if that does not do, read it where there is more, set TMPDIR to a folder "
			 "on a disk, or record less (--ranks, --max-trace, MPI_Pcontrol)");
	return 1;
}
