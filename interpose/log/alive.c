/* SPDX-License-Identifier: BSD-3-Clause */
#include "interpose/log/alive.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "common/space.h"
#include "common/steady.h"

#define SILENT_S 300

#define BOOT_ID_BYTES 36 /* a namespace may follow, see process.c */

/* Has this log a process that needs it: writes it, or makes the job's trace of it? */
static int is_open(const struct log_header *h)
{
	return h->end == LOG_RUNNING || (h->end == LOG_FINALIZED && h->everybody == 1);
}

static int is_program_of(const struct log_header *h)
{
	char path[64], exe[512];
	ssize_t n;

	snprintf(path, sizeof(path), "/proc/%d/exe", h->pid);
	n = readlink(path, exe, sizeof(exe) - 1);
	if (n <= 0)
		return 0;
	exe[n] = '\0';
	return !strncmp(exe, h->exe, sizeof(exe));
}

/* Has the process that number in a namespace of its own, inside of ours? */
static int has_number_inside(const char *process, int number)
{
	char path[300], line[300], *at, *next;
	long last = 0, value;
	int n = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%s/status", process);
	f = steady_fopen(path, "re");
	while (f && fgets(line, sizeof(line), f)) {
		if (strncmp(line, "NSpid:", 6))
			continue;
		for (at = line + 6; value = strtol(at, &next, 10), next != at; at = next, n++)
			last = value;
		break;
	}
	if (f)
		fclose(f);
	return n > 1 && last == number;
}

/* Has the process that file in its memory? Of a process that does not let us see it: perhaps. */
static enum alive has_mapped(const char *process, const struct stat *file)
{
	enum alive found = ALIVE_NO;
	unsigned long long inode;
	char path[300], line[1200];
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%s/maps", process);
	f = steady_fopen(path, "re");
	if (!f && (errno == EACCES || errno == EPERM))
		found = ALIVE_PERHAPS;
	while (f && found == ALIVE_NO && fgets(line, sizeof(line), f))
		if (sscanf(line, "%*s %*s %*s %*s %llu", &inode) == 1 && inode == file->st_ino)
			found = ALIVE_YES;
	if (f)
		fclose(f);
	return found;
}

/*
 * The same for a process whose number is one of another namespace, a container's or an emulated
 * host's: the log at path is in the memory of who writes it. From the first namespace all are seen.
 */
static enum alive look_inside(const struct log_header *h, const char *path)
{
	enum alive found = space_mine("pid") == SPACE_FIRST_PID ? ALIVE_NO : ALIVE_PERHAPS, one;
	struct dirent *e;
	struct stat file;
	DIR *d = opendir("/proc");

	if (stat(path, &file))
		found = ALIVE_NO;
	while (d && found != ALIVE_YES && (e = readdir(d))) {
		if (!isdigit((unsigned char)*e->d_name) || !has_number_inside(e->d_name, h->pid))
			continue;
		one = has_mapped(e->d_name, &file);
		found = one == ALIVE_NO ? found : one;
	}
	if (d)
		closedir(d);
	return found;
}

/* Of a process that is on this host. */
static enum alive look_here(const struct log_header *h, const char *path)
{
	uint32_t mine = space_mine("pid");

	if (!is_open(h) || h->pid <= 0)
		return ALIVE_NO;
	if (h->pid_space && mine && h->pid_space != mine)
		return look_inside(h, path);
	return is_program_of(h) ? ALIVE_YES : ALIVE_NO;
}

int alive_here(const struct log_view *v, const char *path)
{
	return look_here(v->header, path) == ALIVE_YES;
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
	const struct log_header *h = v->header;
	enum alive found =
		h->end == LOG_RUNNING && is_elsewhere(h) ? ALIVE_PERHAPS : look_here(h, path);

	*silent_s = silent_for(v, path);
	return found == ALIVE_PERHAPS && *silent_s >= SILENT_S ? ALIVE_NO : found;
}
