/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ranks in any order are placed in shapes: with gaps and strays, and in no more than its time. */
#include "analyze/patterns/embed.h"

#include "analyze/patterns/shapes.h"

#include "tests/fixtures/suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 2 };

static struct err err;

/* The pairs of a shape, and messages over them. */
struct world {
	struct graph g;
	uint32_t (*edges)[2];
	size_t n_edges;
	uint32_t *rank; /* of each vertex, in any order */
	struct traffic t;
	uint64_t state;
};

static uint32_t draw(struct world *w, uint32_t below)
{
	uint64_t x = w->state += 0x9e3779b97f4a7c15;

	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
	x = (x ^ x >> 27) * 0x94d049bb133111eb;
	return (uint32_t)((x ^ x >> 31) % below);
}

static struct graph graph_of(const struct shape *s, uint32_t (*edges)[2], size_t *n)
{
	struct graph g;

	*n = 0;
	for (uint32_t slot = 0; slot < shape_slots(s); slot++)
		for (uint32_t v = 0; v < s->ranks; v++) {
			uint32_t to = shape_neighbour(s, v, slot);

			if (to == SHAPE_NONE)
				continue;
			edges[*n][0] = v;
			edges[(*n)++][1] = to;
		}
	CU_ASSERT_EQUAL_FATAL(graph_build(&g, s->ranks, *n, (const uint32_t(*)[2])edges, &err), 0);
	return g;
}

static void send(struct world *w, struct delivery **d, uint32_t a, uint32_t b, uint32_t per_cent)
{
	if (draw(w, 100) >= per_cent)
		*(*d)++ = (struct delivery){.src = w->rank[a], .dst = w->rank[b], .bytes = 8};
	if (draw(w, 100) < per_cent)
		*(*d)++ = (struct delivery){.src = w->rank[a], .dst = draw(w, w->g.n), .bytes = 8};
}

/* So many of a hundred messages are missing and as many go anywhere. ways: of each pair, 1 or 2. */
static struct world world_of(const struct shape *s, uint32_t per_cent, uint32_t ways, uint64_t seed)
{
	struct world w = {.state = seed};
	size_t most = (size_t)s->ranks * shape_slots(s);
	struct delivery *d = calloc(4 * ROUNDS * most + 1, sizeof(*d)), *end = d;

	w.edges = calloc(most + 1, sizeof(*w.edges));
	w.rank = calloc(s->ranks, sizeof(*w.rank));
	CU_ASSERT_FATAL(d && w.edges && w.rank);
	w.g = graph_of(s, w.edges, &w.n_edges);
	for (uint32_t v = 0; v < s->ranks; v++) {
		uint32_t other = draw(&w, v + 1);

		w.rank[v] = w.rank[other];
		w.rank[other] = v;
	}
	for (size_t i = 0; i < w.n_edges * ROUNDS; i++) {
		uint32_t a = w.edges[i / ROUNDS][0], b = w.edges[i / ROUNDS][1];

		send(&w, &end, a < b ? a : b, a < b ? b : a, per_cent);
		if (ways > 1)
			send(&w, &end, a < b ? b : a, a < b ? a : b, per_cent);
	}
	CU_ASSERT_EQUAL_FATAL(traffic_build(s->ranks, (size_t)(end - d), d, &w.t, &err), 0);
	free(d);
	return w;
}

static void world_release(struct world *w)
{
	graph_release(&w->g);
	traffic_release(&w->t);
	free(w->edges);
	free(w->rank);
}

/* Are its ranks where they were, but for a symmetry: all neighbours next to each other? */
static int is_right(const struct world *w, const struct graph *shape, const uint32_t *label)
{
	uint32_t *vertex = calloc(w->g.n, sizeof(*vertex));
	int right = vertex != NULL;

	for (uint32_t v = 0; right && v < w->g.n; v++)
		vertex[w->rank[v]] = v;
	for (uint32_t v = 0; right && v < shape->n; v++)
		for (uint32_t i = shape->at[v]; i < shape->at[v + 1]; i++)
			right &= graph_has_edge(&w->g, vertex[label[v]],
						vertex[label[shape->to[i]]]);
	free(vertex);
	return right;
}

/* Looks for shape in the world: 1 found and right, -1 found and not right, 0 not found. */
static int look_for(const struct shape *shape, const struct world *w, uint32_t ways, long *left)
{
	uint32_t *label = calloc(shape->ranks, sizeof(*label));
	uint32_t(*edges)[2] = calloc((size_t)shape->ranks * shape_slots(shape) + 1, sizeof(*edges));
	struct graph g;
	struct embed e;
	size_t n;
	int found;

	CU_ASSERT_FATAL(label && edges);
	g = graph_of(shape, edges, &n);
	CU_ASSERT_EQUAL_FATAL(embed_init(&e, &w->t, (double)ROUNDS * ways, &err), 0);
	e.beam = 64;
	e.is_forward = ways == 1;
	found = embed_find(&e, &g, label, &err);
	if (left)
		*left = e.budget;
	if (found && !is_right(w, &g, label))
		found = -1;
	embed_release(&e);
	graph_release(&g);
	free(edges);
	free(label);
	return found;
}

static struct shape grid(uint32_t rows, uint32_t columns, unsigned periodic)
{
	return (struct shape){.kind = SHAPE_GRID,
			      .ranks = rows * columns,
			      .dimensions = 2,
			      .size = {rows, columns},
			      .periodic = periodic};
}

/* Of how many of so many seeds all ranks are found where they are? */
static int found_of(struct shape s, uint32_t per_cent, uint32_t ways, int seeds)
{
	int n = 0;

	for (int seed = 1; seed <= seeds; seed++) {
		struct world w = world_of(&s, per_cent, ways, 7000 + (uint64_t)seed);
		int found = look_for(&s, &w, ways, NULL);

		n += found > 0;
		world_release(&w);
	}
	printf("\n    %d of %d", n, seeds);
	return n;
}

static void test_embed_finds_shapes_with_gaps_and_strays(void)
{
	CU_ASSERT_EQUAL(found_of(grid(5, 7, 0), 0, 2, 10), 10);
	CU_ASSERT(found_of(grid(5, 7, 0), 10, 2, 20) >= 18);
	CU_ASSERT(found_of(grid(4, 6, 3), 10, 2, 20) >= 18);
	CU_ASSERT(found_of(grid(6, 6, 2), 10, 2, 20) >= 17);
}

/* Ranks of up to 53 neighbours, much like those beside them: single ones change places at last. */
static void test_embed_finds_grids_with_diagonals(void)
{
	struct shape s = {.kind = SHAPE_GRID,
			  .ranks = 54,
			  .dimensions = 4,
			  .size = {2, 3, 3, 3},
			  .diagonals = 1};

	CU_ASSERT(found_of(s, 10, 2, 20) >= 18);
}

/* One message each: a pair of two rounds is missing oftener, and who sends tells the order. */
static void test_embed_finds_sweeps(void)
{
	CU_ASSERT_EQUAL(found_of(grid(5, 6, 0), 0, 1, 10), 10);
	CU_ASSERT(found_of(grid(5, 6, 0), 10, 1, 20) >= 14);
}

/* What differs in a row of pairs is another shape. */
static void test_embed_refuses_what_is_another_shape(void)
{
	struct shape is = grid(5, 7, 0), joined = grid(5, 7, 2), other = grid(4, 9, 0);
	struct shape same_ranks = grid(6, 6, 0);
	int seeds = 10, found = 0;

	for (int seed = 1; seed <= seeds; seed++) {
		struct world w = world_of(&is, 10, 2, 8000 + (uint64_t)seed);
		struct world v = world_of(&other, 10, 2, 9000 + (uint64_t)seed);

		found += look_for(&joined, &w, 2, NULL) != 0;
		found += look_for(&same_ranks, &v, 2, NULL) != 0;
		world_release(&w);
		world_release(&v);
	}
	CU_ASSERT_EQUAL(found, 0);
}

/* It gives up in time, and what it says by then is right. */
static void test_embed_of_a_thousand_ranks_is_bounded(void)
{
	struct shape s = grid(32, 32, 3);
	struct world w = world_of(&s, 10, 2, 1);
	long left = 0;

	CU_ASSERT(look_for(&s, &w, 2, &left) >= 0);
	CU_ASSERT(left > -100000);
	world_release(&w);
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_embed_finds_shapes_with_gaps_and_strays),
		SUITE_CASE(test_embed_finds_grids_with_diagonals),
		SUITE_CASE(test_embed_finds_sweeps),
		SUITE_CASE(test_embed_refuses_what_is_another_shape),
		SUITE_CASE(test_embed_of_a_thousand_ranks_is_bounded),
		CU_TEST_INFO_NULL,
	};

	return suite_run("embed", tests);
}
