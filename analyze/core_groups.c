/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/core_groups.h"

#include <stdlib.h>

struct core_group *core_groups_add(struct core_groups *all, const struct core_group *one,
				   uint32_t ranks)
{
	uint32_t *room = calloc(ranks + 1u, sizeof(*room));
	struct core_group *g = NULL;

	if (room)
		g = realloc(all->g, (all->n + 1) * sizeof(*g));
	if (!g) {
		free(room);
		return NULL;
	}
	all->g = g;
	g[all->n] = *one;
	g[all->n].ranks = room;
	return &g[all->n++];
}

static int by_number(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

const struct core_group *core_groups_of(const struct core_groups *all, uint32_t rank)
{
	const struct core_group *own = NULL, *g;

	for (g = all->g; g < all->g + all->n; g++)
		if (bsearch(&rank, g->ranks, g->n, sizeof(rank), by_number) &&
		    (!own || core_group_crowd(g) > core_group_crowd(own)))
			own = g;
	return own;
}

const struct core_group *core_groups_worst(const struct core_groups *all)
{
	const struct core_group *worst = NULL, *g;

	for (g = all->g; g < all->g + all->n; g++) {
		double crowd = core_group_crowd(g), most = worst ? core_group_crowd(worst) : 1;

		if (crowd > most || (worst && crowd == most && g->n > worst->n))
			worst = g;
	}
	return worst;
}

void core_groups_release(struct core_groups *all)
{
	for (uint32_t k = 0; k < all->n; k++) {
		free(all->g[k].ranks);
		free(all->g[k].which);
	}
	free(all->g);
	*all = (struct core_groups){0};
}
