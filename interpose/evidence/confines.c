/* SPDX-License-Identifier: BSD-3-Clause */
#include "interpose/evidence/confines.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/cores.h"
#include "common/steady.h"

#define MILLI 1000

/* "0::/a/b" of /proc/self/cgroup: its place below the mount; "" if there is none to be seen. */
static void find_group(const char *proc, size_t room, char place[room])
{
	char path[256], line[1024];
	FILE *f;

	place[0] = '\0';
	snprintf(path, sizeof(path), "%s/cgroup", proc);
	f = steady_fopen(path, "re");
	while (f && fgets(line, sizeof(line), f)) {
		size_t n = strcspn(line, "\n");

		/* A line that is cut names another group; "/.." is outside of the mount. */
		if (strncmp(line, "0::/", 4) != 0 || line[n] != '\n' || strstr(line, "/.."))
			continue;
		line[n] = '\0';
		snprintf(place, room, "%s", line + 3);
	}
	if (f)
		fclose(f);
}

/* "150000 100000": of 100 ms it may use 150 ms of processors. 0: "max 100000", or none. */
static uint32_t read_quota(const char *folder)
{
	char path[1400], text[64], *end;
	long long quota_us, period_us;
	ssize_t got = -1;
	int fd;

	snprintf(path, sizeof(path), "%s/cpu.max", folder);
	fd = steady_open(path, O_RDONLY | O_CLOEXEC, 0);
	if (fd < 0)
		return 0;
	got = steady_read(fd, text, sizeof(text) - 1);
	close(fd);
	text[got > 0 ? got : 0] = '\0';
	quota_us = strtoll(text, &end, 10);
	period_us = strtoll(end, NULL, 10);
	if (quota_us <= 0 || period_us <= 0 || quota_us / period_us >= PROCESSOR_SET_ROOM)
		return 0;
	return (uint32_t)(quota_us * MILLI / period_us);
}

/* The tightest of its groups' quotas; of equal ones the outermost, which more may have to share. */
static void find_quota(const char *proc, const char *cgroups, struct confines *out)
{
	char place[1024], folder[1300];
	struct stat st;
	char *end;

	find_group(proc, sizeof(place), place);
	for (end = place + strlen(place); end && *place; end = strrchr(place, '/')) {
		uint32_t milli;

		*end = '\0';
		snprintf(folder, sizeof(folder), "%s%s", cgroups, place);
		milli = read_quota(folder);
		if (!milli || (out->quota_milli && milli > out->quota_milli) || stat(folder, &st))
			continue;
		out->quota_milli = milli;
		out->group = st.st_ino;
	}
}

void confines_read(const char *proc, const char *cgroups, struct confines *out)
{
	int saved = errno;

	*out = (struct confines){.group = 0};
	cores_allowed_which(&out->processors);
	find_quota(proc, cgroups, out);
	errno = saved;
}

void confines_mine(struct confines *out)
{
	confines_read("/proc/self", "/sys/fs/cgroup", out);
}
