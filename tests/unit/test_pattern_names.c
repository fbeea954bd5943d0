/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The names of single patterns, those above all that are easily taken for each other. */
#include "tests/fixtures/script.h"

#include "tests/fixtures/suite.h"

#include <string.h>

static void to_transposed(struct script *s, uint32_t rows, uint32_t columns)
{
	for (uint32_t r = 0; r < s->ranks; r++)
		script_send(s, r, r % columns * rows + r / columns, 0, SCRIPT_BYTES);
}

static void test_pattern_of_a_transpose_that_is_no_square(void)
{
	CU_ASSERT(script_is_named("transpose 4x4", 16, to_transposed, 4, 4));
	CU_ASSERT(script_is_named("transpose 3x4", 12, to_transposed, 3, 4));
	CU_ASSERT(script_is_named("transpose 4x3", 12, to_transposed, 4, 3));
	CU_ASSERT(script_is_named("transpose 2x8", 16, to_transposed, 2, 8));
	CU_ASSERT(script_is_named("transpose 16x32", 512, to_transposed, 16, 32));
}

/* There and back over a distance; a little more goes back. */
static void there_and_back(struct script *s, uint32_t distance, uint32_t unused)
{
	(void)unused;
	for (uint32_t p = 0; p < s->ranks; p++) {
		script_send(s, p, (p + distance) % s->ranks, 0, SCRIPT_BYTES);
		script_send(s, p, (p + s->ranks - distance) % s->ranks, 0, SCRIPT_BYTES + 100);
	}
}

static void test_pattern_of_a_shift_and_back_has_the_shorter_distance(void)
{
	CU_ASSERT(script_is_named("shift(5) and back", 64, there_and_back, 5, 0));
	CU_ASSERT(script_is_named("shift(5) and back", 64, there_and_back, 59, 0));
}

/* Of 101 ranks the cubes are all. */
static uint32_t cube_of(uint32_t i)
{
	return i * i * i % 101;
}

/* A path in no order, some of whose messages are also sent on to another rank. */
static void path_with_strays(struct script *s, uint32_t every, uint32_t unused)
{
	(void)unused;
	for (uint32_t i = 0; i + 1 < s->ranks; i++) {
		script_send(s, cube_of(i), cube_of(i + 1), i, SCRIPT_BYTES);
		if (i % every == 3 && i < 60)
			script_send(s, cube_of(i), cube_of(i + 30), i, SCRIPT_BYTES);
	}
}

/* Few of its ranks are leaves, and nobody's messages come round to him. */
static void test_pattern_of_a_path_is_no_tree_and_no_permutation(void)
{
	struct pattern p = script_pattern(101, path_with_strays, 16, 0);

	CU_ASSERT(!strstr(p.best.name, "tree"));
	CU_ASSERT(!strstr(p.best.name, "permutation"));
}

/* To all neighbours in rows and columns; what: how the edges and the corners are. */
enum { JOIN_ROWS = 1, JOIN_COLUMNS = 2, CORNERS = 4, THIN_ROWS = 8 };

static void grid_of(struct script *s, uint32_t columns, uint32_t what)
{
	uint32_t rows = s->ranks / columns;

	for (uint32_t p = 0; p < s->ranks; p++)
		for (uint32_t k = 0; k < 9; k++) {
			uint32_t row = p / columns + k / 3, column = p % columns + k % 3;
			int corner = k / 3 != 1 && k % 3 != 1;

			if (k == 4 || (corner && !(what & CORNERS)))
				continue;
			if (!(what & JOIN_ROWS) && (column < 1 || column > columns))
				continue;
			if (!(what & JOIN_COLUMNS) && (row < 1 || row > rows))
				continue;
			script_send(s, p,
				    (row + rows - 1) % rows * columns +
					    (column + columns - 1) % columns,
				    0,
				    corner || (what & THIN_ROWS && k / 3 == 1) ? 8 : SCRIPT_BYTES);
		}
}

/* Few of a large grid's pairs are over joined ends, and those decide. */
static void test_pattern_of_large_grids_tells_joined_ends(void)
{
	struct pattern p;

	CU_ASSERT(script_is_named("2-D grid 2x100", 200, grid_of, 100, 0));
	CU_ASSERT(script_is_named("2-D cylinder 2x100o", 200, grid_of, 100, JOIN_ROWS));
	CU_ASSERT(script_is_named("2-D grid 16x32", 512, grid_of, 32, 0));
	CU_ASSERT(script_is_named("2-D cylinder 16ox32", 512, grid_of, 32, JOIN_COLUMNS));
	CU_ASSERT(script_is_named("2-D cylinder 16x32o", 512, grid_of, 32, JOIN_ROWS));
	CU_ASSERT(script_is_named("2-D torus 16x32", 512, grid_of, 32, JOIN_ROWS | JOIN_COLUMNS));
	p = script_pattern(512, grid_of, 32, 0);
	CU_ASSERT(!script_is_also(&p, "2-D cylinder 16x32o"));
}

/* Over both ends of a dimension of two a rank has the same neighbour, and sends to it twice. */
static void test_pattern_of_a_torus_two_wide_tells_joined_ends(void)
{
	enum { ALL = JOIN_ROWS | JOIN_COLUMNS };
	struct pattern p = script_pattern(16, grid_of, 8, ALL);

	CU_ASSERT_STRING_EQUAL(p.best.name, "2-D torus 2x8");
	CU_ASSERT(script_is_also(&p, "2-D cylinder 2x8o"));
	CU_ASSERT(pattern_is_confident(&p));
	p = script_pattern(16, grid_of, 8, JOIN_ROWS);
	CU_ASSERT_STRING_EQUAL(p.best.name, "2-D cylinder 2x8o");
	CU_ASSERT(script_is_also(&p, "2-D torus 2x8"));
	CU_ASSERT(pattern_is_confident(&p));
	CU_ASSERT(script_is_named("2-D grid 2x8", 16, grid_of, 8, 0));
	CU_ASSERT(script_is_named("2-D torus 8x2", 16, grid_of, 2, ALL));
	CU_ASSERT(script_is_named("2-D torus 2x8 with diagonals", 16, grid_of, 8, ALL | CORNERS));
	CU_ASSERT(script_is_named("2-D cylinder 2x8o with diagonals", 16, grid_of, 8,
				  JOIN_ROWS | CORNERS));
}

/* Along all ranks and, a row further, across them; what: are their ends joined? */
static void wind(struct script *s, uint32_t columns, uint32_t what)
{
	for (uint32_t p = 0; p < s->ranks; p++) {
		uint32_t right = p + 1, down = p + columns;

		if (what & JOIN_ROWS || right < s->ranks) {
			script_send(s, p, right % s->ranks, 0, SCRIPT_BYTES);
			script_send(s, right % s->ranks, p, 0, SCRIPT_BYTES);
		}
		if (what & JOIN_COLUMNS || down < s->ranks) {
			script_send(s, p, down % s->ranks, 0, SCRIPT_BYTES);
			script_send(s, down % s->ranks, p, 0, SCRIPT_BYTES);
		}
	}
}

/* The end of a row is next to the beginning of the next one: in no grid and no cylinder. */
static void test_pattern_of_rows_that_go_on_is_no_cylinder(void)
{
	enum { ALL = JOIN_ROWS | JOIN_COLUMNS };
	struct pattern p = script_pattern(32, wind, 8, 0);

	CU_ASSERT(!p.best.regular);
	p = script_pattern(32, wind, 8, JOIN_COLUMNS);
	CU_ASSERT(!p.best.regular || !strcmp(p.best.name, "2-D helical torus 4x8"));
	CU_ASSERT(script_is_named("2-D helical torus 4x8", 32, wind, 8, ALL));
	CU_ASSERT(script_is_named("2-D helical torus 16x16", 256, wind, 16, ALL));
	CU_ASSERT(script_is_named("2-D helical torus 2x8", 16, wind, 8, ALL));
}

/* What an edge or a corner carries is no matter. */
static void test_pattern_of_grids_is_not_only_that_of_large_messages(void)
{
	CU_ASSERT(script_is_named("2-D grid 4x8 with diagonals", 32, grid_of, 8, CORNERS));
	CU_ASSERT(script_is_named("2-D torus 4x8 with diagonals", 32, grid_of, 8,
				  JOIN_ROWS | JOIN_COLUMNS | CORNERS));
	CU_ASSERT(script_is_named("2-D cylinder 4x8o", 32, grid_of, 8, JOIN_ROWS | THIN_ROWS));
	CU_ASSERT(script_is_named("2-D grid 4x8", 32, grid_of, 8, THIN_ROWS));
}

/* In the first rounds the first few do not send along their columns. */
static void ragged_cylinder(struct script *s, uint32_t rounds, uint32_t few)
{
	for (uint32_t p = 0; p < s->ranks; p++) {
		script_send(s, p, p ^ 1, 0, SCRIPT_BYTES);
		for (uint32_t k = 0; k < 2; k++)
			if (s->round >= rounds || 2 * p + k >= few)
				script_send(s, p, (p + 2 * k + 2) % s->ranks, k + 1, SCRIPT_BYTES);
	}
}

/* All-to-all of three is a ring, a ring of four is two by two. */
static void test_pattern_of_small_rings_tells_what_else_they_are(void)
{
	struct pattern p = script_pattern(6, ragged_cylinder, 2, 3);

	CU_ASSERT_STRING_EQUAL(p.best.name, "2-D cylinder 3ox2");
	CU_ASSERT(script_is_also(&p, "all-to-all in rows and columns 3x2"));
	p = script_pattern(20, grid_of, 5, JOIN_ROWS | JOIN_COLUMNS);
	CU_ASSERT_STRING_EQUAL(p.best.name, "2-D torus 4x5");
	CU_ASSERT(script_is_also(&p, "3-D cylinder 2x2x5o"));
	p = script_pattern(20, grid_of, 5, 0);
	CU_ASSERT_EQUAL(p.n_equivalent, 0);
}

/* Two blocks of ranks, everybody with everybody, and a rank of each with one of the other. */
static void bridged(struct script *s, uint32_t size, uint32_t unused)
{
	(void)unused;
	for (uint32_t p = 0; p < s->ranks; p++)
		for (uint32_t k = 1; k < size; k++)
			script_send(s, p, p / size * size + (p + k) % size, k, SCRIPT_BYTES);
	script_send(s, 0, size, size, SCRIPT_BYTES);
	script_send(s, size, 0, size, SCRIPT_BYTES);
}

/* The columns are hardly there, however many the rows have. */
static void test_pattern_of_two_groups_is_not_that_of_two_rows(void)
{
	struct pattern p = script_pattern(80, bridged, 40, 0);

	CU_ASSERT(!strstr(p.best.name, "rows and columns"));
}

/* Away from a corner, and each after it has received. */
static void sweep_of(struct script *s, uint32_t rows, uint32_t columns)
{
	uint32_t planes = s->ranks / rows / columns;

	for (uint32_t p = 0; p < s->ranks; p++) {
		uint32_t z = p / columns / rows, y = p / columns % rows, x = p % columns;

		if (x + 1 < columns)
			script_send(s, p, p + 1, x + y + z, SCRIPT_BYTES);
		if (y + 1 < rows)
			script_send(s, p, p + columns, x + y + z, SCRIPT_BYTES);
		if (z + 1 < planes)
			script_send(s, p, p + columns * rows, x + y + z, SCRIPT_BYTES);
	}
}

/* A hypercube's ranks send to each other. */
static void test_pattern_of_sweeps_goes_one_way(void)
{
	struct pattern p;

	CU_ASSERT(script_is_named("3-D sweep 2x2x2", 8, sweep_of, 2, 2));
	p = script_pattern(8, sweep_of, 2, 2);
	CU_ASSERT(!script_is_also(&p, "hypercube 8"));
	CU_ASSERT(script_is_named("2-D sweep 4x4", 16, sweep_of, 4, 4));
}

/* Chunks are most of the bytes; their requests are half of the messages. */
static void serve(struct script *s, uint32_t unused1, uint32_t unused2)
{
	(void)unused1;
	(void)unused2;
	for (uint32_t p = 1; p < s->ranks; p++) {
		if (p == 2 && s->round % 4 == 0)
			continue;
		script_send(s, p, 0, 2 * p, 8);
		script_send(s, 0, p, 2 * p + 1, 1000000);
	}
	/* An answer that nobody asked for. */
	script_send(s, 0, 1 + s->round % (s->ranks - 1), 40, 1000000);
}

static void test_pattern_of_servers_with_few_clients(void)
{
	for (uint32_t ranks = 4; ranks < 12; ranks++)
		CU_ASSERT(script_is_named("client-server, 1 server", ranks, serve, 0, 0));
}

/* As a torus of two by two by two does it: to each neighbour twice, a dimension after the other. */
static void twice_each(struct script *s, uint32_t times, uint32_t unused)
{
	(void)unused;
	for (uint32_t k = 0; k < 3; k++)
		for (uint32_t p = 0; p < s->ranks; p++)
			for (uint32_t i = 0; i < times; i++)
				script_send(s, p, p ^ 1u << k, 2 * k + i, SCRIPT_BYTES);
}

static void test_pattern_of_recursive_doubling_sends_once(void)
{
	struct pattern p = script_pattern(8, twice_each, 2, 0);

	CU_ASSERT(script_is_named("3-D grid 2x2x2", 8, twice_each, 2, 0));
	CU_ASSERT(script_is_also(&p, "hypercube 8"));
	CU_ASSERT(!script_is_also(&p, "butterfly 8 (recursive doubling)"));
	CU_ASSERT(script_is_named("butterfly 8 (recursive doubling)", 8, twice_each, 1, 0));
}

/* To those at most so far away, as often as each is from another. */
static void band_of(struct script *s, uint32_t width, uint32_t unused)
{
	(void)unused;
	for (uint32_t p = 0; p < s->ranks; p++)
		for (uint32_t k = 1; k <= width; k++) {
			script_send(s, p, (p + k) % s->ranks, k, SCRIPT_BYTES);
			script_send(s, p, (p + s->ranks - k) % s->ranks, k, SCRIPT_BYTES);
		}
}

/* Half of all pairs, always the same: random destinations would be more. */
static void test_pattern_of_the_same_half_is_not_to_any(void)
{
	CU_ASSERT(script_is_named("irregular, same neighbours each time", 12, band_of, 3, 0));
}

enum { ONWARD, BACKWARD, XOR, ASCENDING, DESCENDING };

/* To all others, in one of the orders above. */
static void to_all(struct script *s, uint32_t order, uint32_t unused)
{
	uint32_t n = s->ranks;

	(void)unused;
	for (uint32_t p = 0; p < n; p++)
		for (uint32_t k = 0; k < n; k++) {
			uint32_t to = order == ONWARD      ? (p + k) % n
				      : order == BACKWARD  ? (p + n - k) % n
				      : order == XOR       ? p ^ k
				      : order == ASCENDING ? k
							   : n - 1 - k;

			if (to != p)
				script_send(s, p, to, k, SCRIPT_BYTES);
		}
}

/* A stage of recursive doubling, or of a total exchange: all wait before the next begins. */
static void stage_of(struct script *s, uint32_t doubling, uint32_t unused)
{
	uint32_t n = s->ranks;

	(void)unused;
	for (uint32_t p = 0; p < n; p++)
		script_send(s, p,
			    doubling ? p ^ 1u << s->round % 3 : (p + 1 + s->round % (n - 1)) % n, 0,
			    SCRIPT_BYTES);
}

static void test_pattern_of_stages_that_waits_end_has_their_order(void)
{
	CU_ASSERT(script_is_named("butterfly 8 (recursive doubling)", 8, stage_of, 1, 0));
	CU_ASSERT(script_is_named("total exchange, shift rounds", 5, stage_of, 0, 0));
}

/* A list that goes up looks shifted to each of a few ranks, though not to all alike. */
static void test_pattern_of_total_exchanges_of_few_ranks_has_their_order(void)
{
	for (uint32_t ranks = 4; ranks < 12; ranks++) {
		CU_ASSERT(
			script_is_named("total exchange, shift rounds", ranks, to_all, ONWARD, 0));
		CU_ASSERT(script_is_named("total exchange, shift rounds", ranks, to_all, BACKWARD,
					  0));
		CU_ASSERT(script_is_named("total exchange, ascending order", ranks, to_all,
					  ASCENDING, 0));
		CU_ASSERT(script_is_named("total exchange, descending order", ranks, to_all,
					  DESCENDING, 0));
	}
	CU_ASSERT(script_is_named("total exchange, xor rounds", 4, to_all, XOR, 0));
	CU_ASSERT(script_is_named("total exchange, xor rounds", 8, to_all, XOR, 0));
}

static void test_pattern_of_a_shift_tells_that_it_is_a_ring(void)
{
	struct pattern p = script_pattern(26, there_and_back, 5, 0);

	CU_ASSERT(script_is_also(&p, "ring"));
	p = script_pattern(25, there_and_back, 5, 0);
	CU_ASSERT(!script_is_also(&p, "ring"));
}

int main(void)
{
	CU_TestInfo tests[] = {
		SUITE_CASE(test_pattern_of_a_transpose_that_is_no_square),
		SUITE_CASE(test_pattern_of_a_shift_and_back_has_the_shorter_distance),
		SUITE_CASE(test_pattern_of_a_path_is_no_tree_and_no_permutation),
		SUITE_CASE(test_pattern_of_large_grids_tells_joined_ends),
		SUITE_CASE(test_pattern_of_a_torus_two_wide_tells_joined_ends),
		SUITE_CASE(test_pattern_of_rows_that_go_on_is_no_cylinder),
		SUITE_CASE(test_pattern_of_grids_is_not_only_that_of_large_messages),
		SUITE_CASE(test_pattern_of_small_rings_tells_what_else_they_are),
		SUITE_CASE(test_pattern_of_two_groups_is_not_that_of_two_rows),
		SUITE_CASE(test_pattern_of_sweeps_goes_one_way),
		SUITE_CASE(test_pattern_of_servers_with_few_clients),
		SUITE_CASE(test_pattern_of_recursive_doubling_sends_once),
		SUITE_CASE(test_pattern_of_the_same_half_is_not_to_any),
		SUITE_CASE(test_pattern_of_total_exchanges_of_few_ranks_has_their_order),
		SUITE_CASE(test_pattern_of_stages_that_waits_end_has_their_order),
		SUITE_CASE(test_pattern_of_a_shift_tells_that_it_is_a_ring),
		CU_TEST_INFO_NULL,
	};

	return suite_run("pattern_names", tests);
}
