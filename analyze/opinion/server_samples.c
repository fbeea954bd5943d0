/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/opinion/server_samples.h"

#include <math.h>

#define IDLE (1u << COST_late_partner | 1u << COST_wire | 1u << COST_network_contention)

/* Of a call that a server made: nothing to do. */
static double idle_s(const struct evidence_base *b, uint32_t call)
{
	return slices_sum(&b->a->call, call, IDLE) * 1e-9;
}

/*
 * Did it find nothing? Of MPI_Test the message knows, after MPI_Iprobe the next call would receive
 * what was found.
 */
static int finds_nothing(const struct trace *t, uint32_t call, const struct message *next)
{
	const struct call *c = &t->calls[call];

	switch (trace_call_kind(t, call)) {
	case REGION_TEST:
		return next->not_here_ns >= c->enter_ns;
	case REGION_IPROBE:
		return c->is_flood || call + 1 < next->recv_done;
	default:
		return 0;
	}
}

/*
 * A server that asks whether there is a request, and there is none, has done the one before: from
 * when on, or to_ns. before and next: the messages that it got then, one after the other.
 */
static int64_t idle_from_ns(const struct evidence_base *b, const struct message *before,
			    const struct message *next, int64_t to_ns)
{
	for (uint32_t c = before->recv_done + 1; c < next->recv_done; c++)
		if (finds_nothing(b->t, c, next))
			return b->t->calls[c].enter_ns;
	return to_ns;
}

int server_step(const struct evidence_base *b, uint32_t end, uint32_t *i, struct server_step *out)
{
	const struct message *m = b->m->m;
	uint32_t first = *i, next;
	double took_s, busy_s;
	int64_t idle_ns;

	for (*i = first + 1; *i < end && m[*i].recv_done == m[first].recv_done;)
		++*i;
	if (*i >= end)
		return 0;
	for (next = *i; next + 1 < end && m[next + 1].recv_done == m[*i].recv_done;)
		next++;
	took_s = (m[next].done_ns - m[*i - 1].done_ns) * 1e-9;
	idle_ns = idle_from_ns(b, &m[*i - 1], &m[*i], m[next].done_ns);
	busy_s = fmin(took_s - idle_s(b, m[*i].recv_done), (idle_ns - m[*i - 1].done_ns) * 1e-9);
	out->n = *i - first;
	out->each_s = fmax(busy_s, 0) / out->n;
	out->span_s = took_s;
	return 1;
}

/* Every so many of what is counted, from 0. */
struct thinned {
	uint64_t n, step;
	uint32_t kept;
	double *s;
};

static struct thinned thin(uint64_t most, double *s)
{
	return (struct thinned){.step = most / SERVER_SAMPLES + 1, .s = s};
}

static void offer(struct thinned *x, double s)
{
	if (x->n++ % x->step == 0)
		x->s[x->kept++] = s;
}

struct choices {
	double n, again; /* questions, and those to whom was asked as many before as servers are */
};

/* What a client does after each answer until it asks; an answer before all is asked for nothing. */
static void walk_client(const struct evidence_base *b, uint32_t r, const uint8_t *is_server,
			uint32_t servers, struct thinned *works, struct choices *c)
{
	const uint32_t *sent = b->senders.by_call + b->senders.of_rank[r];
	uint32_t n = b->senders.of_rank[r + 1] - b->senders.of_rank[r];
	uint32_t got = b->m->by_dst[r];

	for (uint32_t k = 0; k < n; k++) {
		const struct message *x = &b->m->m[sent[k]];
		int64_t told_ns = INT64_MIN;

		if (!is_server[x->dst])
			continue;
		for (; got < b->m->by_dst[r + 1] && b->m->m[got].done_ns <= x->sent_ns; got++)
			if (is_server[b->m->m[got].src])
				told_ns = b->m->m[got].done_ns;
		if (told_ns != INT64_MIN)
			offer(works, (x->sent_ns - told_ns) * 1e-9);
		if (k < servers)
			continue;
		c->n++;
		c->again += b->m->m[sent[k - servers]].dst == x->dst;
	}
}

void server_samples_find(const struct evidence_base *b, const uint8_t *is_server, uint32_t servers,
			 struct server_samples *out)
{
	struct thinned works = thin(b->m->n, out->work_s), busy = thin(b->m->n, out->handler_s);
	struct choices c = {0};

	for (uint32_t r = 0; r < b->t->n_ranks; r++) {
		uint32_t i = b->m->by_dst[r];
		struct server_step x;

		if (!is_server[r])
			walk_client(b, r, is_server, servers, &works, &c);
		else
			while (server_step(b, b->m->by_dst[r + 1], &i, &x))
				for (uint32_t k = 0; k < x.n; k++)
					offer(&busy, x.each_s);
	}
	out->works = works.kept;
	out->handlers = busy.kept;
	out->in_turn = 0.5;
	if (servers > 1 && c.n > 0)
		out->in_turn =
			fmin(fmax((c.again / c.n - 1.0 / servers) / (1 - 1.0 / servers), 0), 1);
}
