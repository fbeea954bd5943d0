/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmd/launcher_tty.h"

#include "cmd/launcher.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Between a rank and its launcher: proxies, shells, a time limit. */
#define ANCESTORS 6

/* The name of a process and its parent. Returns 0, or -1 when there is none to be seen. */
static int look_at(int pid, char name[64], int *parent)
{
	char path[64], line[512], *open, *close;
	FILE *f;
	int got;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	f = fopen(path, "re");
	if (!f)
		return -1;
	got = fgets(line, sizeof(line), f) != NULL;
	fclose(f);
	open = got ? strchr(line, '(') : NULL;
	close = got ? strrchr(line, ')') : NULL;
	if (!open || !close || sscanf(close + 1, " %*c %d", parent) != 1)
		return -1;
	*close = '\0';
	snprintf(name, 64, "%s", open + 1);
	return 0;
}

static int writes_to_terminal(int pid)
{
	char path[64];
	int fd, is;

	snprintf(path, sizeof(path), "/proc/%d/fd/2", pid);
	fd = open(path, O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return 0;
	is = isatty(fd);
	close(fd);
	return is;
}

int launcher_tty(void)
{
	int pid = getppid(), parent, i;
	char name[64];

	if (isatty(STDERR_FILENO))
		return 1;
	for (i = 0; i < ANCESTORS && pid > 1; i++, pid = parent) {
		if (look_at(pid, name, &parent))
			return 0;
		if (launcher_is(name))
			return writes_to_terminal(pid);
	}
	return 0;
}
