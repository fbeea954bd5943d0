/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/oracle/events.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

static int before(const struct event *a, const struct event *b)
{
	return a->time != b->time ? a->time < b->time : a->order < b->order;
}

void events_add(struct events *e, double time, int kind, size_t where, uint64_t what)
{
	struct event x = {time, e->added++, kind, where, what};
	size_t at = e->n;

	if (e->n == e->room) {
		e->room = e->room ? 2 * e->room : 256;
		e->heap = realloc(e->heap, e->room * sizeof(x));
		if (!e->heap)
			abort();
	}
	e->n++;
	for (; at > 0 && before(&x, &e->heap[(at - 1) / 2]); at = (at - 1) / 2)
		e->heap[at] = e->heap[(at - 1) / 2];
	e->heap[at] = x;
}

struct event events_next(struct events *e)
{
	struct event first = e->heap[0], last;
	size_t at = 0, child;

	assert(e->n > 0);
	last = e->heap[--e->n];
	while ((child = 2 * at + 1) < e->n) {
		if (child + 1 < e->n && before(&e->heap[child + 1], &e->heap[child]))
			child++;
		if (!before(&e->heap[child], &last))
			break;
		e->heap[at] = e->heap[child];
		at = child;
	}
	e->heap[at] = last;
	return first;
}

void events_release(struct events *e)
{
	free(e->heap);
	*e = (struct events){0};
}

double oracle_uniform(uint64_t *state)
{
	uint64_t x = *state += 0x9e3779b97f4a7c15u; /* splitmix64 */

	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
	return ((x ^ (x >> 31)) >> 11) * 0x1p-53;
}

static double exponential(uint64_t *state, double mean)
{
	return -mean * log1p(-oracle_uniform(state));
}

double oracle_time(uint64_t *state, double mean, double C2)
{
	double p;

	if (C2 <= 0)
		return mean;
	if (C2 <= 1)
		return mean * (1 - sqrt(C2)) + exponential(state, mean * sqrt(C2));
	p = (1 + sqrt((C2 - 1) / (C2 + 1))) / 2; /* balanced means */
	if (oracle_uniform(state) >= p)
		p = 1 - p;
	return exponential(state, mean / (2 * p));
}
