/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/topology_routes.h"

#include <math.h>

/*
 * The way of one dimension: how many steps, and downwards or not. Both ways round a ring are as
 * long half way round it: then the one that does not pass its ends.
 */
static size_t steps_between(const struct topology *t, size_t k, size_t from, size_t to, int *down)
{
	size_t up = (to + k - from) % k;

	*down = 0;
	if (t->kind == TOPOLOGY_TORUS_ONE_WAY)
		return up;
	if (t->kind == TOPOLOGY_TORUS) {
		*down = up > k - up || (up == k - up && to < from);
		return *down ? k - up : up;
	}
	*down = to < from;
	return *down ? from - to : to - from;
}

void topology_route_grid(struct topology_walk *w, size_t from, size_t to)
{
	const struct topology *t = w->t;
	size_t stride = w->nodes, at = from;

	for (size_t d = t->dimensions; d-- > 0;) {
		size_t k = t->size[d], x, steps;
		int down;

		stride /= k;
		x = from / stride % k;
		steps = steps_between(t, k, x, to / stride % k, &down);

		w->in_dimension[d] += w->weight * steps;
		for (size_t s = 0; s < steps; s++) {
			size_t next = (x + (down ? k - 1 : 1)) % k;

			topology_cross(w, at * 2 * t->dimensions + 2 * d + down);
			at = at - x * stride + next * stride;
			x = next;
		}
	}
}

/* The up-link is chosen by the destination, so that ways to different hosts part (d mod k). */
void topology_route_fat_tree(struct topology_walk *w, size_t from, size_t to)
{
	size_t leaves = w->t->size[0], hosts = w->t->size[1], spines = w->t->size[2];
	size_t a = from / hosts, b = to / hosts, spine = to % spines;

	topology_cross(w, from);
	if (a != b) {
		topology_cross(w, 2 * w->nodes + a * spines + spine);
		topology_cross(w, 2 * w->nodes + (leaves + b) * spines + spine);
	}
	topology_cross(w, w->nodes + to);
}

static size_t gateway(size_t groups, size_t routers, size_t from, size_t to)
{
	return (to + groups - from - 1) % groups % routers;
}

/* One global link between each two groups, all routers of a group joined: minimal routes. */
void topology_route_dragonfly(struct topology_walk *w, size_t from, size_t to)
{
	size_t groups = w->t->size[0], routers = w->t->size[1], hosts = w->t->size[2];
	size_t r = from / hosts, s = to / hosts; /* routers, counted through */
	size_t g = r / routers, h = s / routers, local = 2 * w->nodes;
	size_t global = local + groups * routers * routers;

	topology_cross(w, from);
	if (g != h) {
		size_t out = g * routers + gateway(groups, routers, g, h);

		if (r != out)
			topology_cross(w, local + r * routers + out % routers);
		topology_cross(w, global + g * groups + h);
		r = h * routers + gateway(groups, routers, h, g);
	}
	if (r != s)
		topology_cross(w, local + r * routers + s % routers);
	topology_cross(w, w->nodes + to);
}
