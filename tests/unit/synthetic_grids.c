/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/synthetic_maker.h"

#include <stdio.h>
#include <string.h>

/* A grid of n dimensions; both ways, or away from a corner. */
struct grid {
	uint32_t n;
	uint32_t size[4];
	int periodic;
	int diagonals;
	int sweep;
};

static uint32_t grid_to(const struct grid *g, const uint32_t *at, const int *step)
{
	uint32_t to = 0, d;

	for (d = 0; d < g->n; d++) {
		int64_t x = (int64_t)at[d] + step[d];

		if (x < 0 || x >= g->size[d]) {
			if (!g->periodic)
				return UINT32_MAX;
			x = x < 0 ? x + g->size[d] : x - g->size[d];
		}
		to = to * g->size[d] + (uint32_t)x;
	}
	return to;
}

static void send_all(struct maker *m, const struct grid *g, uint32_t p)
{
	uint32_t at[4], codes = 1, code, rest = p, d, sum = 0;

	for (d = g->n; d-- > 0; rest /= g->size[d]) {
		at[d] = rest % g->size[d];
		sum += at[d];
		codes *= 3;
	}
	for (code = 0; code < codes; code++) {
		int step[4], away = 0, back = 0;
		uint32_t c = code, q;

		for (d = 0; d < g->n; d++, c /= 3) {
			step[d] = (int)(c % 3) - 1;
			away += step[d] != 0;
			back += step[d] < 0;
		}
		q = grid_to(g, at, step);
		if (!away || q == UINT32_MAX || (away > 1 && !g->diagonals) || (g->sweep && back))
			continue;
		maker_send(m, p, q, g->sweep ? sum : 0.2 * maker_chance(m), away > 1 ? 4000 : 8000);
	}
}

static void make_grid(struct maker *m, const struct grid *shape)
{
	struct grid g = *shape;
	uint32_t small = g.n == 2 ? 3 : 2, spread = g.n == 2 ? 5 : g.n == 3 ? 3 : 2, P = 1, d, p;
	const char *what = g.sweep ? "sweep" : g.periodic ? "torus" : "grid";
	char sizes[40] = "", name[96];

	for (d = 0; d < g.n; d++) {
		g.size[d] = small + maker_draw(m, spread) + (g.periodic && small < 3);
		P *= g.size[d];
	}
	for (d = 0; d < g.n && m->noise->permuted; d++) /* sizes ascending */
		for (p = d + 1; p < g.n; p++)
			if (g.size[p] < g.size[d]) {
				uint32_t x = g.size[d];

				g.size[d] = g.size[p];
				g.size[p] = x;
			}
	for (d = 0; d < g.n; d++)
		snprintf(sizes + strlen(sizes), sizeof(sizes) - strlen(sizes), "%s%u", d ? "x" : "",
			 g.size[d]);
	maker_ranks(m, P);
	snprintf(name, sizeof(name), "%u-D %s %s%s", g.n, what, sizes,
		 g.diagonals ? " with diagonals" : "");
	/* 3x3 with joined ends and diagonals is everybody; so is 2x2x2 without joined ends. */
	maker_truth(m, name,
		    (P == 8 || (P == (g.n == 2 ? 9 : 27) && g.periodic)) && g.diagonals
			    ? "total exchange"
			    : "",
		    P == (1u << g.n) || (g.periodic && P == 1u << 2 * g.n) ? "hypercube" : "");
	/* Periodic dimensions of three are everybody in a row. */
	if (g.n == 2 && g.periodic && !g.diagonals && g.size[0] == 3 && g.size[1] == 3)
		snprintf(m->s->truth[3], sizeof(m->s->truth[3]), "all-to-all in rows");
	EACH_ROUND(m)
	for (p = 0; p < P; p++)
		send_all(m, &g, p);
}

void make_grid2(struct maker *m)
{
	make_grid(m, &(struct grid){.n = 2});
}
void make_torus2(struct maker *m)
{
	make_grid(m, &(struct grid){.n = 2, .periodic = 1});
}
void make_grid2d(struct maker *m)
{
	make_grid(m, &(struct grid){.n = 2, .diagonals = 1});
}
void make_grid3(struct maker *m)
{
	make_grid(m, &(struct grid){.n = 3});
}
void make_torus3(struct maker *m)
{
	make_grid(m, &(struct grid){.n = 3, .periodic = 1});
}
void make_grid3d(struct maker *m)
{
	make_grid(m, &(struct grid){.n = 3, .diagonals = 1});
}
void make_torus2d(struct maker *m)
{
	make_grid(m, &(struct grid){.n = 2, .periodic = 1, .diagonals = 1});
}
void make_grid4(struct maker *m)
{
	make_grid(m, &(struct grid){.n = 4});
}
void make_torus4(struct maker *m)
{
	make_grid(m, &(struct grid){.n = 4, .periodic = 1});
}
void make_sweep2(struct maker *m)
{
	make_grid(m, &(struct grid){.n = 2, .sweep = 1});
}
void make_sweep3(struct maker *m)
{
	make_grid(m, &(struct grid){.n = 3, .sweep = 1});
}

/* A grid with a third of its messages going anywhere else: no pattern to be sure of. */
void make_spoiled(struct maker *m)
{
	uint32_t side = 4 + maker_draw(m, 3), p, i;
	struct grid g = {.n = 2, .size = {side, side}};

	maker_ranks(m, side * side);
	maker_truth(m, "irregular", "all-to-any", "");
	EACH_ROUND(m)
	for (p = 0; p < m->P; p++) {
		send_all(m, &g, p);
		for (i = 0; i < 4; i++)
			maker_send(m, p, maker_draw(m, m->P), 5, 8000);
	}
}
