/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Signals that come in the worst moments, for the recorder alone: preloaded, it ends every other
 * of its calls that open, read, write or make room in files with EINTR, and halves writes. A log of
 * another rank is not seen for the first 60 ms of looking, as on a file system over a network.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

static int is_recorder(const void *caller)
{
	Dl_info about;

	return dladdr(caller, &about) && strstr(about.dli_fname, "libcontend-");
}

/* The other of them goes well. */
static int cut(const void *caller)
{
	static __thread unsigned calls;

	if (!is_recorder(caller) || calls++ % 2)
		return 0;
	errno = EINTR;
	return 1;
}

int open(const char *path, int flags, ...)
{
	int mode = 0;
	va_list args;

	va_start(args, flags);
	if (flags & (O_CREAT | O_TMPFILE))
		mode = va_arg(args, int);
	va_end(args);
	return cut(__builtin_return_address(0))
		       ? -1
		       : (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

int open64(const char *path, int flags, ...) __attribute__((alias("open")));

FILE *fopen(const char *path, const char *mode)
{
	FILE *(*next)(const char *, const char *) =
		(FILE * (*)(const char *, const char *)) dlsym(RTLD_NEXT, "fopen");

	return cut(__builtin_return_address(0)) ? NULL : next(path, mode);
}

FILE *fopen64(const char *path, const char *mode) __attribute__((alias("fopen")));

ssize_t read(int fd, void *to, size_t n)
{
	return cut(__builtin_return_address(0)) ? -1 : syscall(SYS_read, fd, to, n);
}

ssize_t pwrite(int fd, const void *from, size_t n, off_t at)
{
	if (cut(__builtin_return_address(0)))
		return -1;
	if (is_recorder(__builtin_return_address(0)) && n > 1)
		n /= 2;
	return syscall(SYS_pwrite64, fd, from, n, at);
}

ssize_t pwrite64(int fd, const void *from, size_t n, off_t at) __attribute__((alias("pwrite")));

int posix_fallocate(int fd, off_t from, off_t bytes)
{
	if (cut(__builtin_return_address(0)))
		return EINTR;
	return syscall(SYS_fallocate, fd, 0, from, bytes) ? errno : 0;
}

int posix_fallocate64(int fd, off_t from, off_t bytes) __attribute__((alias("posix_fallocate")));

int statfs(const char *path, struct statfs *fs)
{
	int ret = (int)syscall(SYS_statfs, path, fs);

	if (!ret && is_recorder(__builtin_return_address(0)))
		fs->f_type = 0x6969; /* NFS */
	return ret;
}

int statfs64(const char *path, struct statfs64 *fs) __attribute__((alias("statfs")));

int access(const char *path, int mode)
{
	static struct timespec since;
	struct timespec now;
	int64_t ms;

	if (is_recorder(__builtin_return_address(0)) && strstr(path, "/log/") &&
	    !clock_gettime(CLOCK_MONOTONIC, &now)) {
		since = since.tv_sec ? since : now;
		ms = (now.tv_sec - since.tv_sec) * 1000 + (now.tv_nsec - since.tv_nsec) / 1000000;
		if (ms < 60) {
			errno = ENOENT;
			return -1;
		}
	}
	return (int)syscall(SYS_faccessat, AT_FDCWD, path, mode);
}
