/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Ranks of one machine as nodes with clocks of their own, for the recorder alone: preloaded,
 * it answers the recorder's clock_gettime(CLOCK_MONOTONIC), its question for the boot id and
 * for the kernel's clock source (none: so that it does not read the processor's). Everybody
 * else gets the truth, which is what the test compares with.
 *
 *	FAKE_NODES=N       rank r is on node r % N; unset: nothing is faked
 *	FAKE_OFFSET_NS=X   node n's clock is n * X ahead
 *	FAKE_DRIFT_PPM=X   and runs n * X parts in a million faster
 *	FAKE_BEND=SHAPE,X,P    and is up to n * X ns ahead and behind, again and again, each time
 *	                   within P ns: sine, zigzag, or step
 *
 * A program may call fake_clock_step(ns) to set this process's clock.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static int64_t step_ns;

static int64_t number(const char *name)
{
	const char *text = getenv(name);

	return text ? atoll(text) : 0;
}

static int node(void)
{
	int64_t nodes = number("FAKE_NODES");
	const char *rank = getenv("OMPI_COMM_WORLD_RANK");

	if (!rank)
		rank = getenv("PMI_RANK");
	return nodes > 0 && rank ? (int)(atoi(rank) % nodes) : -1;
}

/* Is it the recorder that asks? */
static int by_recorder(const void *caller)
{
	static __thread const void *last;
	static __thread int answer;
	Dl_info about;

	if (caller != last) {
		last = caller;
		answer = dladdr(caller, &about) && strstr(about.dli_fname, "libcontend-");
	}
	return answer;
}

/* From -1 to 1, the same for all processes of a node. */
static double bend(const char *shape, double turns)
{
	double into = turns - floor(turns);

	if (!strncmp(shape, "sine,", 5))
		return sin(6.283185307179586 * into);
	if (!strncmp(shape, "zigzag,", 7))
		return into < 0.5 ? 4 * into - 1 : 3 - 4 * into;
	return into < 0.5 ? -1 : 1;
}

static int64_t bent_ns(int64_t ns)
{
	static const char *shape;
	static double height_ns, period_ns;
	static int known;

	if (!known) {
		shape = getenv("FAKE_BEND");
		if (shape && sscanf(shape, "%*[a-z],%lf,%lf", &height_ns, &period_ns) != 2)
			abort();
		known = 1;
	}
	return shape ? (int64_t)(node() * height_ns * bend(shape, (double)ns / period_ns)) : 0;
}

void fake_clock_step(int64_t ns);
void fake_clock_step(int64_t ns)
{
	step_ns += ns;
}

int clock_gettime(clockid_t clock, struct timespec *ts)
{
	static int (*real)(clockid_t, struct timespec *);
	static int64_t offset_ns;
	static double drift;
	static int known;
	int64_t ns;

	if (!real)
		real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
	if (real(clock, ts))
		return -1;
	if (clock != CLOCK_MONOTONIC || !by_recorder(__builtin_return_address(0)) || node() < 0)
		return 0;
	if (!known) {
		offset_ns = node() * number("FAKE_OFFSET_NS");
		drift = (double)(node() * number("FAKE_DRIFT_PPM")) * 1e-6;
		known = 1;
	}
	ns = (int64_t)ts->tv_sec * 1000000000 + ts->tv_nsec;
	ns += offset_ns + step_ns + bent_ns(ns) + (int64_t)((double)ns * drift);
	ts->tv_sec = ns / 1000000000;
	ts->tv_nsec = ns % 1000000000;
	return 0;
}

static int boot_id(void)
{
	int fd = memfd_create("boot_id", MFD_CLOEXEC);

	if (fd >= 0) {
		dprintf(fd, "00000000-0000-4000-8000-%012d\n", node());
		lseek(fd, 0, SEEK_SET);
	}
	return fd;
}

int open(const char *path, int flags, ...)
{
	int mode = 0, fake;
	va_list args;

	va_start(args, flags);
	if (flags & (O_CREAT | O_TMPFILE))
		mode = va_arg(args, int);
	va_end(args);
	fake = node() >= 0 && by_recorder(__builtin_return_address(0));
	if (fake && !strcmp(path, "/proc/sys/kernel/random/boot_id"))
		return boot_id();
	if (fake && strstr(path, "/current_clocksource")) {
		errno = ENOENT;
		return -1;
	}
	return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

int open64(const char *path, int flags, ...) __attribute__((alias("open")));
