/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Graphs, and the numbers of their vertices: exact, and bounded where there are none. */
#include "analyze/patterns/relabel.h"

#include "tests/fixtures/suite.h"

#include <stdlib.h>

enum { SIDE = 32, N = SIDE * SIDE };

static struct err err;

/* A torus whose columns are shifted where they are joined, its vertices numbered anyhow. */
static struct graph torus(uint32_t shift, uint32_t factor)
{
	static uint32_t edges[2 * N][2];
	struct graph g;
	size_t n = 0;

	for (uint32_t v = 0; v < N; v++) {
		uint32_t row = v / SIDE, column = v % SIDE;
		uint32_t right = row * SIDE + (column + 1) % SIDE;
		uint32_t below = row + 1 < SIDE ? v + SIDE : (column + shift) % SIDE;

		edges[n][0] = v * factor % N;
		edges[n++][1] = right * factor % N;
		edges[n][0] = v * factor % N;
		edges[n++][1] = below * factor % N;
	}
	CU_ASSERT_EQUAL_FATAL(graph_build(&g, N, n, (const uint32_t(*)[2])edges, &err), 0);
	return g;
}

static int is_label(const struct graph *shape, const struct graph *g, const uint32_t *label)
{
	for (uint32_t v = 0; v < shape->n; v++)
		for (uint32_t i = shape->at[v]; i < shape->at[v + 1]; i++)
			if (!graph_has_edge(g, label[v], label[shape->to[i]]))
				return 0;
	return 1;
}

static void test_relabel_finds_a_torus(void)
{
	static uint32_t label[N];
	struct graph shape = torus(0, 1), g = torus(0, 421);
	long budget = RELABEL_BUDGET;

	CU_ASSERT_EQUAL(relabel(&shape, &g, label, &budget, &err), 1);
	CU_ASSERT(is_label(&shape, &g, label));
	CU_ASSERT(budget > RELABEL_BUDGET / 2);
	graph_release(&shape);
	graph_release(&g);
}

/* All vertices look alike, and none is right: it would try each. */
static void test_relabel_gives_a_twisted_torus_up(void)
{
	static uint32_t label[N];
	struct graph shape = torus(0, 1), g = torus(15, 421);
	long budget = 200000;

	CU_ASSERT_EQUAL(relabel(&shape, &g, label, &budget, &err), 0);
	CU_ASSERT(budget >= -N && budget < 0);
	/* Then for other shapes, too. */
	CU_ASSERT_EQUAL(relabel(&g, &g, label, &budget, &err), 0);
	graph_release(&shape);
	graph_release(&g);
}

/* Each vertex once, and next to one before; of two parts one after the other. */
static void test_graph_order_is_near_those_before(void)
{
	static const uint32_t edges[][2] = {{0, 5}, {5, 2}, {2, 0}, {2, 4}, {1, 3}};
	static uint32_t order[N];
	struct graph g = torus(0, 421), parts;
	uint8_t placed[N] = {0};
	int near = 0;

	CU_ASSERT_EQUAL_FATAL(graph_order(&g, order, &err), 0);
	for (uint32_t k = 0; k < N; k++) {
		int beside = 0;

		CU_ASSERT(!placed[order[k]]);
		placed[order[k]] = 1;
		for (uint32_t i = g.at[order[k]]; i < g.at[order[k] + 1]; i++)
			beside |= placed[g.to[i]];
		near += beside;
	}
	CU_ASSERT_EQUAL(near, N - 1);
	graph_release(&g);
	CU_ASSERT_EQUAL_FATAL(graph_build(&parts, 6, 5, edges, &err), 0);
	CU_ASSERT_EQUAL_FATAL(graph_order(&parts, order, &err), 0);
	/* 2 has had a neighbour as long as 5; with 5 in order it has two. */
	CU_ASSERT_EQUAL(order[0], 0);
	CU_ASSERT_EQUAL(order[1] + order[2], 7);
	CU_ASSERT_EQUAL(order[3], 4);
	CU_ASSERT_EQUAL(order[4], 1);
	CU_ASSERT_EQUAL(order[5], 3);
	graph_release(&parts);
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_relabel_finds_a_torus),
		SUITE_CASE(test_relabel_gives_a_twisted_torus_up),
		SUITE_CASE(test_graph_order_is_near_those_before),
		CU_TEST_INFO_NULL,
	};

	return suite_run("relabel", tests);
}
