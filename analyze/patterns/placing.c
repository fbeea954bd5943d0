/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/patterns/placing.h"

#include <math.h>

/* So good a rank's place is that no better one is looked for: log. */
#define SCORE_POOR 5.0

/* Two ranks change places for no less. */
#define GAIN_MIN 1e-6

/* Where more of a shape's pairs do not fit, it is not a matter of single ranks. */
#define MISFITS_MAX 0.5

/* All ranks are looked at so often at most. */
#define ROUNDS 8

static uint32_t degree(const struct graph *g, uint32_t v)
{
	return g->at[v + 1] - g->at[v];
}

/* May the messages over edge i of a rank at v be those to vertex other? Not if they go backward. */
static int goes_its_way(const struct embed *e, uint32_t v, uint32_t i, uint32_t other)
{
	return !e->is_forward || e->edge[i].sends == (v < other);
}

static double apart(double a, double b)
{
	return fabs(a - b);
}

/* How many neighbours the rank has more or fewer than the vertex, or of each way. */
static double neighbours_off(const struct embed *e, const struct graph *shape, uint32_t v,
			     uint32_t rank)
{
	uint32_t ahead = 0;

	if (!e->is_forward)
		return apart(e->degree[rank], degree(shape, v));
	for (uint32_t i = shape->at[v]; i < shape->at[v + 1]; i++)
		ahead += shape->to[i] > v;
	return apart(e->sends_to[rank], ahead) +
	       apart(e->degree[rank] - e->sends_to[rank], degree(shape, v) - ahead);
}

double placing_score(const struct embed *e, const struct graph *shape, const struct placing *b,
		     uint32_t v, uint32_t rank)
{
	double score = -PLACING_PER_NEIGHBOUR * neighbours_off(e, shape, v, rank);
	uint32_t missing = 0;

	for (uint32_t i = shape->at[v]; i < shape->at[v + 1]; i++)
		missing += b->at[shape->to[i]] != TRAFFIC_NONE;
	for (uint32_t i = e->g.at[rank]; i < e->g.at[rank + 1]; i++) {
		uint32_t other = b->of[e->g.to[i]];

		if (other == TRAFFIC_NONE)
			continue;
		if (graph_has_edge(shape, v, other) && goes_its_way(e, v, i, other)) {
			score += e->edge[i].if_pair;
			missing--;
		} else {
			score += e->edge[i].if_not;
		}
	}
	return score + missing * e->if_none;
}

void placing_fill(const struct embed *e, const struct graph *shape, struct placing *b)
{
	uint32_t n = shape->n;

	for (uint32_t v = 0; v < n; v++) {
		uint32_t best = TRAFFIC_NONE;
		double top = -HUGE_VAL;

		for (uint32_t r = 0; b->at[v] == TRAFFIC_NONE && r < n; r++) {
			double score = b->of[r] == TRAFFIC_NONE ? placing_score(e, shape, b, v, r)
								: -HUGE_VAL;

			if (score > top) {
				top = score;
				best = r;
			}
		}
		if (best != TRAFFIC_NONE) {
			b->at[v] = best;
			b->of[best] = v;
		}
	}
}

int placing_is_but_noise(struct embed *e, const struct graph *shape, const struct placing *b)
{
	const struct traffic *t = e->t;
	double pairs = shape->at[shape->n] / 2.0;
	struct pair_misfits misfits = {0};

	for (uint32_t i = 0; i < t->n_pairs; i++) {
		const struct pair *p = &t->pairs[i];

		if (graph_has_edge(shape, b->of[p->a], b->of[p->b]) &&
		    (!e->is_forward ||
		     traffic_sends_most(t, p->a, p->b) == (b->of[p->a] < b->of[p->b])))
			pair_odds_note_pair(&e->odds, p->count, &misfits);
		else
			pair_odds_note_other(&e->odds, p->count, &misfits);
	}
	e->misfits = pairs - misfits.strong + misfits.odd;
	return pair_odds_are_chance(&e->odds, pairs, &misfits);
}

static double score_at(const struct embed *e, const struct graph *shape, const struct placing *b,
		       uint32_t v)
{
	return placing_score(e, shape, b, v, b->at[v]);
}

static void swap(struct placing *b, uint32_t v, uint32_t w)
{
	uint32_t rank = b->at[v];

	b->at[v] = b->at[w];
	b->at[w] = rank;
	b->of[b->at[v]] = v;
	b->of[b->at[w]] = w;
}

/* The rank at v goes where most is gained by it, and that one's comes to v. Returns 1, or 0. */
static int move_away(struct embed *e, const struct graph *shape, struct placing *b, uint32_t v)
{
	double now = score_at(e, shape, b, v);
	double most = GAIN_MIN;
	uint32_t best = v;

	if (now > -SCORE_POOR)
		return 0;
	for (uint32_t w = 0; w < shape->n; w++) {
		double gain = -now - score_at(e, shape, b, w);

		swap(b, v, w);
		gain += score_at(e, shape, b, v) + score_at(e, shape, b, w);
		swap(b, v, w);
		if (w != v && gain > most) {
			most = gain;
			best = w;
		}
	}
	e->budget -= shape->n;
	if (best != v)
		swap(b, v, best);
	return best != v;
}

int placing_mend(struct embed *e, const struct graph *shape, struct placing *b)
{
	int any = 0;
	int better = e->misfits < MISFITS_MAX * shape->at[shape->n] / 2.0;

	for (int round = 0; better && round < ROUNDS; round++) {
		better = 0;
		for (uint32_t v = 0; v < shape->n && e->budget >= 0; v++)
			better |= move_away(e, shape, b, v);
		any |= better;
	}
	return any;
}
