/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/synthetic_maker.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STEP_NS  1000
#define ROUND_NS 1000000

static uint64_t draw64(struct maker *m)
{
	uint64_t x = m->state += 0x9e3779b97f4a7c15u;

	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
	x = (x ^ x >> 27) * 0x94d049bb133111ebu;
	return x ^ x >> 31;
}

uint32_t maker_draw(struct maker *m, uint32_t n)
{
	return (uint32_t)((draw64(m) >> 32) * n >> 32);
}

double maker_chance(struct maker *m)
{
	return (double)(draw64(m) >> 11) * 0x1p-53;
}

uint32_t maker_choose(struct maker *m, size_t n, const uint32_t *of)
{
	return of[maker_draw(m, (uint32_t)n)];
}

static void *must(void *p)
{
	if (!p)
		abort();
	return p;
}

static void put(struct maker *m, struct delivery d)
{
	struct synthetic *s = m->s;

	if (s->n == m->room) {
		m->room = 2 * m->room + 1024;
		s->d = must(reallocarray(s->d, m->room, sizeof(*s->d)));
	}
	s->d[s->n++] = d;
}

void maker_send(struct maker *m, uint32_t p, uint32_t q, double step, double bytes)
{
	int64_t start = (int64_t)m->round * ROUND_NS + (int64_t)(step * STEP_NS);
	struct delivery d = {.sent_in = m->round, .done_in = m->round};
	double size = bytes * exp(m->noise->size * 1.7 * (maker_chance(m) + maker_chance(m) - 1));

	if (p == q || maker_chance(m) < m->noise->missing)
		return;
	d.src = m->to[p];
	d.dst = m->to[q];
	d.bytes = (uint64_t)size;
	d.sent_ns = start + maker_draw(m, STEP_NS / 4);
	d.done_ns = start + STEP_NS / 2 + maker_draw(m, STEP_NS / 4);
	put(m, d);
	if (maker_chance(m) >= m->noise->extra)
		return;
	d.dst = maker_draw(m, m->P);
	put(m, d);
}

void maker_truth(struct maker *m, const char *a, const char *b, const char *c)
{
	snprintf(m->s->truth[0], sizeof(m->s->truth[0]), "%s", a);
	snprintf(m->s->truth[1], sizeof(m->s->truth[1]), "%s", b);
	snprintf(m->s->truth[2], sizeof(m->s->truth[2]), "%s", c);
}

void maker_ranks(struct maker *m, uint32_t n)
{
	uint32_t i;

	m->P = m->s->ranks = n;
	m->to = must(calloc(n, sizeof(*m->to)));
	for (i = 0; i < n; i++)
		m->to[i] = i;
	for (i = n; m->noise->permuted && i > 1; i--) {
		uint32_t j = maker_draw(m, i);
		uint32_t x = m->to[i - 1];

		m->to[i - 1] = m->to[j];
		m->to[j] = x;
	}
}

static const struct {
	const char *name;
	void (*make)(struct maker *m);
} kinds[] = {
	{"chain", make_chain},
	{"ring", make_ring},
	{"shift", make_shift},
	{"pairwise", make_pairwise},
	{"permutation", make_permutation},
	{"cycles", make_cycles},
	{"second neighbours", make_second},
	{"2-D grid", make_grid2},
	{"2-D torus", make_torus2},
	{"2-D grid with diagonals", make_grid2d},
	{"2-D torus with diagonals", make_torus2d},
	{"3-D grid", make_grid3},
	{"3-D torus", make_torus3},
	{"3-D grid with diagonals", make_grid3d},
	{"4-D grid", make_grid4},
	{"4-D torus", make_torus4},
	{"2-D sweep", make_sweep2},
	{"3-D sweep", make_sweep3},
	{"pipeline", make_pipeline},
	{"total exchange, shift", make_shifted},
	{"total exchange, xor", make_xored},
	{"total exchange, ascending", make_ascending},
	{"groups", make_groups},
	{"rows and columns", make_rows_and_columns},
	{"transpose", make_transpose},
	{"butterfly", make_butterfly},
	{"hypercube", make_hypercube},
	{"binomial broadcast", make_binomial},
	{"binary broadcast", make_binary},
	{"ternary reduce", make_ternary},
	{"binomial reduce", make_combine},
	{"scatter", make_scatter},
	{"gather", make_gather},
	{"client-server", make_server},
	{"all-to-any, uniform", make_uniform},
	{"all-to-any, skewed", make_skewed},
	{"irregular sparse", make_sparse},
	{"spoiled grid", make_spoiled},
	{"rings in turns", make_rings},
};

const unsigned synthetic_kinds = sizeof(kinds) / sizeof(kinds[0]);

const char *synthetic_kind_name(unsigned kind)
{
	return kinds[kind].name;
}

void synthetic_make(struct synthetic *s, unsigned kind, const struct noise *noise, uint64_t seed)
{
	struct maker m = {.s = s, .noise = noise, .state = seed * 1000003 + kind};

	memset(s, 0, sizeof(*s));
	m.rounds = 8 + maker_draw(&m, 20);
	if (noise->rounds)
		m.rounds = noise->rounds;
	kinds[kind].make(&m);
	free(m.to);
}

int synthetic_is_right(const struct synthetic *s, const char *name)
{
	for (int i = 0; i < 4; i++)
		if (*s->truth[i] && !strncmp(name, s->truth[i], strlen(s->truth[i])))
			return 1;
	return 0;
}
