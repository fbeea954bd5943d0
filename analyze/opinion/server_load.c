/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/opinion/server_load.h"

#include "analyze/opinion/answering.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CLIENTS_MIN  2
#define CLIENTS_SURE 3    /* fewer may be neighbours: they have to take turns with the server */
#define REQUESTS_MIN 10   /* to all servers, and by each client on average */
#define HUB_FACTOR   1.5  /* times the median rank's messages */
#define SHARE_MIN    0.9  /* of all messages */
#define CYCLES_APART 2    /* the clients' ends: more, and each had a share of its own */
#define TIMER_SHARE  1e-6 /* of the trips: what sums of times are not exact by */
#define STEPS_MOST   0.1  /* collectives for each question: else these set the pace */

/* What one client asked and got. */
struct client {
	uint32_t asked, answered;
	double sent_s, done_s; /* sums of times */
	double first_sent_s, last_sent_s, first_done_s, last_done_s;
};

struct counting {
	const struct evidence_base *b;
	uint32_t *received; /* per rank */
	uint32_t *sorted;
	uint8_t *is_server;
	struct client *client;
	uint32_t *by_key; /* questions per place */
	double answers_s; /* on the way, by their prices, */
	double at_most_s; /* and the same, none longer than it took */
};

static int by_number(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

/* Not so a client that asks far more often than others: it has its answers of one. */
static int has_several_senders(const struct messages *m, uint32_t rank)
{
	for (uint32_t i = m->by_dst[rank]; i < m->by_dst[rank + 1]; i++)
		if (m->m[i].src != m->m[m->by_dst[rank]].src)
			return 1;
	return 0;
}

/* Ranks that get far more messages than most others do, of several. */
static void find_hubs(struct counting *c)
{
	uint32_t ranks = c->b->t->n_ranks, median;

	for (uint32_t r = 0; r < ranks; r++)
		c->sorted[r] = c->received[r];
	qsort(c->sorted, ranks, sizeof(*c->sorted), by_number);
	median = c->sorted[ranks / 2];
	for (uint32_t r = 0; r < ranks; r++)
		c->is_server[r] = c->received[r] >= REQUESTS_MIN &&
				  c->received[r] >= HUB_FACTOR * (median ? median : 1) &&
				  has_several_senders(c->b->m, r);
}

/* Clients of many servers get more messages than these do. */
static int are_clients(const struct counting *c)
{
	for (uint32_t r = 0; r < c->b->t->n_ranks; r++)
		if (c->is_server[r] && !answering_asks_first(c->b, r))
			return 0;
	return 1;
}

static void count_servers(const struct counting *c, struct server_load *out)
{
	for (uint32_t r = 0; r < c->b->t->n_ranks; r++) {
		out->servers += c->is_server[r];
		if (c->is_server[r] &&
		    (!c->is_server[out->busiest] || c->received[r] > c->received[out->busiest]))
			out->busiest = r;
	}
}

static void note_question(struct counting *c, const struct message *x, struct server_load *out)
{
	struct client *from = &c->client[x->src];
	double s = x->sent_ns * 1e-9;
	uint32_t key = x->place;

	if (!from->asked || s < from->first_sent_s)
		from->first_sent_s = s;
	if (!from->asked || s > from->last_sent_s)
		from->last_sent_s = s;
	from->asked++;
	from->sent_s += s;
	out->requests++;
	if (++c->by_key[key] > c->by_key[trace_place(c->b->t, out->site_call)] ||
	    out->requests == 1)
		out->site_call = x->send_call;
}

/* way_s: what it is on the way by its price. */
static void note_answer(struct counting *c, const struct message *x, double way_s)
{
	struct client *to = &c->client[x->dst];

	c->answers_s += way_s;
	c->at_most_s += fmin(way_s, fmax((x->done_ns - x->sent_ns) * 1e-9, 0));
	if (!to->answered || x->done_ns * 1e-9 < to->first_done_s)
		to->first_done_s = x->done_ns * 1e-9;
	to->last_done_s = fmax(to->last_done_s, x->done_ns * 1e-9);
	to->answered++;
	to->done_s += x->done_ns * 1e-9;
}

/* Questions and answers by client. Returns how many messages are neither. */
static uint32_t note_all(struct counting *c, struct server_load *out)
{
	uint32_t others = 0;

	for (uint32_t i = 0; i < c->b->m->n; i++) {
		const struct message *x = &c->b->m->m[i];
		const struct idle_price *p = evidence_price(c->b, i);

		if (c->is_server[x->src] == c->is_server[x->dst]) {
			others++;
			continue;
		}
		out->wire_s += evidence_way_s(p);
		out->overheads_s += p->at.o_s_s + p->at.o_r_s;
		if (!c->is_server[x->dst])
			note_answer(c, x, evidence_way_s(p));
	}
	/* What a client sends after its last answer are its farewells. */
	for (uint32_t i = 0; i < c->b->m->n; i++) {
		const struct message *x = &c->b->m->m[i];

		if (!c->is_server[x->src] && c->is_server[x->dst] &&
		    x->sent_ns * 1e-9 < c->client[x->src].last_done_s)
			note_question(c, x, out);
	}
	return others;
}

/*
 * Sums tell the mean trip without joining each question with its answer, if there are as many
 * of one as of the other. Work that comes unasked at first is left out. Returns 0 when client's
 * messages are not questions and answers.
 */
static int settle(struct client *x)
{
	if (x->answered && x->asked && x->first_done_s < x->first_sent_s) {
		x->done_s -= x->first_done_s;
		x->answered--;
	}
	return x->asked == x->answered && x->asked >= 2 && x->done_s > x->sent_s;
}

static int weigh_clients(struct counting *c, struct server_load *out)
{
	double work_s = 0, works = 0, trip_s = 0, n = 0, first_s = INFINITY, last_s = 0;

	for (uint32_t r = 0; r < c->b->t->n_ranks; r++) {
		struct client x = c->client[r];

		if (!x.asked || !settle(&x))
			continue;
		out->clients++;
		n += x.asked;
		trip_s += x.done_s - x.sent_s;
		/* From each answer but the last to the question after it. */
		work_s += x.sent_s - x.first_sent_s - (x.done_s - x.last_done_s);
		works += x.asked - 1;
		first_s = fmin(first_s, x.first_sent_s);
		last_s = fmax(last_s, x.last_done_s);
	}
	if (out->clients < CLIENTS_MIN || n < REQUESTS_MIN * (double)out->clients)
		return 0;
	out->trip_s = trip_s / n;
	out->work_s = fmax(work_s, 0) / works;
	out->all_alone_s = work_s;
	out->span_s = last_s - first_s;
	return work_s > -TIMER_SHARE * trip_s; /* else a client asks before it is answered */
}

/* The requests that servers get, one after the other: sums. */
struct service {
	double busy_s, squares, span_s;
	double away_s; /* of being busy: without a core though they could run, as far as told */
	uint32_t n;
};

static void weigh_server(const struct evidence_base *b, uint32_t server, struct service *all)
{
	uint32_t i = b->m->by_dst[server];
	struct server_step x;
	double sum = 0;

	while (server_step(b, b->m->by_dst[server + 1], &i, &x)) {
		all->n += x.n;
		all->span_s += x.span_s;
		sum += x.n * x.each_s;
		all->squares += x.n * x.each_s * x.each_s;
	}
	all->busy_s += sum;
	all->away_s +=
		fmin(1, sum / b->wall_s) * (double)b->t->ranks[server].core_awaited_ns * 1e-9;
}

static void weigh_servers(const struct counting *c, struct server_load *out)
{
	struct service all = {0};
	double own;

	for (uint32_t r = 0; r < c->b->t->n_ranks; r++)
		if (c->is_server[r] && c->received[r])
			weigh_server(c->b, r, &all);
	if (!all.n || all.busy_s <= 0)
		return;
	own = fmax(0, 1 - all.away_s / all.busy_s);
	out->handler_s = all.busy_s / all.n;
	out->handler_cv2 = fmax(all.squares / all.n / (out->handler_s * out->handler_s) - 1, 0);
	out->handler_s *= own;
	out->used = all.span_s > 0 ? all.busy_s * own / all.span_s : 0;
}

static void scale(double *s, uint32_t n, double mean_s)
{
	double sum_s = 0;

	for (uint32_t i = 0; i < n; i++)
		sum_s += s[i];
	for (uint32_t i = 0; i < n; i++)
		s[i] = sum_s > 0 ? s[i] * (mean_s * n / sum_s) : mean_s;
}

/*
 * Has each client a share of its own? Then all ask as often, and end one after the other. Where who
 * is done takes the next they end together, when there are no more.
 */
static int have_shares(const struct counting *c, const struct server_load *x)
{
	uint32_t least = UINT32_MAX, most = 0;
	double first_s = INFINITY, last_s = 0;

	for (uint32_t r = 0; r < c->b->t->n_ranks; r++) {
		const struct client *k = &c->client[r];

		if (!k->asked)
			continue;
		least = k->asked < least ? k->asked : least;
		most = k->asked > most ? k->asked : most;
		first_s = fmin(first_s, k->last_done_s);
		last_s = fmax(last_s, k->last_done_s);
	}
	return most - least <= 1 && last_s - first_s > CYCLES_APART * (x->work_s + x->trip_s);
}

/* How long a client would have taken whose questions are answered at once: the longest. */
static void weigh_alone(const struct counting *c, struct server_load *out)
{
	double idle_trip_s = 2 * out->wire_s + out->handler_s + out->overheads_s;

	out->all_alone_s += out->requests * idle_trip_s;
	out->queue_s = out->requests * fmax(out->trip_s - idle_trip_s, 0);
	if (!have_shares(c, out))
		return;
	for (uint32_t r = 0; r < c->b->t->n_ranks; r++) {
		struct client x = c->client[r];
		double took_s = x.last_done_s - x.first_sent_s;

		if (x.asked && settle(&x))
			out->alone_s = fmax(out->alone_s,
					    took_s - (x.done_s - x.sent_s) + x.asked * idle_trip_s);
	}
}

/* Is every client answered when it has asked? */
static int all_take_turns(const struct counting *c, uint32_t server)
{
	for (uint32_t r = 0; r < c->b->t->n_ranks; r++)
		if (c->client[r].asked && !answering_turns(c->b->m, r, server))
			return 0;
	return 1;
}

/*
 * With c's servers. answer: each is seen to answer, all the time; else at most half of the ranks.
 */
static int weigh(struct counting *c, int answer, struct server_load *out)
{
	struct server_load x = {0};
	uint32_t ranks = c->b->t->n_ranks, others;

	count_servers(c, &x);
	if (!x.servers || (!answer && 2 * x.servers >= ranks))
		return 0;
	others = note_all(c, &x);
	x.share = 1 - (double)others / c->b->m->n;
	if (x.share < SHARE_MIN || !weigh_clients(c, &x))
		return 0;
	if (!answer && x.clients < CLIENTS_SURE && !all_take_turns(c, x.busiest))
		return 0;
	/*
	 * Answers are awaited: those that were faster than their price show what is wrong with it.
	 */
	if (c->answers_s > 0)
		x.wire_s *= c->at_most_s / c->answers_s;
	x.wire_s /= c->b->m->n - others;
	x.overheads_s /= c->b->m->n - others;
	weigh_servers(c, &x);
	weigh_alone(c, &x);
	server_samples_find(c->b, c->is_server, x.servers, &x.samples);
	scale(x.samples.work_s, x.samples.works, x.work_s);
	scale(x.samples.handler_s, x.samples.handlers, x.handler_s);
	*out = x;
	return x.handler_s > 0;
}

/* Who gets most may serve, and does not ask; where those do not stand out, who only answers. */
static int find(struct counting *c, struct server_load *out)
{
	uint32_t ranks = c->b->t->n_ranks;

	for (uint32_t r = 0; r < ranks; r++)
		c->received[r] = c->b->m->by_dst[r + 1] - c->b->m->by_dst[r];
	find_hubs(c);
	if (!are_clients(c) && weigh(c, 0, out))
		return 1;
	memset(c->client, 0, ranks * sizeof(*c->client));
	memset(c->by_key, 0, trace_places(c->b->t) * sizeof(*c->by_key));
	c->answers_s = c->at_most_s = 0;
	return answering_find(c->b, c->is_server) && weigh(c, 1, out);
}

int server_load_find(const struct evidence_base *b, struct server_load *out, struct err *err)
{
	struct counting c = {.b = b};
	size_t ranks = b->t->n_ranks + 1u;
	int ret = -1;

	c.received = calloc(ranks, sizeof(*c.received));
	c.sorted = calloc(ranks, sizeof(*c.sorted));
	c.is_server = calloc(ranks, sizeof(*c.is_server));
	c.client = calloc(ranks, sizeof(*c.client));
	c.by_key = calloc(trace_places(b->t) + 1u, sizeof(*c.by_key));
	if (!c.received || !c.sorted || !c.is_server || !c.client || !c.by_key)
		err_set(err, "out of memory for %u ranks", b->t->n_ranks);
	else
		ret = b->m->n ? find(&c, out) : 0;
	free(c.by_key);
	free(c.client);
	free(c.is_server);
	free(c.sorted);
	free(c.received);
	return ret;
}

struct lopc_server server_load_model(const struct server_load *x)
{
	return (struct lopc_server){.P = x->servers + x->clients,
				    .W = x->work_s,
				    .S_o = x->handler_s,
				    .S_l = x->wire_s,
				    .C2 = x->handler_cv2,
				    .S_y = x->overheads_s};
}

int server_load_is_dialogue(const struct evidence_base *b)
{
	uint32_t n;

	if (b->t->n_ranks != 2)
		return 0;
	n = answering_turns(b->m, 0, 1);
	return n >= REQUESTS_MIN && b->c->n <= STEPS_MOST * n;
}
