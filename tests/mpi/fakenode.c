/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A node with other network ports and counters, for the recorder alone: preloaded, it lets the
 * recorder find under $FAKE_ROOT what it looks for in /sys/class and /proc/net.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Where this path is for who asks; room is for a path elsewhere. */
static const char *place(const char *path, const void *caller, char room[4096])
{
	const char *root = getenv("FAKE_ROOT");
	Dl_info about;

	if (!root || (strncmp(path, "/sys/class/", 11) && strncmp(path, "/proc/net/", 10)) ||
	    !dladdr(caller, &about) || !strstr(about.dli_fname, "libcontend-"))
		return path;
	snprintf(room, 4096, "%s%s", root, path);
	return room;
}

int access(const char *path, int mode)
{
	char room[4096];

	path = place(path, __builtin_return_address(0), room);
	return (int)syscall(SYS_faccessat, AT_FDCWD, path, mode);
}

DIR *opendir(const char *path)
{
	DIR *(*next)(const char *) = (DIR * (*)(const char *)) dlsym(RTLD_NEXT, "opendir");
	char room[4096];

	return next(place(path, __builtin_return_address(0), room));
}

int open(const char *path, int flags, ...)
{
	char room[4096];
	int mode = 0;
	va_list args;

	va_start(args, flags);
	if (flags & (O_CREAT | O_TMPFILE))
		mode = va_arg(args, int);
	va_end(args);
	path = place(path, __builtin_return_address(0), room);
	return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

int open64(const char *path, int flags, ...) __attribute__((alias("open")));
