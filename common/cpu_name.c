/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/cpu_name.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* What follows `key`, blanks and a colon at the beginning of a line; NULL when there is none. */
static const char *value_of(const char *text, const char *key)
{
	const char *line = text, *end;
	size_t n = strlen(key);

	while (line) {
		end = line + n;
		if (!strncmp(line, key, n) && (*end == '\t' || *end == ' ' || *end == ':'))
			return end + strspn(end, " \t:");
		line = strchr(line, '\n');
		line += line != NULL;
		if (line && !*line)
			break;
	}
	return NULL;
}

void cpu_name(size_t size, char name[size])
{
	/* x86 and others; MIPS and LoongArch; POWER; ARM, whose kernels give a number only */
	static const char *const keys[] = {"model name", "cpu model", "cpu", "CPU part"};
	char text[4096];
	int fd = open("/proc/cpuinfo", O_RDONLY | O_CLOEXEC);
	ssize_t got = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);
	const char *value = NULL;
	size_t i, n;

	if (fd >= 0)
		close(fd);
	text[got > 0 ? got : 0] = '\0';
	for (i = 0; i < sizeof(keys) / sizeof(*keys) && !value; i++)
		value = value_of(text, keys[i]);
	n = value ? strcspn(value, "\n") : 0;
	n = n < size - 1 ? n : size - 1;
	if (n)
		memcpy(name, value, n);
	name[n] = '\0';
}
