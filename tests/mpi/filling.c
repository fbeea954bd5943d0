/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Preloaded: somebody else fills the disk FILL_DIR at the worst moment: when a file whose path ends
 * as FILL_AT says has been opened, and FILL_AFTER times written to.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static _Atomic int written;

static int ends(const char *path)
{
	const char *suffix = getenv("FILL_AT");
	size_t n = strlen(path), k = suffix ? strlen(suffix) : 0;

	return k && n >= k && !strcmp(path + n - k, suffix);
}

static int after(void)
{
	const char *times = getenv("FILL_AFTER");

	return times ? atoi(times) : 0;
}

static void fill(void)
{
	static const char nothing[4096];
	int kept = errno, fd;
	char path[4096];

	snprintf(path, sizeof(path), "%s/ballast", getenv("FILL_DIR"));
	fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	while (fd >= 0 && write(fd, nothing, sizeof(nothing)) > 0)
		;
	if (fd >= 0)
		close(fd);
	errno = kept;
}

static FILE *opened(const char *path, FILE *f)
{
	if (f && ends(path) && !after())
		fill();
	return f;
}

FILE *fopen(const char *path, const char *mode)
{
	return opened(path, REAL(fopen)(path, mode));
}

FILE *fopen64(const char *path, const char *mode)
{
	return opened(path, REAL(fopen64)(path, mode));
}

size_t fwrite(const void *p, size_t size, size_t n, FILE *f)
{
	char link[40], path[4096] = "";
	int kept = errno;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fileno(f));
	if (after() && readlink(link, path, sizeof(path) - 1) > 0 && ends(path) &&
	    ++written == after())
		fill();
	errno = kept;
	return REAL(fwrite)(p, size, n, f);
}
