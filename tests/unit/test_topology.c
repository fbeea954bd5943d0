/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Distances and loads of networks against closed forms and each other. */
#include "models/topology.h"
#include "tests/fixtures/suite.h"

#include <math.h>
#include <stdlib.h>

static struct topology_use used(const struct topology *t, struct topology_traffic x, double *load)
{
	struct topology_use u = {.hops = -1};
	struct err err = {""};

	CU_ASSERT_EQUAL(topology_use(t, &x, &u, load, &err), 0);
	return u;
}

static const struct topology_traffic others = {.self = 0}, everybody = {.self = 1};

static void test_topology_alewife(void)
{
	struct topology mesh = {TOPOLOGY_MESH, 2, {8, 4}, 0, NULL};
	struct topology_use u = used(&mesh, everybody, NULL);

	CU_ASSERT_DOUBLE_EQUAL(u.hops, 3.875, 1e-12);
	CU_ASSERT_DOUBLE_EQUAL(u.k_d[0], 2.625, 1e-12);
	CU_ASSERT_DOUBLE_EQUAL(u.k_d[1], 1.25, 1e-12);
	CU_ASSERT_DOUBLE_EQUAL(used(&mesh, others, NULL).hops, 4, 1e-12);
	CU_ASSERT_DOUBLE_EQUAL(used(&mesh, others, NULL).mean_k_d, 2, 1e-12);
}

/* LoGPC, sections 3.3 and 4: (k^2 - 1)/(3k) on meshes, (k - 1)/2 one way. */
static void test_topology_closed_forms(void)
{
	for (size_t k = 2; k < 12; k++) {
		struct topology t = {TOPOLOGY_MESH, 3, {k, k, k}, 0, NULL};

		CU_ASSERT_DOUBLE_EQUAL(used(&t, everybody, NULL).mean_k_d, (k * k - 1) / (3.0 * k),
				       1e-9);
		t.kind = TOPOLOGY_TORUS_ONE_WAY;
		CU_ASSERT_DOUBLE_EQUAL(used(&t, everybody, NULL).mean_k_d, (k - 1) / 2.0, 1e-9);
		t.kind = TOPOLOGY_TORUS;
		CU_ASSERT_DOUBLE_EQUAL(used(&t, everybody, NULL).mean_k_d,
				       k % 2 ? (k * k - 1) / (4.0 * k) : k / 4.0, 1e-9);
	}
}

/* Eq. (12): to the next and previous rank; 1.875 is what a 4 x 4 mesh gives. */
static void test_topology_traffic_matrix(void)
{
	struct topology mesh = {TOPOLOGY_MESH, 2, {4, 4}, 0, NULL};
	double w[16 * 16] = {0};
	struct topology_traffic x = {.ranks = 16, .weight = w};
	size_t snake[16];

	for (int i = 0; i < 16; i++) {
		w[i * 16 + (i + 1) % 16] = 0.5;
		w[i * 16 + (i + 15) % 16] = 0.5;
	}
	CU_ASSERT_DOUBLE_EQUAL(used(&mesh, x, NULL).hops, 1.875, 1e-12);
	for (int i = 0; i < 16; i++)
		snake[i] = i / 4 % 2 ? 4 * (i / 4) + 3 - i % 4 : i;
	x.node = snake;
	CU_ASSERT_DOUBLE_EQUAL(used(&mesh, x, NULL).hops, (15 + 3) / 16.0, 1e-12);
}

/* What all links carry is traffic times hops, on every network. */
static void test_topology_loads_add_up(void)
{
	static const size_t ring[6][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 0}};
	const struct topology all[] = {
		{TOPOLOGY_MESH, 2, {8, 4}, 0, NULL},
		{TOPOLOGY_TORUS, 3, {4, 3, 5}, 0, NULL},
		{TOPOLOGY_TORUS_ONE_WAY, 2, {5, 4}, 0, NULL},
		{TOPOLOGY_SWITCH, 1, {9}, 0, NULL},
		{TOPOLOGY_FAT_TREE, 3, {4, 8, 2}, 0, NULL},
		{TOPOLOGY_DRAGONFLY, 3, {9, 4, 2}, 0, NULL},
		{TOPOLOGY_GRAPH, 1, {6}, 6, ring},
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		size_t nodes, links;
		struct topology_use u;
		struct err err;
		double *load, sum = 0, most = 0;

		CU_ASSERT_EQUAL(topology_size(&all[i], &nodes, &links, &err), 0);
		load = calloc(links, sizeof(*load));
		u = used(&all[i], others, load);
		for (size_t l = 0; l < links; l++) {
			sum += load[l];
			most = load[l] > most ? load[l] : most;
		}
		CU_ASSERT_DOUBLE_EQUAL(u.traffic, nodes * (nodes - 1.0), 1e-9);
		CU_ASSERT_DOUBLE_EQUAL(sum, u.traffic * u.hops, 1e-6);
		CU_ASSERT_EQUAL(most, u.busiest);
		CU_ASSERT_EQUAL(load[u.busiest_link], most);
		free(load);
	}
}

static void test_topology_switched(void)
{
	struct topology flat = {TOPOLOGY_SWITCH, 1, {8}, 0, NULL};
	struct topology tree = {TOPOLOGY_FAT_TREE, 3, {4, 8, 8}, 0, NULL};
	struct topology fly = {TOPOLOGY_DRAGONFLY, 3, {9, 4, 2}, 0, NULL};
	struct topology_use u = used(&flat, others, NULL);

	CU_ASSERT_EQUAL(u.hops, 2);
	CU_ASSERT_EQUAL(u.busiest, 7);
	/* 8 x 24 pairs cross from a leaf over 8 up-links, as many as hosts; then over 2. */
	CU_ASSERT_DOUBLE_EQUAL(used(&tree, others, NULL).busiest, 31, 1e-9);
	tree.size[2] = 2;
	CU_ASSERT_DOUBLE_EQUAL(used(&tree, others, NULL).busiest, 96, 1e-9);
	u = used(&fly, others, NULL);
	CU_ASSERT(u.hops > 2 && u.hops < 5);
}

static void test_topology_graph_is_the_mesh(void)
{
	size_t edge[5 * 4 + 6 * 3 + 2][2], n = 0;
	struct topology mesh = {TOPOLOGY_MESH, 2, {5, 4}, 0, NULL}, graph = mesh;

	for (size_t v = 0; v < 20; v++) {
		if (v % 5 != 4) {
			edge[n][0] = v;
			edge[n++][1] = v + 1;
		}
		if (v / 5 != 3) {
			edge[n][0] = v;
			edge[n++][1] = v + 5;
		}
	}
	graph = (struct topology){TOPOLOGY_GRAPH, 1, {20}, n, (const size_t(*)[2])edge};
	CU_ASSERT_DOUBLE_EQUAL(used(&mesh, others, NULL).hops, used(&graph, others, NULL).hops,
			       1e-12);
}

static void test_topology_refuses_nonsense(void)
{
	static const size_t edge[2][2] = {{0, 1}, {2, 3}}, off[1][2] = {{0, 9}};
	const struct topology wrong[] = {
		{TOPOLOGY_MESH, 0, {0}, 0, NULL},
		{TOPOLOGY_MESH, 2, {4, 0}, 0, NULL},
		{TOPOLOGY_MESH, 9, {2}, 0, NULL},
		{TOPOLOGY_FAT_TREE, 2, {2, 2}, 0, NULL},
		{TOPOLOGY_GRAPH, 1, {4}, 2, edge},
		{TOPOLOGY_GRAPH, 1, {4}, 1, off},
		{TOPOLOGY_MESH, 3, {1 << 20, 1 << 20, 1 << 20}, 0, NULL},
		{TOPOLOGY_MESH, 1, {1}, 0, NULL}, /* nobody to send to */
	};
	struct topology mesh = {TOPOLOGY_MESH, 1, {2}, 0, NULL};
	const size_t node[2] = {0, 2};
	const double negative[4] = {0, -1, 1, 0};
	struct topology_traffic far = {.ranks = 2, .node = node};
	struct topology_traffic bad = {.ranks = 2, .weight = negative};
	struct topology_use u = {.hops = 7};
	struct err err;

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		CU_ASSERT_EQUAL(topology_use(&wrong[i], &others, &u, NULL, &err), -1);
	CU_ASSERT_EQUAL(topology_use(&mesh, &far, &u, NULL, &err), -1);
	CU_ASSERT_EQUAL(topology_use(&mesh, &bad, &u, NULL, &err), -1);
	CU_ASSERT_EQUAL(u.hops, 7);
}

/* The ways of all pairs are what the links carry; and on a grid the last dimension comes first. */
static void test_topology_ways(void)
{
	const struct topology all[] = {
		{TOPOLOGY_MESH, 2, {8, 4}, 0, NULL},
		{TOPOLOGY_TORUS, 3, {4, 3, 5}, 0, NULL},
		{TOPOLOGY_FAT_TREE, 3, {4, 8, 2}, 0, NULL},
		{TOPOLOGY_DRAGONFLY, 3, {9, 4, 2}, 0, NULL},
	};
	size_t nodes, links, way[32], n;
	struct err err;

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		double *load, off = 0;

		CU_ASSERT_FATAL(!topology_size(&all[i], &nodes, &links, &err));
		load = calloc(links, sizeof(*load));
		CU_ASSERT_FATAL(load != NULL);
		used(&all[i], others, load);
		for (size_t from = 0; from < nodes; from++)
			for (size_t to = 0; to < nodes; to++)
				for (n = topology_way(&all[i], from, to, 32, way); n > 0; n--)
					load[way[n - 1]]--;
		for (size_t l = 0; l < links; l++)
			off += fabs(load[l]);
		CU_ASSERT_EQUAL(off, 0);
		free(load);
	}
	/*
	 * from (0, 0) to (2, 1): up in dimension 1, then twice in dimension 0, from the second row
	 * on
	 */
	CU_ASSERT_EQUAL(topology_way(&all[0], 0, 10, 32, way), 3);
	CU_ASSERT(way[0] == 2 && way[1] == 8 * 4 && way[2] == 9 * 4);
	CU_ASSERT_EQUAL(topology_way(&all[0], 0, 10, 1, way), 3);
	CU_ASSERT_EQUAL(topology_way(&all[0], 5, 5, 32, way), 0);
}

/* Half way round a ring there are two ways: down to a lower number, up to a higher one. */
static void test_topology_ties_of_a_torus(void)
{
	struct topology ring = {TOPOLOGY_TORUS, 1, {4}, 0, NULL};
	size_t way[4];

	CU_ASSERT_EQUAL(topology_way(&ring, 2, 0, 4, way), 2);
	CU_ASSERT(way[0] == 2 * 2 + 1 && way[1] == 2 * 1 + 1);
	CU_ASSERT_EQUAL(topology_way(&ring, 0, 2, 4, way), 2);
	CU_ASSERT(way[0] == 2 * 0 && way[1] == 2 * 1);
	CU_ASSERT_EQUAL(topology_way(&ring, 3, 0, 4, way), 1); /* the ends are neighbours */
	CU_ASSERT_EQUAL(way[0], 2 * 3);
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_topology_alewife),
		SUITE_CASE(test_topology_closed_forms),
		SUITE_CASE(test_topology_traffic_matrix),
		SUITE_CASE(test_topology_loads_add_up),
		SUITE_CASE(test_topology_ways),
		SUITE_CASE(test_topology_ties_of_a_torus),
		SUITE_CASE(test_topology_switched),
		SUITE_CASE(test_topology_graph_is_the_mesh),
		SUITE_CASE(test_topology_refuses_nonsense),
		CU_TEST_INFO_NULL,
	};

	return suite_run("topology", tests);
}
