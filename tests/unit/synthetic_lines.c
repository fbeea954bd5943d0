/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each rank sends to one or two. */
#include "tests/unit/synthetic_maker.h"

#include <stdio.h>

static void make_line(struct maker *m, int wraps)
{
	uint32_t p;

	maker_ranks(m, CHOOSE(m, any_size));
	maker_truth(m, wraps ? "ring" : "chain", "", "");
	EACH_ROUND(m)
	for (p = 0; p < m->P; p++) {
		if (wraps || p + 1 < m->P)
			maker_send(m, p, (p + 1) % m->P, 0, 8000);
		if (wraps || p)
			maker_send(m, p, (p + m->P - 1) % m->P, 0.25, 8000);
	}
}

void make_chain(struct maker *m)
{
	make_line(m, 0);
}
void make_ring(struct maker *m)
{
	make_line(m, 1);
}

void make_shift(struct maker *m)
{
	uint32_t k, p;
	char name[32];

	maker_ranks(m, CHOOSE(m, any_size));
	k = 2 + maker_draw(m, m->P - 3);
	snprintf(name, sizeof(name), "shift(%u)", k);
	maker_truth(m, m->noise->permuted ? "permutation" : name, m->noise->permuted ? "ring" : "",
		    2 * k == m->P ? "pairwise" : "");
	EACH_ROUND(m)
	for (p = 0; p < m->P; p++)
		maker_send(m, p, (p + k) % m->P, 0, 5000);
}

void make_pairwise(struct maker *m)
{
	static const uint32_t even[] = {8, 12, 16, 24, 32};
	uint32_t p, x;

	maker_ranks(m, CHOOSE(m, even));
	x = 1 + maker_draw(m, 3);
	maker_truth(m, "pairwise", "shift", "");
	EACH_ROUND(m)
	for (p = 0; p < m->P; p++) {
		uint32_t q = m->P % 8 ? m->P - 1 - p : p ^ x;

		maker_send(m, p, q, 0, 5000);
	}
}

void make_permutation(struct maker *m)
{
	uint32_t to[48], p;

	maker_ranks(m, CHOOSE(m, any_size));
	maker_truth(m, "permutation", "", "");
	for (p = 0; p < m->P; p++)
		to[p] = p;
	for (p = m->P; p > 1; p--) {
		uint32_t j = maker_draw(m, p), x = to[p - 1];

		to[p - 1] = to[j];
		to[j] = x;
	}
	/* Two cycles: one would be a ring. */
	EACH_ROUND(m)
	for (p = 0; p < m->P; p++)
		maker_send(m, to[p], to[p == 2 ? 0 : p + 1 == m->P ? 3 : p + 1], 0, 5000);
}

/* The same as a shift by a third or a quarter of the ranks, all one way: no groups. */
void make_cycles(struct maker *m)
{
	static const uint32_t sizes[] = {12, 24, 48};
	uint32_t k, p;
	char name[32];

	maker_ranks(m, CHOOSE(m, sizes));
	k = m->P / (3 + maker_draw(m, 2));
	snprintf(name, sizeof(name), "shift(%u)", k);
	maker_truth(m, m->noise->permuted ? "permutation" : name, "", "");
	EACH_ROUND(m)
	for (p = 0; p < m->P; p++)
		maker_send(m, p, (p + k) % m->P, 0, 5000);
}

/* A ring of neighbours and those behind them: much like two rows with diagonals, but it is not. */
void make_second(struct maker *m)
{
	static const uint32_t sizes[] = {12, 16, 24, 32};
	uint32_t p, k;

	maker_ranks(m, CHOOSE(m, sizes));
	maker_truth(m, "irregular", "all-to-any", "");
	EACH_ROUND(m)
	for (p = 0; p < m->P; p++)
		for (k = 1; k <= 2; k++) {
			maker_send(m, p, (p + k) % m->P, 0.2 * k, 5000);
			maker_send(m, p, (p + m->P - k) % m->P, 0.2 * k, 5000);
		}
}

/* Rings in any order, each for six rounds. */
void make_rings(struct maker *m)
{
	uint32_t to[48];

	maker_ranks(m, CHOOSE(m, any_size));
	for (uint32_t p = 0; p < m->P; p++)
		to[p] = p;
	maker_truth(m, m->rounds > 6 ? "rings, one after another" : "ring", "", "");
	EACH_ROUND(m)
	{
		for (uint32_t p = m->P; m->round % 6 == 0 && p > 1; p--) {
			uint32_t j = maker_draw(m, p), x = to[p - 1];

			to[p - 1] = to[j];
			to[j] = x;
		}
		for (uint32_t p = 0; p < m->P; p++) {
			maker_send(m, to[p], to[(p + 1) % m->P], 0, 5000);
			maker_send(m, to[(p + 1) % m->P], to[p], 0.25, 5000);
		}
	}
}
