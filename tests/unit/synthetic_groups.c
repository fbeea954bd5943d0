/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pipelines, exchanges, trees, servers, and what has no form. */
#include "tests/unit/synthetic_maker.h"

#include <math.h>
#include <stdio.h>

void make_pipeline(struct maker *m)
{
	uint32_t p;

	maker_ranks(m, CHOOSE(m, any_size));
	maker_truth(m, "1-D sweep (pipeline)", "", "");
	EACH_ROUND(m)
	for (p = 0; p + 1 < m->P; p++)
		maker_send(m, p, p + 1, p, 3000);
}

/* Every order of the same exchange. */
static void make_exchange(struct maker *m, int kind)
{
	static const char *const names[] = {"total exchange, shift rounds",
					    "total exchange, xor rounds",
					    "total exchange, ascending order"};
	uint32_t p, k;

	maker_ranks(m, CHOOSE(m, powers));
	maker_truth(m, m->noise->permuted ? "total exchange" : names[kind], "", "");
	EACH_ROUND(m)
	for (p = 0; p < m->P; p++)
		for (k = 1; k < m->P; k++) {
			uint32_t q = kind == 0   ? (p + k) % m->P
				     : kind == 1 ? p ^ k
						 : (k - 1 < p ? k - 1 : k);

			maker_send(m, p, q, k, 2000);
		}
}

void make_shifted(struct maker *m)
{
	make_exchange(m, 0);
}
void make_xored(struct maker *m)
{
	make_exchange(m, 1);
}
void make_ascending(struct maker *m)
{
	make_exchange(m, 2);
}

void make_groups(struct maker *m)
{
	uint32_t n = 3 + maker_draw(m, 4), size = 4 + maker_draw(m, 5), p, k;
	char name[64];

	maker_ranks(m, n * size);
	snprintf(name, sizeof(name), "total exchange in %u groups of %u", n, size);
	maker_truth(m, name, "", "");
	EACH_ROUND(m)
	for (p = 0; p < m->P; p++)
		for (k = 1; k < size; k++)
			maker_send(m, p, p / size * size + (p + k) % size, k, 2000);
}

/* Everybody with everybody of the row, then of the column. */
void make_rows_and_columns(struct maker *m)
{
	uint32_t rows = 3 + maker_draw(m, 3), columns = rows + maker_draw(m, 4), p, k;
	char name[64];

	maker_ranks(m, rows * columns);
	snprintf(name, sizeof(name), "all-to-all in rows and columns %ux%u", rows, columns);
	/* Three by three joined at the ends is the same. */
	maker_truth(m, name, columns == 3 ? "2-D torus 3x3" : "", "");
	EACH_ROUND(m)
	for (p = 0; p < m->P; p++) {
		for (k = 1; k < columns; k++)
			maker_send(m, p, p / columns * columns + (p % columns + k) % columns, k,
				   2000);
		for (k = 1; k < rows; k++)
			maker_send(m, p, (p + k * columns) % m->P, columns + k, 2000);
	}
}

void make_transpose(struct maker *m)
{
	static const uint32_t squares[] = {16, 25, 36, 64};
	uint32_t p, q;
	char name[32];

	maker_ranks(m, CHOOSE(m, squares));
	q = (uint32_t)lround(sqrt(m->P));
	snprintf(name, sizeof(name), "transpose %ux%u", q, q);
	maker_truth(m, m->noise->permuted ? "pairwise" : name,
		    m->noise->permuted ? "permutation" : "", "");
	EACH_ROUND(m)
	for (p = 0; p < m->P; p++)
		maker_send(m, p, p % q * q + p / q, 0, 5000);
}

static void make_cube(struct maker *m, int staged)
{
	uint32_t p, k;

	maker_ranks(m, CHOOSE(m, powers));
	maker_truth(m, staged ? "butterfly" : "hypercube", "", "");
	/* All dimensions at once is what a torus of fours is too. */
	if (!staged)
		maker_truth(m, "hypercube", "2-D torus 4x4", "3-D torus 4x4x4");
	EACH_ROUND(m)
	for (k = 0; 1u << k < m->P; k++)
		for (p = 0; p < m->P; p++)
			maker_send(m, p, p ^ 1u << k, staged ? k : 0.01 * k, 4000);
}

void make_butterfly(struct maker *m)
{
	make_cube(m, 1);
}
void make_hypercube(struct maker *m)
{
	make_cube(m, 0);
}

/* arity 0: a binomial one */
static void make_tree(struct maker *m, uint32_t arity, int reduce)
{
	uint32_t p, k;
	char name[64];

	if (arity == 0)
		maker_ranks(m, CHOOSE(m, powers));
	else
		maker_ranks(m, CHOOSE(m, any_size));
	if (arity == 0)
		snprintf(name, sizeof(name), "binomial %s tree", reduce ? "reduce" : "broadcast");
	else
		snprintf(name, sizeof(name), "%u-ary %s tree", arity,
			 reduce ? "reduce" : "broadcast");
	maker_truth(m, name, reduce ? "reduce tree" : "broadcast tree", "");
	EACH_ROUND(m)
	for (p = 0; p < m->P; p++) {
		double depth = arity ? log(p * (arity - 1) + 1) / log(arity) : 0;

		if (arity == 0) {
			for (k = 0; 1u << k < m->P; k++)
				if (1u << k > p) {
					if (reduce)
						maker_send(m, p + (1u << k), p, 20 - k, 1000);
					else
						maker_send(m, p, p + (1u << k), k, 1000);
				}
			continue;
		}
		k = p ? (p - 1) / arity : 0;
		if (p && reduce)
			maker_send(m, p, k, 20 - depth, 1000);
		else if (p)
			maker_send(m, k, p, depth, 1000);
	}
}

void make_binomial(struct maker *m)
{
	make_tree(m, 0, 0);
}
void make_binary(struct maker *m)
{
	make_tree(m, 2, 0);
}
void make_ternary(struct maker *m)
{
	make_tree(m, 3, 1);
}
void make_combine(struct maker *m)
{
	make_tree(m, 0, 1);
}

static void make_star(struct maker *m, int gather)
{
	uint32_t root, p;

	maker_ranks(m, CHOOSE(m, any_size));
	root = maker_draw(m, m->P);
	maker_truth(m, gather ? "gather" : "scatter", "", "");
	EACH_ROUND(m)
	for (p = 0; p < m->P; p++)
		maker_send(m, gather ? p : root, gather ? root : p, p, 3000);
}

void make_scatter(struct maker *m)
{
	make_star(m, 0);
}
void make_gather(struct maker *m)
{
	make_star(m, 1);
}

/* Requests and replies, clients at their own speed. */
void make_server(struct maker *m)
{
	uint32_t servers, p;
	char name[64];

	maker_ranks(m, CHOOSE(m, any_size));
	servers = 1 + maker_draw(m, m->P / 8);
	snprintf(name, sizeof(name), "client-server, %u server%s", servers, servers > 1 ? "s" : "");
	maker_truth(m, name, "", "");
	EACH_ROUND(m)
	for (p = servers; p < m->P; p++) {
		uint32_t hub = maker_draw(m, servers);

		if (maker_draw(m, 3) == 0)
			continue;
		maker_send(m, p, hub, 2 * p, 100);
		maker_send(m, hub, p, 2 * p + 1, 1000);
	}
}

static void make_any(struct maker *m, int skewed)
{
	uint32_t p, i;

	maker_ranks(m, CHOOSE(m, any_size));
	maker_truth(m, skewed ? "all-to-any, skewed" : "all-to-any, uniform", "", "");
	m->rounds = 1;
	EACH_ROUND(m)
	for (p = 0; p < m->P; p++)
		for (i = 0; i < 4 * m->P; i++) {
			uint32_t q = maker_draw(m, m->P);

			if (skewed && q > m->P / 3 && maker_draw(m, 4))
				q = maker_draw(m, m->P / 3);
			maker_send(m, p, q, i, 200);
		}
}

void make_uniform(struct maker *m)
{
	make_any(m, 0);
}
void make_skewed(struct maker *m)
{
	make_any(m, 1);
}

/* Random neighbours, the same in every round. */
void make_sparse(struct maker *m)
{
	static const uint32_t sizes[] = {24, 32, 48, 64};
	uint32_t to[64][6], degree[64], p, i;

	maker_ranks(m, CHOOSE(m, sizes));
	maker_truth(m, "irregular", "", "");
	for (p = 0; p < m->P; p++) {
		degree[p] = 2 + maker_draw(m, 5);
		for (i = 0; i < degree[p]; i++)
			to[p][i] = maker_draw(m, m->P);
	}
	EACH_ROUND(m)
	for (p = 0; p < m->P; p++)
		for (i = 0; i < degree[p]; i++)
			maker_send(m, p, to[p][i], i, 500.0 * (1 + to[p][i] % 7));
}
