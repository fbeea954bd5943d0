/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calibrate/cacheline.h"

#include <fcntl.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

/* A reading of the clock takes as long as a round trip: so many of them for one sample. */
#define IN_A_ROW 10

/* Spins for the other's line between two at the clock. */
#define SPINS 64

struct cacheline_memory {
	alignas(256) _Atomic uint64_t asked; /* not beside the other, nor prefetched with it */
	alignas(256) _Atomic uint64_t answered;
};

static double now_s(void)
{
	struct timespec t = {0, 0};

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

struct name {
	char text[40];
};

static struct name name_of(uint64_t key)
{
	struct name n;

	snprintf(n.text, sizeof(n.text), "/contend-%016llx", (unsigned long long)key);
	return n;
}

static int map(struct cacheline *c, int fd)
{
	void *at = fd < 0 ? MAP_FAILED
			  : mmap(NULL, sizeof(*c->at), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	if (fd >= 0)
		close(fd);
	c->at = at == MAP_FAILED ? NULL : at;
	return c->at ? 0 : -1;
}

int cacheline_create(struct cacheline *c)
{
	struct timespec t = {0, 0};
	int fd;

	clock_gettime(CLOCK_REALTIME, &t);
	*c = (struct cacheline){.key = (uint64_t)getpid() << 40 ^ (uint64_t)t.tv_sec << 30 ^
				       (uint64_t)t.tv_nsec};
	fd = shm_open(name_of(c->key).text, O_RDWR | O_CREAT | O_EXCL, 0600);
	if (fd < 0)
		return -1;
	if (posix_fallocate(fd, 0, sizeof(*c->at))) { /* full: its first use would be a SIGBUS */
		close(fd);
		fd = -1;
	}
	if (!map(c, fd))
		return 0;
	cacheline_hide(c);
	return -1;
}

int cacheline_find(struct cacheline *c, uint64_t key)
{
	*c = (struct cacheline){.key = key};
	return map(c, shm_open(name_of(key).text, O_RDWR, 0));
}

void cacheline_hide(const struct cacheline *c)
{
	shm_unlink(name_of(c->key).text);
}

void cacheline_close(struct cacheline *c)
{
	if (c->at)
		munmap(c->at, sizeof(*c->at));
	c->at = NULL;
}

/* Until *what is at least v. Returns 0, or -1 when it took too long. */
static int await(const _Atomic uint64_t *what, uint64_t v, double until)
{
	int looks = 0;

	while (atomic_load_explicit(what, memory_order_acquire) < v)
		if (++looks % SPINS == 0 && now_s() > until)
			return -1;
	return 0;
}

void cacheline_ask(struct cacheline *c, int n, struct samples *s)
{
	double until = now_s() + CACHELINE_MOST_S, begun = 0;
	uint64_t first = c->asked + 1, last = c->asked + (uint64_t)n, v;

	c->asked = last;
	for (v = first; v <= last; v++) {
		atomic_store_explicit(&c->at->asked, v, memory_order_release);
		if (await(&c->at->answered, v, until))
			return;
		if ((v - first) % IN_A_ROW)
			continue;
		if (v > first) /* before the first the other may not have been there */
			samples_add(s, (now_s() - begun) / IN_A_ROW);
		begun = now_s();
	}
}

void cacheline_answer(struct cacheline *c, uint64_t asked, int n)
{
	double until = now_s() + CACHELINE_MOST_S;
	uint64_t v;

	for (v = asked + 1; v <= asked + (uint64_t)n; v++) {
		if (await(&c->at->asked, v, until))
			return;
		atomic_store_explicit(&c->at->answered, v, memory_order_release);
	}
}
