/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Preloaded: kills rank KILL_RANK at its KILL_AT-th operation on a file of a run directory,
 * before the operation or, for a write, in the middle of it. These are the moments at
 * which the state of the files can be anything but whole: while the directory is
 * claimed, while the log goes from one half to the other, while the archive is written.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static _Atomic int n;

/* One more operation on path: is it the last? */
static int is_last(const char *path)
{
	const char *rank = getenv("OMPI_COMM_WORLD_RANK"), *at = getenv("KILL_AT");
	const char *which = getenv("KILL_RANK");

	if (!rank)
		rank = getenv("PMI_RANK");
	if (!rank || !at || !which || strcmp(rank, which) || !strstr(path, ".contend"))
		return 0;
	return ++n == atoi(at);
}

static void die(void)
{
	kill(getpid(), SIGKILL);
}

static void step(const char *path)
{
	if (is_last(path))
		die();
}

/* Of a write of some bytes half happens. */
static int is_last_write(int fd)
{
	char link[40], path[4096] = "";

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	return readlink(link, path, sizeof(path) - 1) > 0 && is_last(path);
}

int open(const char *path, int flags, ...)
{
	va_list list;
	int mode;

	va_start(list, flags);
	mode = va_arg(list, int);
	va_end(list);
	step(path);
	return REAL(open)(path, flags, mode);
}

int open64(const char *path, int flags, ...)
{
	va_list list;
	int mode;

	va_start(list, flags);
	mode = va_arg(list, int);
	va_end(list);
	step(path);
	return REAL(open64)(path, flags, mode);
}

FILE *fopen(const char *path, const char *mode)
{
	step(path);
	return REAL(fopen)(path, mode);
}

FILE *fopen64(const char *path, const char *mode)
{
	step(path);
	return REAL(fopen64)(path, mode);
}

int fclose(FILE *f)
{
	if (is_last_write(fileno(f)))
		die();
	return REAL(fclose)(f);
}

ssize_t write(int fd, const void *p, size_t bytes)
{
	if (is_last_write(fd)) {
		REAL(write)(fd, p, bytes / 2);
		die();
	}
	return REAL(write)(fd, p, bytes);
}

ssize_t pwrite(int fd, const void *p, size_t bytes, off_t at)
{
	if (is_last_write(fd)) {
		REAL(pwrite)(fd, p, bytes / 2, at);
		die();
	}
	return REAL(pwrite)(fd, p, bytes, at);
}

int mkdir(const char *path, mode_t mode)
{
	step(path);
	return REAL(mkdir)(path, mode);
}

int symlink(const char *to, const char *path)
{
	step(path);
	return REAL(symlink)(to, path);
}

int rename(const char *from, const char *to)
{
	step(from);
	return REAL(rename)(from, to);
}

int unlink(const char *path)
{
	step(path);
	return REAL(unlink)(path);
}

int rmdir(const char *path)
{
	step(path);
	return REAL(rmdir)(path);
}
