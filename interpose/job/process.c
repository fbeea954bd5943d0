/* SPDX-License-Identifier: BSD-3-Clause */
#include "interpose/job/process.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "common/cpu_name.h"
#include "common/mpi_name.h"
#include "common/space.h"
#include "common/steady.h"
#include "interpose/job/recorder.h"
#include "interpose/log/log_seal.h"
#include "interpose/log/settings.h"

static void read_line(const char *path, char *text, size_t n)
{
	int fd = steady_open(path, O_RDONLY | O_CLOEXEC, 0);
	ssize_t got = fd < 0 ? -1 : steady_read(fd, text, n - 1);

	if (fd >= 0)
		close(fd);
	text[got > 0 ? got : 0] = '\0';
	text[strcspn(text, "\n")] = '\0';
}

/* The command line while it is put together. */
struct line {
	char *text;
	size_t n, used;
};

/* Adds what fits of s. */
static void put(struct line *l, const char *s, size_t bytes)
{
	size_t room = l->n - 1 - l->used;

	bytes = bytes < room ? bytes : room;
	memcpy(l->text + l->used, s, bytes);
	l->used += bytes;
	l->text[l->used] = '\0';
}

/* An argument as one would type it into a shell. */
static void put_argument(struct line *l, const char *s)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				    "_@%+=:,./-";
	size_t part;

	if (*s && !s[strspn(s, plain)]) {
		put(l, s, strlen(s));
		return;
	}
	put(l, "'", 1);
	for (; *s; s += part) {
		part = strcspn(s, "'");
		put(l, s, part);
		if (s[part] == '\'') {
			put(l, "'\\''", 4);
			part++;
		}
	}
	put(l, "'", 1);
}

static void read_command(char *text, size_t n)
{
	char words[sizeof(((struct log_header *)NULL)->command)];
	int fd = steady_open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC, 0);
	ssize_t got = fd < 0 ? -1 : steady_read(fd, words, sizeof(words) - 1), at;
	struct line line = {text, n, 0};

	if (fd >= 0)
		close(fd);
	text[0] = '\0';
	words[got > 0 ? got : 0] = '\0';
	for (at = 0; at < got; at += (ssize_t)strlen(words + at) + 1) {
		if (at)
			put(&line, " ", 1);
		put_argument(&line, words + at);
	}
}

/* Who shares CLOCK_MONOTONIC: the boot, and the time namespace unless it is the first. */
static void read_clock_id(char *text, size_t n)
{
	uint32_t space = space_mine("time");
	size_t used;

	read_line("/proc/sys/kernel/random/boot_id", text, n);
	used = strlen(text);
	if (space && space != SPACE_FIRST_TIME)
		snprintf(text + used, n - used, "-%" PRIu32, space);
}

void process_describe(struct log_header *h, uint32_t thread)
{
	ssize_t n;

	h->rank = (uint32_t)recorder.rank;
	h->ranks = (uint32_t)recorder.ranks;
	h->thread = thread;
	h->has_ticks = (uint32_t)ticks_are_cycles;
	h->realtime_ns = ticks_clock_ns(CLOCK_REALTIME);
	h->anchor[0] = h->anchor[1] = ticks_anchor();
	h->pid = getpid();
	h->pid_space = space_mine("pid");
	h->cores = (uint32_t)sysconf(_SC_NPROCESSORS_ONLN);
	gethostname(h->host, sizeof(h->host) - 1);
	cpu_name(sizeof(h->cpu), h->cpu);
	read_clock_id(h->boot_id, sizeof(h->boot_id));
	read_command(h->command, sizeof(h->command));
	n = readlink("/proc/self/exe", h->exe, sizeof(h->exe) - 1);
	h->exe[n > 0 ? n : 0] = '\0';
	snprintf(h->version, sizeof(h->version), "%s", CONTEND_VERSION);
	if (!thread)
		settings_write(sizeof(h->options), h->options);
	if (SIMULATED)
		simulated_describe(h);
	h->seal = log_seal_header(h);
}

void process_name_mpi(struct log_header *h)
{
	char library[MPI_MAX_LIBRARY_VERSION_STRING] = "";
	int length;

	real.Get_library_version(library, &length);
	mpi_name(library, sizeof(h->mpi), h->mpi);
}
