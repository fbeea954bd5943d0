/* SPDX-License-Identifier: BSD-3-Clause */
#include "interpose/evidence/counters.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "common/steady.h"

const struct counter_row counter_rows[COUNTERS] = {
#define COUNTER(id, name, unit, of, missing) {name, unit, missing, COUNTER_OF_##of},
#include "interpose/evidence/counters.def"
#undef COUNTER
};

static void add(struct counters *c, enum counter counter, uint64_t value)
{
	c->value[counter] += value;
	c->present |= 1u << counter;
}

/* A whole small file as text. Returns 0, or -1 when there is none. */
static int read_file(const char *path, char *text, size_t n)
{
	int fd = steady_open(path, O_RDONLY | O_CLOEXEC, 0);
	ssize_t got;

	if (fd < 0)
		return -1;
	got = steady_read(fd, text, n - 1);
	close(fd);
	text[got > 0 ? got : 0] = '\0';
	return got < 0 ? -1 : 0;
}

/*
 * /proc/net/snmp and netstat: a line of names and a line of numbers, both beginning with
 * the same word. Adds the number under this name.
 */
static void add_column(struct counters *c, enum counter counter, const char *text, const char *word,
		       const char *name)
{
	const char *names = strstr(text, word), *numbers, *end;
	size_t length = strlen(name);

	if (!names || !(end = strchr(names, '\n')) || !(numbers = strstr(end, word)))
		return;
	for (;; names += strcspn(names, " \n"), numbers += strcspn(numbers, " \n")) {
		names += strspn(names, " ");
		numbers += strspn(numbers, " ");
		if (names >= end || !*numbers || *numbers == '\n')
			return;
		if (!strncmp(names, name, length) && strchr(" \n", names[length])) {
			add(c, counter, strtoull(numbers, NULL, 10));
			return;
		}
	}
}

static void read_tcp(struct counters *c)
{
	char text[8192];

	if (!read_file("/proc/net/snmp", text, sizeof(text))) {
		add_column(c, COUNTER_TCP_SENT, text, "Tcp:", "OutSegs");
		add_column(c, COUNTER_TCP_AGAIN, text, "Tcp:", "RetransSegs");
	}
	if (!read_file("/proc/net/netstat", text, sizeof(text)))
		add_column(c, COUNTER_TCP_TIMEOUTS, text, "TcpExt:", "TCPTimeouts");
}

static void read_process(struct counters *c)
{
	struct rusage usage;

	if (getrusage(RUSAGE_SELF, &usage))
		return;
	add(c, COUNTER_SWITCHES_OWN, (uint64_t)usage.ru_nvcsw);
	add(c, COUNTER_SWITCHES_FORCED, (uint64_t)usage.ru_nivcsw);
}

void counters_read(const struct counter_files *files, struct counters *c)
{
	char text[64];
	int i, saved = errno;

	memset(c, 0, sizeof(*c));
	read_process(c);
	if (files)
		read_tcp(c);
	for (i = 0; files && i < files->n; i++)
		if (!read_file(files->file[i].path, text, sizeof(text)))
			add(c, files->file[i].counter, strtoull(text, NULL, 10));
	errno = saved;
}

void counters_read_thread(struct counters *c)
{
	char text[64], *end;
	int saved = errno;

	memset(c, 0, sizeof(*c));
	if (!read_file("/proc/thread-self/schedstat", text, sizeof(text)) && *text) {
		add(c, COUNTER_CORE_USED, strtoull(text, &end, 10));
		add(c, COUNTER_CORE_AWAITED, strtoull(end, NULL, 10));
	}
	errno = saved;
}

void counters_join(struct counters *into, const struct counters *other)
{
	int i;

	for (i = 0; i < COUNTERS; i++)
		if (other->present >> i & 1)
			add(into, (enum counter)i, other->value[i]);
}

static void add_file(struct counter_files *files, enum counter counter, const char *format,
		     const char *a, const char *b)
{
	size_t room = sizeof(files->file[0].path);
	int n;

	if (files->n == COUNTER_FILES)
		return;
	n = snprintf(files->file[files->n].path, room, format, a, b);
	if (n < 0 || (size_t)n >= room || access(files->file[files->n].path, R_OK))
		return;
	files->file[files->n++].counter = counter;
}

/* Call found for each entry of a folder; hidden ones and the loopback interface are none. */
static void each_entry(const char *folder, struct counter_files *files,
		       void (*found)(struct counter_files *, const char *, const char *))
{
	DIR *dir = opendir(folder);
	const struct dirent *e;

	while (dir && (e = readdir(dir)))
		if (e->d_name[0] != '.' && strcmp(e->d_name, "lo"))
			found(files, folder, e->d_name);
	if (dir)
		closedir(dir);
}

static void found_interface(struct counter_files *files, const char *folder, const char *name)
{
	static const char statistics[] = "/sys/class/net/%s/statistics/%s";

	(void)folder;
	add_file(files, COUNTER_NET_SENT, statistics, name, "tx_bytes");
	add_file(files, COUNTER_NET_RECEIVED, statistics, name, "rx_bytes");
	add_file(files, COUNTER_NET_DROPPED, statistics, name, "tx_dropped");
	add_file(files, COUNTER_NET_DROPPED, statistics, name, "rx_dropped");
}

/* This counter has 32 bits and stays at its highest value: from there it says nothing any more. */
static void found_port(struct counter_files *files, const char *folder, const char *name)
{
	char text[64];
	int n = files->n;

	add_file(files, COUNTER_IB_WAIT, "%s/%s/counters/port_xmit_wait", folder, name);
	if (files->n > n && !read_file(files->file[n].path, text, sizeof(text)) &&
	    strtoull(text, NULL, 10) == UINT32_MAX)
		files->n = n;
}

static void found_adapter(struct counter_files *files, const char *folder, const char *name)
{
	char ports[96];
	int n = snprintf(ports, sizeof(ports), "%s/%s/ports", folder, name);

	if (n > 0 && (size_t)n < sizeof(ports))
		each_entry(ports, files, found_port);
}

void counters_find(struct counter_files *files)
{
	files->n = 0;
	each_entry("/sys/class/infiniband", files, found_adapter);
	each_entry("/sys/class/net", files, found_interface);
}

struct counters counters_since(const struct counters *later, const struct counters *earlier)
{
	struct counters c = {.present = later->present & earlier->present};
	int i;

	for (i = 0; i < COUNTERS; i++) {
		if (!(c.present >> i & 1))
			continue;
		if (later->value[i] < earlier->value[i])
			c.present &= ~(1u << i);
		else
			c.value[i] = later->value[i] - earlier->value[i];
	}
	return c;
}
