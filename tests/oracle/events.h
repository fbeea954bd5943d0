/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the simulators share: events in order of time, equal times in order of scheduling,
 * and pseudo-random numbers. Tests only; aborts without memory.
 */
#ifndef TESTS_ORACLE_EVENTS_H
#define TESTS_ORACLE_EVENTS_H

#include <stddef.h>
#include <stdint.h>

struct event {
	double time;
	uint64_t order; /* set by events_add */
	int kind;
	size_t where;
	uint64_t what;
};

struct events {
	struct event *heap;
	size_t n, room;
	uint64_t added;
};

void events_add(struct events *e, double time, int kind, size_t where, uint64_t what);
struct event events_next(struct events *e); /* there must be one */
void events_release(struct events *e);

/* Uniform in [0, 1); moves the state on. */
double oracle_uniform(uint64_t *state);

/*
 * A positive time of that mean and squared coefficient of variation: constant for 0,
 * exponential for 1, a shifted exponential between, two exponentials above.
 */
double oracle_time(uint64_t *state, double mean, double C2);

#endif
