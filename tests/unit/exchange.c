/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/exchange.h"

#include <stdlib.h>

#define SITE    3
#define POST_NS 100 /* one Irecv */

struct sim {
	struct tables *x;
	const struct exchange *e;
	uint64_t seed;
	uint32_t per_rank; /* sends of a rank in a round */
	int64_t *now;      /* per rank: where its program is */
	int64_t *port;     /* per rank: its receiving port is free */
	uint32_t *to;      /* per rank and send: destination */
	uint32_t *next;    /* per rank: its next send */
	int64_t *last;     /* per rank: latest arrival of the round */
	uint32_t *send;    /* per rank and send: its call */
	uint32_t *post;    /* per rank and send TO it: the receive */
	uint32_t *done;    /* per rank: its Waitall */
};

uint32_t exchange_draw(uint64_t *state, uint32_t n)
{
	*state += 0x9e3779b97f4a7c15ull;
	uint64_t z = *state;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ z >> 27) * 0x94d049bb133111ebull;
	return (z ^ z >> 31) % n;
}

static void plan(struct sim *s, uint32_t rank)
{
	uint32_t n = s->e->ranks, k = 0, walk[n];

	for (uint32_t i = 0; i < n; i++) {
		walk[i] = i;
		if (s->e->order == EXCHANGE_DESCENDING)
			walk[i] = n - 1 - i;
		else if (s->e->order == EXCHANGE_STAGGERED)
			walk[i] = (rank + 1 + i) % n;
	}
	for (uint32_t i = n - 1; s->e->order == EXCHANGE_RANDOM && i > 0; i--) {
		uint32_t j = exchange_draw(&s->seed, i + 1), kept = walk[i];

		walk[i] = walk[j];
		walk[j] = kept;
	}
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t b = 0; b < s->e->blocks && walk[i] != rank; b++)
			s->to[rank * s->per_rank + k++] = walk[i];
}

/* Post a round's receives: block b from rank r is post[rank][r' blocks + b]. */
static void post(struct sim *s, uint32_t rank)
{
	for (uint32_t k = 0; k < s->per_rank; k++) {
		s->post[rank * s->per_rank + k] = tables_call(
			s->x, rank, REGION_IRECV, s->now[rank], s->now[rank] + POST_NS, 1);
		s->now[rank] += POST_NS;
	}
	s->next[rank] = 0;
	s->last[rank] = s->now[rank];
}

/* The rank whose message gets to its receiver's port first, or ranks when all are sent. */
static uint32_t next_sender(const struct sim *s)
{
	uint32_t best = s->e->ranks;

	for (uint32_t r = 0; r < s->e->ranks; r++)
		if (s->next[r] < s->per_rank && (best == s->e->ranks || s->now[r] < s->now[best]))
			best = r;
	return best;
}

static void send_all(struct sim *s)
{
	const struct exchange *e = s->e;

	for (uint32_t r; (r = next_sender(s)) < e->ranks; s->next[r]++) {
		uint32_t at = r * s->per_rank + s->next[r], dst = s->to[at];
		int64_t head = s->now[r] + e->L_ns, leave = s->now[r] + e->o_ns, arrive;

		if (e->send == REGION_ISEND) /* queued behind the own port */
			head += s->next[r] * (e->g_ns > e->o_ns ? e->g_ns - e->o_ns : 0);
		arrive = (head > s->port[dst] ? head : s->port[dst]) + e->g_ns;
		s->port[dst] = arrive;
		if (e->send == REGION_SSEND)
			leave = arrive + e->L_ns;
		s->send[at] = tables_call(s->x, r, e->send, s->now[r], leave, SITE);
		s->now[r] = leave;
		s->last[dst] = arrive > s->last[dst] ? arrive : s->last[dst];
	}
}

/* Everybody waits for all and computes; the round's messages go into the table. */
static void finish_round(struct sim *s)
{
	const struct exchange *e = s->e;
	uint32_t *taken = calloc(e->ranks, sizeof(*taken));

	for (uint32_t r = 0; r < e->ranks; r++) {
		int64_t taken =
			s->now[r] + e->o_ns; /* if all are there; L + g has the overhead in it */
		int64_t end = taken > s->last[r] ? taken : s->last[r];

		s->done[r] = tables_call(s->x, r, REGION_WAITALL, s->now[r], end, 2);
		s->now[r] = end + e->compute_ns / 2 + exchange_draw(&s->seed, e->compute_ns + 1);
	}
	for (uint32_t r = 0; r < e->ranks; r++) {
		for (uint32_t k = 0; k < s->per_rank; k++) {
			uint32_t at = r * s->per_rank + k, dst = s->to[at];

			tables_message(s->x, e->bytes, s->send[at],
				       e->send == REGION_SSEND ? s->send[at] : s->done[r],
				       s->post[dst * s->per_rank + taken[dst]++], s->done[dst]);
		}
	}
	free(taken);
}

void exchange_make(struct tables *x, const struct exchange *e)
{
	struct sim s = {.x = x, .e = e, .seed = e->seed};
	size_t n = e->ranks, all;

	tables_init(x, e->ranks, 1);
	s.per_rank = (e->ranks - 1) * e->blocks;
	all = n * s.per_rank;
	s.now = calloc(n, sizeof(*s.now));
	s.port = calloc(n, sizeof(*s.port));
	s.next = calloc(n, sizeof(*s.next));
	s.last = calloc(n, sizeof(*s.last));
	s.done = calloc(n, sizeof(*s.done));
	s.to = calloc(all, sizeof(*s.to));
	s.send = calloc(all, sizeof(*s.send));
	s.post = calloc(all, sizeof(*s.post));
	for (uint32_t round = 0; round < e->rounds; round++) {
		int64_t start = 0;

		for (uint32_t r = 0; r < n;
		     r++) /* rounds begin together, give or take the Irecvs */
			start = s.now[r] > start ? s.now[r] : start;
		for (uint32_t r = 0; r < n; r++) {
			s.now[r] = start;
			plan(&s, r);
			post(&s, r);
		}
		send_all(&s);
		finish_round(&s);
	}
	tables_finish(x);
	free(s.post);
	free(s.send);
	free(s.to);
	free(s.done);
	free(s.last);
	free(s.next);
	free(s.port);
	free(s.now);
}
