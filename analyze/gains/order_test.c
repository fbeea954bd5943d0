/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/gains/order_test.h"

#include <math.h>
#include <stdlib.h>

#include "analyze/gains/flights.h"
#include "common/table.h"

#define TESTED_MESSAGES 100000
#define SHUFFLES        20
#define STEPS_MIN       3 /* fewer have no order to speak of */

/* Consecutive messages to one destination. */
struct step {
	uint32_t dst;
	uint32_t first; /* flights of it: first .. first + n - 1 */
	uint32_t n;
};

/* One sampled episode: its steps are step[first .. first + n - 1]. */
struct walked {
	uint32_t first;
	uint32_t n;
};

struct tester {
	const struct evidence_base *b;
	struct flight_edge *edge;
	uint32_t *dst; /* per flight */
	struct step *step;
	struct walked *walked;
	uint32_t flights, steps, episodes;
	uint32_t *counts, *levels; /* see flights_concentration() */
	double *sum;               /* per rank: its places as a destination */
	uint32_t *times;           /* per rank: how many places */
	uint64_t seed;
};

static uint32_t draw(uint64_t *state, uint32_t n)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15ull;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ z >> 27) * 0x94d049bb133111ebull;
	return (z ^ z >> 31) % n;
}

static void load_episode(struct tester *x, const struct episode *e)
{
	const struct messages *m = x->b->m;

	x->walked[x->episodes++] = (struct walked){x->steps, e->steps};
	for (uint32_t k = e->first; k < e->first + e->n; k++) {
		uint32_t i = x->b->senders.message[k], f = x->flights++;
		const struct message *msg = &m->m[i];

		if (k == e->first || msg->dst != x->dst[f - 1])
			x->step[x->steps++] = (struct step){msg->dst, f, 0};
		x->step[x->steps - 1].n++;
		x->dst[f] = msg->dst;
		x->edge[2 * f] = (struct flight_edge){msg->sent_ns, f, 1};
		x->edge[2 * f + 1] =
			(struct flight_edge){flights_end_ns(x->b->t, m, x->b->a, i), f, -1};
	}
}

/* Share of the steps' variance that lies between destinations (eta squared). */
static double agreement(struct tester *x)
{
	double all = 0, all2 = 0, between = 0, n = 0, mean, total;

	for (uint32_t r = 0; r < x->b->t->n_ranks; r++)
		x->sum[r] = x->times[r] = 0;
	for (uint32_t k = 0; k < x->episodes; k++) {
		const struct walked *w = &x->walked[k];

		for (uint32_t s = 0; s < w->n; s++) {
			double place = (double)s / (w->n - 1);
			uint32_t dst = x->step[w->first + s].dst;

			x->sum[dst] += place;
			x->times[dst]++;
			all += place;
			all2 += place * place;
			n++;
		}
	}
	mean = all / n;
	total = all2 - n * mean * mean;
	for (uint32_t r = 0; r < x->b->t->n_ranks; r++)
		if (x->times[r])
			between += x->sum[r] * x->sum[r] / x->times[r];
	between -= n * mean * mean;
	return total > 0 ? fmin(1, fmax(0, between / total)) : 0;
}

/* Hand each episode's destinations to its steps anew. */
static void shuffle(struct tester *x)
{
	for (uint32_t k = 0; k < x->episodes; k++) {
		struct step *s = x->step + x->walked[k].first;

		for (uint32_t i = x->walked[k].n - 1; i > 0; i--) {
			uint32_t j = draw(&x->seed, i + 1), kept = s[i].dst;

			s[i].dst = s[j].dst;
			s[j].dst = kept;
		}
	}
	for (uint32_t k = 0; k < x->steps; k++)
		for (uint32_t f = 0; f < x->step[k].n; f++)
			x->dst[x->step[k].first + f] = x->step[k].dst;
}

static void compare(struct by_chance *c, double sum, double sum2)
{
	c->mean = sum / SHUFFLES;
	c->deviation = sqrt(fmax(0, sum2 - SHUFFLES * c->mean * c->mean) / (SHUFFLES - 1));
}

/* What there is, without chance. */
static void measure(struct tester *x, struct order_test *out)
{
	size_t edges = 2 * (size_t)x->flights;
	struct flights_focus focus;
	double up = 0, pairs = 0;

	for (uint32_t k = 0; k < x->episodes; k++) {
		const struct step *s = x->step + x->walked[k].first;

		for (uint32_t i = 1; i < x->walked[k].n; i++) {
			up += s[i].dst > s[i - 1].dst;
			pairs++;
		}
	}
	flights_sort(x->edge, edges);
	focus = flights_concentration(x->edge, edges, x->dst, x->counts, x->levels);
	out->concentration.value = focus.concentration;
	out->depth = focus.depth;
	out->ascending = pairs > 0 ? up / pairs : 0;
	out->episodes = x->episodes;
	out->destinations = (double)x->steps / x->episodes;
}

static void test(struct tester *x, double agreement_min, struct order_test *out)
{
	double sum[2] = {0}, sum2[2] = {0};

	out->agreement.value = agreement(x);
	if (out->agreement.value < agreement_min)
		return;
	measure(x, out);
	for (int k = 0; k < SHUFFLES; k++) {
		double a, c;

		shuffle(x);
		c = flights_concentration(x->edge, 2 * (size_t)x->flights, x->dst, x->counts,
					  x->levels)
			    .concentration;
		a = agreement(x);
		sum[0] += c;
		sum2[0] += c * c;
		sum[1] += a;
		sum2[1] += a * a;
	}
	compare(&out->concentration, sum[0], sum2[0]);
	compare(&out->agreement, sum[1], sum2[1]);
}

static int make_room(struct tester *x, const struct episodes *e, struct err *err)
{
	size_t flights = 1, ranks = (size_t)x->b->t->n_ranks + 1;

	for (uint32_t k = 0; k < e->n; k++)
		flights += e->e[k].n;
	x->edge = table_calloc(2 * flights, sizeof(*x->edge));
	x->dst = table_calloc(flights, sizeof(*x->dst));
	x->step = table_calloc(flights, sizeof(*x->step));
	x->levels = table_calloc(flights + 1, sizeof(*x->levels));
	x->walked = table_calloc((size_t)e->n + 1, sizeof(*x->walked));
	x->counts = calloc(ranks, sizeof(*x->counts));
	x->sum = calloc(ranks, sizeof(*x->sum));
	x->times = calloc(ranks, sizeof(*x->times));
	if (x->edge && x->dst && x->step && x->levels && x->walked && x->counts && x->sum &&
	    x->times)
		return 0;
	return err_set(err, "out of memory for %zu messages", flights);
}

int order_test_run(const struct evidence_base *b, const struct episodes *e, double agreement_min,
		   struct order_test *out, struct err *err)
{
	struct tester x = {.b = b, .seed = 1};
	struct order_test found = {.episodes = 0};
	uint64_t messages = 0;
	uint32_t stride;
	int ret = -1;

	if (make_room(&x, e, err))
		goto out;
	for (uint32_t k = 0; k < e->n; k++)
		messages += e->e[k].n;
	stride = messages / TESTED_MESSAGES + 1;
	for (uint32_t k = 0; k < e->n; k++)
		if (e->e[k].steps >= STEPS_MIN && e->e[k].phase % stride == 0)
			load_episode(&x, &e->e[k]);
	if (x.episodes > 0)
		test(&x, agreement_min, &found);
	*out = found;
	ret = 0;
out:
	free(x.times);
	free(x.sum);
	free(x.counts);
	table_free(x.walked);
	table_free(x.levels);
	table_free(x.step);
	table_free(x.dst);
	table_free(x.edge);
	return ret;
}
