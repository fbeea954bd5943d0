/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/patterns/line_order.h"

#include "analyze/patterns/pair_odds.h"
#include "analyze/patterns/pairing.h"
#include "analyze/tools/sets.h"

#include <math.h>
#include <stdlib.h>

/* Two that are next to each other. */
struct link {
	uint32_t a, b;
	uint32_t count;
};

struct line {
	const struct traffic *t;
	struct link *links; /* what may be joined; one way: from a to b */
	uint32_t n_links;
	uint32_t (*beside)[2]; /* per rank: before, behind, or either; TRAFFIC_NONE: nobody */
	uint32_t *path;        /* per rank: leads to one of its path */
	uint32_t *place;       /* per rank: in the line */
};

static int line_init(struct line *x, const struct traffic *t)
{
	size_t n = (size_t)t->ranks + 1;

	*x = (struct line){.t = t};
	x->links = calloc((size_t)t->n_pairs + n, sizeof(*x->links));
	x->beside = calloc(n, sizeof(*x->beside));
	x->path = calloc(n, sizeof(*x->path));
	x->place = calloc(n, sizeof(*x->place));
	for (uint32_t r = 0; x->beside && x->path && r < t->ranks; r++) {
		x->beside[r][0] = x->beside[r][1] = TRAFFIC_NONE;
		x->path[r] = r;
	}
	return x->links && x->beside && x->path && x->place ? 0 : -1;
}

static void line_release(struct line *x)
{
	free(x->links);
	free(x->beside);
	free(x->path);
	free(x->place);
}

/* Returns 0, or -1 with *err set (out of memory). */
static int list_one_way(struct line *x, struct err *err)
{
	const struct edge **next = calloc((size_t)x->t->ranks + 1, sizeof(const struct edge *));
	int ret = next ? pairing_one_way(x->t, next, err)
		       : err_set(err, "out of memory for %u ranks", x->t->ranks);

	for (uint32_t r = 0; !ret && r < x->t->ranks; r++)
		if (next[r])
			x->links[x->n_links++] = (struct link){r, next[r]->dst, next[r]->count};
	free(next);
	return ret;
}

static void list_pairs(struct line *x)
{
	for (uint32_t i = 0; i < x->t->n_pairs; i++)
		x->links[x->n_links++] =
			(struct link){x->t->pairs[i].a, x->t->pairs[i].b, x->t->pairs[i].count};
}

static int by_count(const void *pa, const void *pb)
{
	const struct link *a = pa;
	const struct link *b = pb;

	if (a->count != b->count)
		return a->count > b->count ? -1 : 1;
	if (a->a != b->a)
		return a->a < b->a ? -1 : 1;
	return a->b < b->b ? -1 : a->b > b->b;
}

/* Side of the rank where nobody is: 0 before, 1 behind; 2: there is none. */
static uint32_t free_side(const struct line *x, uint32_t r)
{
	return x->beside[r][1] == TRAFFIC_NONE ? 1 : x->beside[r][0] == TRAFFIC_NONE ? 0 : 2;
}

/* Join all that leave it paths, the strongest first. */
static void join_paths(struct line *x, int one_way)
{
	if (x->n_links)
		qsort(x->links, x->n_links, sizeof(*x->links), by_count);
	for (uint32_t i = 0; i < x->n_links; i++) {
		uint32_t a = x->links[i].a, b = x->links[i].b;
		uint32_t of_a = one_way ? 1 : free_side(x, a);
		uint32_t of_b = one_way ? 0 : free_side(x, b);

		if (of_a > 1 || of_b > 1 || sets_head(x->path, a) == sets_head(x->path, b))
			continue;
		x->beside[a][of_a] = b;
		x->beside[b][of_b] = a;
		sets_join(x->path, a, b);
	}
}

static int is_end(const struct line *x, uint32_t r, int one_way)
{
	if (one_way)
		return x->beside[r][0] == TRAFFIC_NONE;
	return x->beside[r][0] == TRAFFIC_NONE || x->beside[r][1] == TRAFFIC_NONE;
}

static int is_alone(const struct line *x, uint32_t r)
{
	return x->beside[r][0] == TRAFFIC_NONE && x->beside[r][1] == TRAFFIC_NONE;
}

/* Path behind path, each from an end; ranks that are alone come last. */
static void put_in_order(struct line *x, int one_way, uint32_t *label)
{
	uint32_t n = x->t->ranks;
	uint32_t placed = 0;

	for (uint32_t r = 0; r < n; r++)
		x->place[r] = TRAFFIC_NONE;
	for (int alone = 0; alone < 2; alone++)
		for (uint32_t first = 0; first < n; first++) {
			uint32_t r = first;
			uint32_t before = TRAFFIC_NONE;

			if (x->place[r] != TRAFFIC_NONE || is_alone(x, r) != alone ||
			    !is_end(x, r, one_way))
				continue;
			while (r != TRAFFIC_NONE) {
				uint32_t side = x->beside[r][1] == before && !one_way ? 0 : 1;

				if (before == TRAFFIC_NONE && !one_way)
					side = x->beside[r][1] != TRAFFIC_NONE;
				x->place[r] = placed;
				label[placed++] = r;
				before = r;
				r = x->beside[r][side];
			}
		}
}

/*
 * The pair that is left to close a ring is the weakest: where it is rather one that lacks messages
 * than strays of the ends of a chain, the ring is turned so that another one closes it.
 */
static void turn_ring(struct line *x, double typical, uint32_t *label)
{
	uint32_t n = x->t->ranks;
	const struct pair *p = traffic_pair(x->t, label[0], label[n - 1]);
	struct pair_odds odds = pair_odds_of(n, x->t->messages, typical);

	if (!p || pair_odds_if_pair(&odds, p->count) + log(n) < pair_odds_if_not(&odds, p->count))
		return;
	for (uint32_t r = 0; r < n; r++) {
		x->place[r] = (x->place[r] + n / 2) % n;
		label[x->place[r]] = r;
	}
}

/* Is what does not fit no more than chance makes? The pair of the ends may be one or none. */
static int is_but_noise(const struct line *x, double typical, double *misfits)
{
	const struct traffic *t = x->t;
	struct pair_odds odds = pair_odds_of(t->ranks, t->messages, typical);
	struct pair_misfits of = {0};
	double pairs = t->ranks - 1.0;

	for (uint32_t i = 0; i < t->n_pairs; i++) {
		const struct pair *p = &t->pairs[i];
		uint32_t a = x->place[p->a], b = x->place[p->b];
		uint32_t apart = a > b ? a - b : b - a;

		if (apart == 1)
			pair_odds_note_pair(&odds, p->count, &of);
		else if (apart != t->ranks - 1)
			pair_odds_note_other(&odds, p->count, &of);
	}
	*misfits = pairs - of.strong + of.odd;
	return pair_odds_are_chance(&odds, pairs, &of);
}

int line_order_find(const struct traffic *t, double typical, uint32_t *label, double *misfits,
		    struct err *err)
{
	int one_way = traffic_is_one_way(t);
	struct line x;
	int ret = line_init(&x, t);

	if (ret)
		err_set(err, "out of memory for a line of %u ranks", t->ranks);
	else if (one_way)
		ret = list_one_way(&x, err);
	else
		list_pairs(&x);
	if (!ret) {
		join_paths(&x, one_way);
		put_in_order(&x, one_way, label);
		turn_ring(&x, typical, label);
		ret = is_but_noise(&x, typical, misfits);
	}
	line_release(&x);
	return ret;
}
