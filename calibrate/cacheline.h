/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How far apart the cores of two ranks of a host are: what a cache line takes to the other core
 * and back, without MPI. That is no constant of a virtual machine, whose host moves its processors
 * between cores: on one of two processors (AMD EPYC) it was 94 ns (two threads of a core) or 490
 * ns, each for 1 to 90 seconds, and with it empty round trips of Open MPI took 260 or 700 ns, and
 * MPICH's 350 ns or 1.35 us. Seconds.
 */
#ifndef CALIBRATE_CACHELINE_H
#define CALIBRATE_CACHELINE_H

#include <stdint.h>

#include "calibrate/samples.h"

struct cacheline_memory;

struct cacheline {
	struct cacheline_memory *at; /* both have it; NULL: not open */
	uint64_t key;                /* the other side's to find it */
	uint64_t asked;              /* so far */
};

/*
 * Make it; then, by its key, the other side finds it, and cacheline_hide when that is done: nothing
 * stays behind. Returns 0, or -1 where the two have no memory in common. Caller: cacheline_close.
 */
int cacheline_create(struct cacheline *c);
int cacheline_find(struct cacheline *c, uint64_t key);
void cacheline_hide(const struct cacheline *c);
void cacheline_close(struct cacheline *c);

/*
 * n times there and back, some at a time, into s; the other side answers meanwhile, told which it
 * is. Who finds the other missing for CACHELINE_MOST_S gives up.
 */
void cacheline_ask(struct cacheline *c, int n, struct samples *s);
void cacheline_answer(struct cacheline *c, uint64_t asked, int n);

#define CACHELINE_MOST_S 1e-3

/* Cores that are so many times as far apart are at other places; by less it is noise. */
#define CACHELINE_APART 2

#endif
