/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Chains, rings, grids, tori, hypercubes and rows with columns: which could it be, with ranks
 * numbered along them, or permuted. How well they fit: shape_fit.c.
 */
#include "analyze/patterns/embed.h"
#include "analyze/patterns/line_order.h"
#include "analyze/patterns/relabel.h"
#include "analyze/patterns/shape_fit.h"

#include <stdlib.h>
#include <string.h>

/* A shape may lack this share of its pairs to be worth a look. */
#define PAIRS_MISSING 0.4

/* Of its fair share of the messages a dimension of a shape has at least so much. */
#define DIMENSION_SHARE 0.25

/* Pairs with so much of the typical messages are a shape's. */
#define LEVEL 0.5

/* Of fewer ranks one pair more or less makes another shape; who sends tells more of them apart. */
#define NOISY_RANKS   12
#define NOISY_ONE_WAY 8

/* Graphs with more pairs per rank have no shape worth the search. */
#define DEGREE_MAX 40

/*
 * Ways to place the ranks that are kept while one looks for the best. A sweep in few rounds has
 * half of a grid's messages to be found by: of so few ranks more can be kept in half a second.
 */
#define BEAM_MIN         64
#define BEAM_MAX         256
#define BEAM_ONE_WAY_MAX 1024
#define FEW_RANKS        128

struct matcher {
	const struct traffic *t;
	struct err *err;
	struct shape_fit fit;
	uint32_t *offsets; /* natural: messages between ranks so far apart */
	int ret;
	/* Permuted: */
	struct graph graph;     /* the traffic's strong pairs */
	uint32_t *degrees;      /* how many ranks have each number of neighbours */
	uint32_t *shape_degree; /* per rank */
	uint32_t *label;
	long relabelling; /* what may still be spent on exact labels */
	uint32_t (*edges)[2];
	size_t n_edges;
	struct embed embed;
	int is_one_way; /* of two ranks but one sends */
};

/* Could it be this one? Each dimension's neighbours must have a good part of the messages. */
static int is_likely(const struct matcher *m, const struct shape *s)
{
	double least = DIMENSION_SHARE * m->t->messages / shape_slots(s);
	uint32_t n = s->kind == SHAPE_HYPERCUBE ? shape_slots(s) : s->dimensions;
	uint32_t d;

	if ((double)shape_pairs(s) * (1 - PAIRS_MISSING) > m->t->n_pairs)
		return 0;
	if (s->kind == SHAPE_ROWS_AND_COLUMNS)
		return (double)shape_pairs(s) > PAIRS_MISSING * m->t->n_pairs;
	for (d = 0; d < n; d++)
		if (m->offsets[shape_stride(s, d)] < least)
			return 0;
	return 1;
}

static void try_natural(const struct shape *s, void *arg)
{
	struct matcher *m = arg;

	if (!m->ret && shape_density(s) <= SHAPE_DENSITY_MAX && is_likely(m, s))
		m->ret = shape_fit_propose(&m->fit, s, NULL);
}

int pattern_shapes(const struct traffic *t, struct candidates *out, struct err *err)
{
	struct matcher m = {.t = t, .err = err};
	uint32_t i;

	if (shape_fit_init(&m.fit, t, out, err))
		return -1;
	m.offsets = calloc((size_t)t->ranks + 1, sizeof(*m.offsets));
	if (!m.offsets)
		m.ret = err_set(err, "out of memory for %u ranks", t->ranks);
	for (i = 0; !m.ret && i < t->n_pairs; i++)
		m.offsets[t->pairs[i].b - t->pairs[i].a] += t->pairs[i].count;
	if (!m.ret)
		shapes_each(t->ranks, SHAPE_NATURAL, try_natural, &m);
	free(m.offsets);
	shape_fit_release(&m.fit);
	return m.ret;
}

static int shape_edges(struct matcher *m, const struct shape *s)
{
	uint32_t slots = shape_slots(s);
	uint32_t slot;
	uint32_t r;
	uint32_t v;

	memset(m->shape_degree, 0, s->ranks * sizeof(*m->shape_degree));
	m->n_edges = 0;
	for (slot = 0; slot < slots; slot++)
		for (r = 0; r < s->ranks; r++) {
			uint32_t to = shape_neighbour(s, r, slot);

			if (to == SHAPE_NONE)
				continue;
			m->edges[m->n_edges][0] = r;
			m->edges[m->n_edges++][1] = to;
			m->shape_degree[r]++;
			m->shape_degree[to]++;
		}
	/* The same numbers of neighbours equally often? */
	for (v = 0; v < s->ranks; v++) {
		if (!m->degrees[m->shape_degree[v]])
			break;
		m->degrees[m->shape_degree[v]]--;
	}
	for (r = 0; r < v; r++)
		m->degrees[m->shape_degree[r]]++;
	return v == s->ranks;
}

static void try_permuted(const struct shape *s, void *arg)
{
	struct matcher *m = arg;
	struct graph g;
	int found;

	if (m->ret || shape_density(s) > SHAPE_DENSITY_MAX ||
	    shape_pairs(s) * 2 != m->graph.at[m->graph.n] || !shape_edges(m, s))
		return;
	if (graph_build(&g, s->ranks, m->n_edges, (const uint32_t(*)[2])m->edges, m->err)) {
		m->ret = -1;
		return;
	}
	found = relabel(&g, &m->graph, m->label, &m->relabelling, m->err);
	graph_release(&g);
	m->ret = found > 0 ? shape_fit_propose(&m->fit, s, m->label) : found;
}

/* The graph of the pairs of at least so many messages; then each shape that fits it. */
static void try_level(struct matcher *m, double least)
{
	const struct traffic *t = m->t;
	uint32_t i;

	m->n_edges = 0;
	for (i = 0; i < t->n_pairs; i++)
		if (t->pairs[i].count >= least) {
			if (m->n_edges == DEGREE_MAX * (size_t)t->ranks)
				return;
			m->edges[m->n_edges][0] = t->pairs[i].a;
			m->edges[m->n_edges++][1] = t->pairs[i].b;
		}
	if (graph_build(&m->graph, t->ranks, m->n_edges, (const uint32_t(*)[2])m->edges, m->err)) {
		m->ret = -1;
		return;
	}
	memset(m->degrees, 0, ((size_t)t->ranks + 1) * sizeof(*m->degrees));
	for (i = 0; i < t->ranks; i++)
		m->degrees[m->graph.at[i + 1] - m->graph.at[i]]++;
	shapes_each(t->ranks, SHAPE_UNORDERED, try_permuted, m);
	graph_release(&m->graph);
}

/* Where it may be that shape, but for messages that are missing and strays. */
static void try_embedded(const struct shape *s, void *arg)
{
	struct matcher *m = arg;
	double pairs = (double)shape_pairs(s);
	struct graph g;
	int found;

	if (m->ret || m->embed.budget < 0 || s->dimensions == 1 || /* line_order.h finds them */
	    shape_density(s) > SHAPE_DENSITY_MAX || pairs > DEGREE_MAX * (double)s->ranks ||
	    !pair_odds_may_make(&m->embed.odds, pairs, m->embed.strong))
		return;
	shape_edges(m, s);
	if (graph_build(&g, s->ranks, m->n_edges, (const uint32_t(*)[2])m->edges, m->err)) {
		m->ret = -1;
		return;
	}
	m->embed.is_forward = m->is_one_way && s->kind == SHAPE_GRID && !s->periodic;
	found = embed_find(&m->embed, &g, m->label, m->err);
	graph_release(&g);
	m->fit.misfits = m->embed.misfits;
	m->ret = found > 0 ? shape_fit_propose(&m->fit, s, m->label) : found;
}

/* Is it a line, with gaps? */
static int try_lines(struct matcher *m, double typical)
{
	struct shape s = {
		.kind = SHAPE_GRID, .ranks = m->t->ranks, .dimensions = 1, .size = {m->t->ranks}};
	int found = 0;

	/* A rank has two neighbours at most, but for strays. */
	if (m->t->n_pairs <= DEGREE_MAX * (double)m->t->ranks)
		found = line_order_find(m->t, typical, m->label, &m->fit.misfits, m->err);
	for (s.periodic = 0; found > 0 && s.periodic < 2; s.periodic++)
		found = shape_fit_propose(&m->fit, &s, m->label) ? -1 : 1;
	m->ret = found < 0 ? -1 : 0;
	return m->ret;
}

static int try_noisy(struct matcher *m, double typical, const struct candidates *out)
{
	const struct traffic *t = m->t;
	uint32_t before = out->n, most;

	if (t->n_pairs > DEGREE_MAX * (double)t->ranks)
		return 0;
	if (embed_init(&m->embed, t, typical, m->err))
		return -1;
	most = m->is_one_way && t->ranks <= FEW_RANKS ? BEAM_ONE_WAY_MAX : BEAM_MAX;
	for (m->embed.beam = BEAM_MIN;
	     !m->ret && out->n == before && m->embed.budget >= 0 && m->embed.beam <= most;
	     m->embed.beam *= 4)
		shapes_each(t->ranks, SHAPE_UNORDERED, try_embedded, m);
	embed_release(&m->embed);
	return m->ret;
}

static int compare_counts(const void *pa, const void *pb)
{
	uint32_t a = *(const uint32_t *)pa;
	uint32_t b = *(const uint32_t *)pb;

	return a < b ? -1 : a > b;
}

/* Half of all messages are between pairs of at least so many. 0: out of memory. */
static double typical_count(const struct traffic *t)
{
	uint32_t *counts = calloc((size_t)t->n_pairs + 1, sizeof(*counts));
	double sum = 0;
	uint32_t i;

	if (!counts)
		return 0;
	for (i = 0; i < t->n_pairs; i++)
		counts[i] = t->pairs[i].count;
	qsort(counts, t->n_pairs, sizeof(*counts), compare_counts);
	for (i = 0; i + 1 < t->n_pairs && sum < t->messages / 2; i++)
		sum += counts[i];
	sum = counts[i];
	free(counts);
	return sum;
}

static int has_natural_shape(const struct candidates *out)
{
	uint32_t i;

	for (i = 0; i < out->n; i++)
		if (candidate_is_sure(&out->c[i]) && out->c[i].length < PATTERN_LENGTH_PERMUTATION)
			return 1;
	return 0;
}

int pattern_permuted(const struct traffic *t, struct candidates *out, struct err *err)
{
	static const double levels[] = {LEVEL, LEVEL / 2, LEVEL / 5};
	struct matcher m = {.t = t,
			    .err = err,
			    .relabelling = RELABEL_BUDGET,
			    .is_one_way = traffic_is_one_way(t)};
	size_t most = DEGREE_MAX * (size_t)t->ranks;
	uint32_t before = out->n;
	double typical;
	size_t i;

	if (has_natural_shape(out))
		return 0;
	if (shape_fit_init(&m.fit, t, out, err))
		return -1;
	typical = typical_count(t);
	m.degrees = calloc((size_t)t->ranks + 1, sizeof(*m.degrees));
	m.shape_degree = calloc((size_t)t->ranks + 1, sizeof(*m.shape_degree));
	m.label = calloc((size_t)t->ranks + 1, sizeof(*m.label));
	m.edges = calloc(most + 1, sizeof(*m.edges));
	if (typical <= 0 || !m.degrees || !m.shape_degree || !m.label || !m.edges)
		m.ret = err_set(err, "out of memory for %u ranks", t->ranks);
	for (i = 0; !m.ret && i < 3 && out->n == before; i++)
		try_level(&m, levels[i] * typical);
	if (!m.ret && out->n == before)
		try_lines(&m, typical);
	if (!m.ret && out->n == before && t->ranks >= (m.is_one_way ? NOISY_ONE_WAY : NOISY_RANKS))
		m.ret = try_noisy(&m, typical, out);
	free(m.edges);
	free(m.label);
	free(m.shape_degree);
	free(m.degrees);
	shape_fit_release(&m.fit);
	return m.ret;
}
