/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How synthetic messages are made; for synthetic*.c only. */
#ifndef TESTS_UNIT_SYNTHETIC_MAKER_H
#define TESTS_UNIT_SYNTHETIC_MAKER_H

#include "tests/unit/synthetic.h"

/* One pattern being made: messages in rounds, steps of a round one after another. */
struct maker {
	struct synthetic *s;
	const struct noise *noise;
	uint64_t state;
	size_t room;
	uint32_t *to; /* the number of each rank */
	uint32_t P;
	uint32_t rounds;
	uint32_t round;
};

uint32_t maker_draw(struct maker *m, uint32_t n);
double maker_chance(struct maker *m);
uint32_t maker_choose(struct maker *m, size_t n, const uint32_t *of);

/* p sends to q in a step of this round; it is there half a step later. */
void maker_send(struct maker *m, uint32_t p, uint32_t q, double step, double bytes);

/* Names that are right. */
void maker_truth(struct maker *m, const char *a, const char *b, const char *c);

/* The number of ranks is to be chosen before the first message. */
void maker_ranks(struct maker *m, uint32_t n);

static const uint32_t any_size[] __attribute__((unused)) = {8, 12, 16, 17, 24, 31, 32, 48};
static const uint32_t powers[] __attribute__((unused)) = {16, 32, 64};
#define CHOOSE(m, of) maker_choose(m, sizeof(of) / sizeof((of)[0]), of)
#define EACH_ROUND(m) for (m->round = 0; m->round < m->rounds; m->round++)

/* The kinds. */
void make_chain(struct maker *m);
void make_ring(struct maker *m);
void make_shift(struct maker *m);
void make_pairwise(struct maker *m);
void make_permutation(struct maker *m);
void make_cycles(struct maker *m);
void make_rings(struct maker *m);
void make_second(struct maker *m);
void make_grid2(struct maker *m);
void make_torus2(struct maker *m);
void make_grid2d(struct maker *m);
void make_grid3(struct maker *m);
void make_torus3(struct maker *m);
void make_grid3d(struct maker *m);
void make_torus2d(struct maker *m);
void make_grid4(struct maker *m);
void make_torus4(struct maker *m);
void make_sweep2(struct maker *m);
void make_sweep3(struct maker *m);
void make_pipeline(struct maker *m);
void make_shifted(struct maker *m);
void make_xored(struct maker *m);
void make_ascending(struct maker *m);
void make_groups(struct maker *m);
void make_rows_and_columns(struct maker *m);
void make_transpose(struct maker *m);
void make_butterfly(struct maker *m);
void make_hypercube(struct maker *m);
void make_binomial(struct maker *m);
void make_binary(struct maker *m);
void make_ternary(struct maker *m);
void make_combine(struct maker *m);
void make_scatter(struct maker *m);
void make_gather(struct maker *m);
void make_server(struct maker *m);
void make_uniform(struct maker *m);
void make_skewed(struct maker *m);
void make_sparse(struct maker *m);
void make_spoiled(struct maker *m);

#endif
