/* SPDX-License-Identifier: BSD-3-Clause */
#include "interpose/log/arena.h"

#include <stdint.h>
#include <sys/mman.h>

#define ARENA_STEP ((size_t)1 << 20)

static void *map(size_t bytes)
{
	void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return p == MAP_FAILED ? NULL : p;
}

void *arena_alloc(size_t bytes)
{
	static char *next, *end;
	char *p;

	bytes = (bytes + 15) & ~(size_t)15;
	if (bytes > ARENA_STEP / 4)
		return map(bytes);
	if (bytes > (size_t)(end - next)) {
		next = map(ARENA_STEP);
		end = next ? next + ARENA_STEP : NULL;
		if (!next)
			return NULL;
	}
	p = next;
	next += bytes;
	return p;
}

void *scratch_grow(struct scratch *s, size_t bytes)
{
	size_t want = s->bytes ? s->bytes : 4096;
	void *p;

	while (want < bytes)
		want *= 2;
	p = map(want);
	if (!p)
		return NULL;
	if (s->p)
		munmap(s->p, s->bytes);
	s->p = p;
	s->bytes = want;
	return p;
}
