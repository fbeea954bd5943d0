/* SPDX-License-Identifier: BSD-3-Clause */
#include "interpose/log/alive.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "common/steady.h"

#define SILENT_S 300

#define BOOT_ID_BYTES 36 /* a namespace may follow, see process.c */

/* Has this log a process that needs it: writes it, or makes the job's trace of it? */
static int is_open(const struct log_header *h)
{
	return h->end == LOG_RUNNING || (h->end == LOG_FINALIZED && h->everybody == 1);
}

int alive_here(const struct log_view *v)
{
	char path[64], exe[512];
	ssize_t n;

	if (!is_open(v->header) || v->header->pid <= 0)
		return 0;
	snprintf(path, sizeof(path), "/proc/%d/exe", v->header->pid);
	n = readlink(path, exe, sizeof(exe) - 1);
	if (n <= 0)
		return 0;
	exe[n] = '\0';
	return !strncmp(exe, v->header->exe, sizeof(exe));
}

/*
 * Written under another kernel than this one's, and not just before this host was started anew?
 * A simulated host is this one.
 */
static int is_elsewhere(const struct log_header *h)
{
	char mine[BOOT_ID_BYTES + 1] = "", host[sizeof(h->host)] = "";
	int fd = steady_open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC, 0);
	ssize_t n = fd < 0 ? -1 : steady_read(fd, mine, BOOT_ID_BYTES);

	if (fd >= 0)
		close(fd);
	if (n != BOOT_ID_BYTES || strnlen(h->boot_id, sizeof(h->boot_id)) < BOOT_ID_BYTES ||
	    !strncmp(mine, h->boot_id, BOOT_ID_BYTES))
		return 0;
	return gethostname(host, sizeof(host) - 1) || strncmp(host, h->host, sizeof(host)) != 0;
}

/* Clocks of hosts may be apart: a sign of life from the future is one from now. */
static int64_t silent_for(const struct log_view *v, const char *path)
{
	const struct log_anchor *anchor = v->header->anchor;
	int64_t last_s = (v->header->realtime_ns / 1000000000) +
			 (anchor[1].mono_ns / 1000000000 - anchor[0].mono_ns / 1000000000);
	int64_t now_s = time(NULL);
	struct stat st;

	if (!stat(path, &st) && st.st_mtime > last_s)
		last_s = st.st_mtime;
	return now_s > last_s ? now_s - last_s : 0;
}

enum alive alive_look(const struct log_view *v, const char *path, int64_t *silent_s)
{
	*silent_s = silent_for(v, path);
	if (v->header->end == LOG_RUNNING && is_elsewhere(v->header))
		return *silent_s < SILENT_S ? ALIVE_PERHAPS : ALIVE_NO;
	return alive_here(v) ? ALIVE_YES : ALIVE_NO;
}
