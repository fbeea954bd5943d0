/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/patterns/pairing.h"

#include <stdlib.h>

double pairing_messages_max(const struct traffic *t)
{
	double sum = 0;

	for (uint32_t r = 0; r < t->ranks; r++) {
		uint32_t most = 0;

		for (uint32_t i = t->row[r]; i < t->row[r + 1]; i++)
			if (t->edges[i].count > most)
				most = t->edges[i].count;
		sum += most;
	}
	return sum;
}

/* Most messages first, then most bytes, then by rank. */
static int compare(uint32_t count_a, uint32_t count_b, double volume_a, double volume_b)
{
	if (count_a != count_b)
		return count_a > count_b ? -1 : 1;
	return volume_a > volume_b ? -1 : volume_a < volume_b;
}

static int by_edge(const void *pa, const void *pb)
{
	const struct edge *a = *(const struct edge *const *)pa;
	const struct edge *b = *(const struct edge *const *)pb;
	int order = compare(a->count, b->count, a->volume, b->volume);

	return order ? order : (a > b) - (a < b);
}

static int by_pair(const void *pa, const void *pb)
{
	const struct pair *a = *(const struct pair *const *)pa;
	const struct pair *b = *(const struct pair *const *)pb;
	int order = compare(a->count, b->count, a->volume, b->volume);

	return order ? order : (a > b) - (a < b);
}

int pairing_one_way(const struct traffic *t, const struct edge **next, struct err *err)
{
	const struct edge **order = calloc((size_t)t->n_edges + 1, sizeof(const struct edge *));
	uint8_t *has_one = calloc((size_t)t->ranks + 1, 1);
	uint32_t n = 0;
	int ret = order && has_one ? 0 : err_set(err, "out of memory for %u ranks", t->ranks);

	for (uint32_t i = 0; !ret && i < t->n_edges; i++)
		if (t->edges[i].count >= TRAFFIC_STRAY * t->typical)
			order[n++] = &t->edges[i];
	if (n)
		qsort(order, n, sizeof(const struct edge *), by_edge);
	for (uint32_t r = 0; !ret && r < t->ranks; r++)
		next[r] = NULL;
	for (uint32_t i = 0; i < n; i++) {
		if (next[order[i]->src] || has_one[order[i]->dst])
			continue;
		next[order[i]->src] = order[i];
		has_one[order[i]->dst] = 1;
	}
	free(has_one);
	free(order);
	return ret;
}

int pairing_mutual(const struct traffic *t, uint32_t *partner, struct err *err)
{
	const struct pair **order = calloc((size_t)t->n_pairs + 1, sizeof(const struct pair *));
	uint32_t n = 0;

	if (!order)
		return err_set(err, "out of memory for %u ranks", t->ranks);
	/* Both edges of two have twice as many. */
	for (uint32_t i = 0; i < t->n_pairs; i++)
		if (t->pairs[i].count >= t->typical)
			order[n++] = &t->pairs[i];
	if (n)
		qsort(order, n, sizeof(const struct pair *), by_pair);
	for (uint32_t r = 0; r < t->ranks; r++)
		partner[r] = TRAFFIC_NONE;
	for (uint32_t i = 0; i < n; i++) {
		const struct pair *p = order[i];

		if (partner[p->a] != TRAFFIC_NONE || partner[p->b] != TRAFFIC_NONE)
			continue;
		partner[p->a] = p->b;
		partner[p->b] = p->a;
	}
	free(order);
	return 0;
}
