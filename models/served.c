/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/served.h"

#include <stdint.h>
#include <stdlib.h>

/*
 * Of a client, and of all, at least. A quarter is the beginning, which does not count. Where times
 * vary as exponential ones do, the result is within 1 %.
 */
#define CYCLES   200
#define REQUESTS 40000

struct asker {
	double at_s; /* when it asks next */
	size_t server;
};

struct running {
	const struct served *m;
	struct asker *heap; /* the client that asks next is the first */
	double *free_s;     /* per server */
	uint64_t chance;
};

/* One of n: splitmix64, Steele, Lea and Flood 2014. */
static size_t draw(struct running *r, size_t n)
{
	uint64_t z = r->chance += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return (size_t)((z ^ z >> 31) % n);
}

/* The first of the heap asks later now. */
static void put_back(struct running *r)
{
	struct asker x = r->heap[0];
	size_t n = r->m->clients, at = 0, child;

	while ((child = 2 * at + 1) < n) {
		child += child + 1 < n && r->heap[child + 1].at_s < r->heap[child].at_s;
		if (x.at_s <= r->heap[child].at_s)
			break;
		r->heap[at] = r->heap[child];
		at = child;
	}
	r->heap[at] = x;
}

/* The next request. Returns when it is served. */
static double serve(struct running *r, enum served_choice choice)
{
	struct asker *x = r->heap;
	double *free_s, done_s;

	x->server =
		choice == SERVED_IN_TURN ? (x->server + 1) % r->m->servers : draw(r, r->m->servers);
	free_s = &r->free_s[x->server];
	done_s = (x->at_s > *free_s ? x->at_s : *free_s) + r->m->handler_s[draw(r, r->m->handlers)];
	*free_s = done_s;
	x->at_s = done_s + r->m->way_s + r->m->work_s[draw(r, r->m->works)];
	put_back(r);
	return done_s;
}

int served_per_s(const struct served *m, enum served_choice choice, double *per_s, struct err *err)
{
	struct running r = {.m = m};
	size_t n = CYCLES * m->clients;
	double begin_s = 0, end_s = 0;

	n = n > REQUESTS ? n : REQUESTS;
	if (!m->clients || !m->servers || !m->works || !m->handlers)
		return err_set(err,
			       "%zu clients, %zu servers, %zu works and %zu handlers: "
			       "need one of each",
			       m->clients, m->servers, m->works, m->handlers);
	r.heap = calloc(m->clients, sizeof(*r.heap));
	r.free_s = calloc(m->servers, sizeof(*r.free_s));
	if (!r.heap || !r.free_s) {
		free(r.free_s);
		free(r.heap);
		return err_set(err, "out of memory for %zu clients", m->clients);
	}
	for (size_t i = 0; i < m->clients; i++)
		r.heap[i].server = i % m->servers;
	for (size_t i = 0; i < n; i++) {
		double done_s = serve(&r, choice);

		end_s = done_s > end_s ? done_s : end_s;
		if (i < n / 4)
			begin_s = end_s;
	}
	free(r.free_s);
	free(r.heap);
	if (!(end_s > begin_s))
		return err_set(err, "a request takes no time");
	*per_s = (double)(n - n / 4) / (end_s - begin_s);
	return 0;
}
