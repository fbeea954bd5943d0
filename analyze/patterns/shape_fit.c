/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/patterns/shape_fit.h"

#include "analyze/patterns/pair_odds.h"
#include "analyze/patterns/shape_twins.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of what rows and columns expect so much is there. */
#define CROSSING_PRESENT 0.9

/* Of each direction's pairs, and of those over joined ends, so much is there. */
#define PART_MIN 0.5

/*
 * The ends of a line are one pair, which a few messages to any rank may make: with so much of what
 * a ring's has, it is neither.
 */
#define ENDS_MAX 0.2

/*
 * What closes a line is of it with so much of what its other pairs have, if ranks receive before
 * they send: it need not be closed then, and one message of two may be a stray.
 */
#define CLOSING_MIN 0.6

/*
 * A ring of which a pair's messages are all missing is a chain: as likely as this there are too few
 * messages to tell.
 */
#define OPEN_MAX 0.02

/* Where so much less goes from one position to the next than beside it, there are two grids. */
#define ACROSS_MIN 0.2

/* A grid fits fewer ranks in some order by chance: no pair is whole then that lacks messages. */
#define ORDERED_RANKS 12

/* Ranks with fewer destinations than this, one way or the other, are on a path that winds. */
#define DESTINATIONS_MIN 1.5

/* A hinge of so little is not told from chance. */
#define HINGE_MIN 0.01

/* What a shape explains beyond its share of all pairs, which chance gives it, of the rest. */
#define BEYOND_CHANCE 0.85

/* Of a rank that has some, mean. */
static double count_destinations(const struct traffic *t)
{
	double n = 0;
	double senders = 0;

	for (uint32_t r = 0; r < t->ranks; r++) {
		double before = n;

		for (uint32_t i = t->row[r]; i < t->row[r + 1]; i++)
			n += t->edges[i].count >= TRAFFIC_STRAY * t->typical;
		senders += n > before;
	}
	return senders > 0 ? n / senders : 0;
}

int shape_fit_init(struct shape_fit *x, const struct traffic *t, struct candidates *out,
		   struct err *err)
{
	*x = (struct shape_fit){.t = t, .out = out, .err = err};
	if (fit_init(&x->fit, t, t->n_pairs, err))
		return -1;
	x->across = calloc((size_t)t->ranks + 1, sizeof(*x->across));
	if (!x->across) {
		fit_release(&x->fit);
		return err_set(err, "out of memory for the pattern of %u ranks", t->ranks);
	}
	x->destinations = count_destinations(t);
	x->fit.typical = 0;
	for (uint32_t i = 0; i < t->n_pairs; i++)
		x->fit.typical += (double)t->pairs[i].count * t->pairs[i].count / t->messages;
	return 0;
}

void shape_fit_release(struct shape_fit *x)
{
	fit_release(&x->fit);
	free(x->across);
}

double shape_density(const struct shape *s)
{
	return (double)shape_pairs(s) / (0.5 * s->ranks * (s->ranks - 1.0));
}

/* The share that the lower of two sends, over a slot's pairs. */
struct leaning {
	double n, sum, squares, mutual;
};

enum part { PART_INNER, PART_JOINT };

const struct pair *shape_fit_pair(const struct shape_fit *x, const uint32_t *label, uint32_t r,
				  uint32_t to)
{
	return label ? traffic_pair(x->t, label[r], label[to]) : traffic_pair(x->t, r, to);
}

/* Add a slot's pairs, those within the shape or those over its joined ends. Returns how many. */
static double add_part(struct shape_fit *x, const struct shape *s, uint32_t slot, enum part part,
		       const uint32_t *label, struct leaning *lean)
{
	double expected = 0;
	uint32_t r;

	for (r = 0; r < s->ranks; r++) {
		uint32_t to = shape_neighbour(s, r, slot);
		const struct pair *p;
		double ahead;

		if (to == SHAPE_NONE || shape_is_joint(s, r, to) != (part == PART_JOINT))
			continue;
		expected++;
		p = shape_fit_pair(x, label, r, to);
		if (!p)
			continue;
		fit_add(&x->fit, p->count, p->volume, p->volume);
		ahead = p->upward / p->volume;
		if ((label ? label[r] : r) != p->a)
			ahead = 1 - ahead;
		lean->n++;
		lean->sum += ahead;
		lean->squares += ahead * ahead;
		lean->mutual += 1 - fabs(2 * ahead - 1);
	}
	return expected;
}

/* Rows are one group and columns are one; of other shapes each direction is. */
static int ends_group(const struct shape *s, uint32_t slot)
{
	return s->kind != SHAPE_ROWS_AND_COLUMNS || slot + 2 == s->size[1] ||
	       slot + 1 == shape_slots(s);
}

static void measure(struct shape_fit *x, const struct shape *s, const uint32_t *label)
{
	uint32_t slots = shape_slots(s);
	double expected = 0;
	double mutual = 0;
	double pairs = 0;
	uint32_t slot;

	fit_clear(&x->fit);
	x->lean = 0;
	for (slot = 0; slot < slots; slot++) {
		struct leaning lean = {0};

		expected += add_part(x, s, slot, PART_INNER, label, &lean);
		if (!ends_group(s, slot))
			continue;
		fit_group(&x->fit, expected);
		if (s->kind == SHAPE_GRID && s->periodic)
			fit_rest(&x->fit, add_part(x, s, slot, PART_JOINT, label, &lean));
		if (lean.n > 0)
			x->lean = fmax(x->lean, lean.squares / lean.n -
							lean.sum * lean.sum / (lean.n * lean.n));
		mutual += lean.mutual;
		pairs += lean.n;
		expected = 0;
	}
	x->lean = sqrt(fmax(0, x->lean));
	x->mutual = pairs > 0 ? mutual / pairs : 0;
}

/* Is there a message that the shape does not explain? */
static int has_strays(const struct shape_fit *x)
{
	return x->fit.messages < x->t->messages;
}

/* Is most of what the larger shape has more than the other there? */
static int has_more(struct shape_fit *x, const struct shape *larger, const uint32_t *label)
{
	int strays = has_strays(x);

	measure(x, larger, label);
	if (larger->dimensions > 1)
		return x->fit.thinnest >= PART_MIN;
	/* Where ranks receive before they send, the same that make no ring of it. */
	return x->fit.thinnest >=
	       (strays && x->t->time.receive_led >= SHAPE_SWEEP_MIN ? CLOSING_MIN : ENDS_MAX);
}

/* Is the traffic that of a larger grid: with more of its ends joined, or with diagonals? */
static int is_part_of_larger(struct shape_fit *x, const struct shape *s, const uint32_t *label)
{
	struct shape larger = *s;

	if (s->kind != SHAPE_GRID || s->helical)
		return 0;
	for (uint32_t d = 0; d < s->dimensions; d++) {
		if (s->size[d] < 3 || s->periodic & 1u << d)
			continue;
		larger.periodic = s->periodic | 1u << d;
		if (has_more(x, &larger, label))
			return 1;
		larger.helical = d && !s->diagonals ? 1u << d : 0;
		if (larger.helical && has_more(x, &larger, label))
			return 1;
		larger.helical = 0;
	}
	larger.periodic = s->periodic;
	larger.diagonals = 1;
	return !s->diagonals && s->dimensions > 1 && has_more(x, &larger, label);
}

/* Does so little go on from one of n positions, to either side of which more does? */
static int is_gap(const double *across, uint32_t n, uint32_t at)
{
	double before = at ? across[at - 1] : HUGE_VAL;
	double behind = at + 1 < n ? across[at + 1] : HUGE_VAL;

	return n > 1 && across[at] < ACROSS_MIN * fmin(before, behind);
}

/*
 * Is the grid two or more of them, one behind the other along d, its slot? A line's first and last
 * rank may do nothing at all.
 */
static int is_cut_along(const struct shape_fit *x, const struct shape *s, uint32_t slot, uint32_t d,
			const uint32_t *label)
{
	uint32_t end = s->dimensions == 1;

	memset(x->across, 0, s->size[d] * sizeof(*x->across));
	for (uint32_t r = 0; r < s->ranks; r++) {
		uint32_t to = shape_neighbour(s, r, slot);
		const struct pair *p = to == SHAPE_NONE ? NULL : shape_fit_pair(x, label, r, to);

		if (p)
			x->across[shape_position(s, r, d)] += p->count;
	}
	for (uint32_t at = end; at + 1 + end < s->size[d]; at++)
		if (is_gap(x->across, s->size[d] - 1, at))
			return 1;
	return 0;
}

static int is_cut(const struct shape_fit *x, const struct shape *s, const uint32_t *label)
{
	for (uint32_t slot = 0; slot < shape_slots(s); slot++) {
		uint32_t d = shape_axis(s, slot);

		if (d != SHAPE_NONE && is_cut_along(x, s, slot, d, label))
			return 1;
	}
	return 0;
}

/* Is it a chain, or a ring? */
static int is_line(const struct shape *s)
{
	return s->kind == SHAPE_GRID && s->dimensions == 1;
}

/* Is it a ring that need not be closed? */
static int is_hardly_closed(const struct shape_fit *x, const struct shape *s)
{
	return is_line(s) && s->periodic && x->t->time.receive_led >= SHAPE_SWEEP_MIN &&
	       x->fit.thinnest < CLOSING_MIN && has_strays(x);
}

/*
 * Is it a chain that may be a ring? Where ranks are numbered along it, what is missing would have
 * to be just between the first and the last. Not where all else is there.
 */
static int may_be_closed(const struct shape_fit *x, const struct shape *s, const uint32_t *label)
{
	double due = (s->ranks - 1) * x->fit.whole;
	double missing = (fmax(0, due - x->fit.messages) + 1) / (due + 2);

	return is_line(s) && !s->periodic && (x->fit.thinnest < 1 || has_strays(x)) &&
	       (label ? s->ranks : 1) * pow(missing, x->fit.whole) > OPEN_MAX;
}

/*
 * So many pairs make another shape: of a ring the thinnest, of a grid in its order half of a
 * side's. Where some are off already, hardly any.
 */
static double hinge_of(const struct shape_fit *x, const struct shape *s, const uint32_t *label)
{
	double least = x->fit.whole;

	if (x->misfits > 0)
		return HINGE_MIN;
	if (!is_line(s) || !s->periodic)
		return label ? 1 : fmax(1, PART_MIN * shape_side(s));
	for (uint32_t r = 0; r < s->ranks; r++) {
		const struct pair *p = shape_fit_pair(x, label, r, shape_neighbour(s, r, 0));

		least = fmin(least, p ? p->count : HINGE_MIN);
	}
	return least / x->fit.whole;
}

/* Do the pairs send as those of such a shape would? */
static int goes_the_right_way(const struct shape_fit *x, const struct shape *s)
{
	if (s->kind != SHAPE_GRID)
		return x->mutual >= SHAPE_MUTUAL_MIN;
	/* Who waits for the one before him does not go round. */
	if (s->dimensions > 1 && s->periodic && x->mutual < SHAPE_MUTUAL_MIN &&
	    x->t->time.receive_led >= SHAPE_SWEEP_MIN)
		return 0;
	if (x->lean <= SHAPE_LEAN_MAX)
		return 1;
	return s->dimensions > 1 &&
	       (x->mutual >= SHAPE_MUTUAL_MIN || x->destinations >= DESTINATIONS_MIN);
}

/* Does it explain the traffic beyond what chance gives it, but for strays? */
static int explains(const struct shape_fit *x, const struct shape *s, const struct candidate *c)
{
	double by_chance = shape_density(s);
	double others = x->t->messages - x->fit.messages;

	return c->explained - by_chance >= BEYOND_CHANCE * (1 - by_chance) ||
	       (c->explained - by_chance >= PATTERN_EXPLAINED_MIN * (1 - by_chance) &&
		pair_odds_may_stray((1 - by_chance) * x->t->messages, others));
}

int shape_fit_propose(struct shape_fit *x, const struct shape *s, const uint32_t *label)
{
	struct candidate c = {.regular = 1, .permuted = label != NULL};

	x->fit.is_strict = label && !is_line(s) && s->ranks < ORDERED_RANKS;
	measure(x, s, label);
	fit_result(&x->fit, &c);
	if (!explains(x, s, &c) || x->fit.thinnest < PART_MIN || !goes_the_right_way(x, s) ||
	    is_hardly_closed(x, s))
		return 0;
	if (s->kind == SHAPE_ROWS_AND_COLUMNS && c.presence < CROSSING_PRESENT)
		return 0;
	if ((is_cut(x, s, label) && !(is_line(s) && c.by_chance)) || is_part_of_larger(x, s, label))
		return 0;
	measure(x, s, label);
	shape_name(s, sizeof(c.name), c.name);
	shape_twin_equivalent(x, s, &c);
	c.length = shape_length(s) + (label ? 1 : 0);
	c.hinge = hinge_of(x, s, label);
	/* The weakest pair of any order of the ranks is the one that may close it, or not. */
	if (is_line(s) && s->periodic && label && c.hinge < PART_MIN)
		strcpy(c.equivalent, "chain");
	if (shape_twin_sweep(x, s, c))
		return -1;
	if (may_be_closed(x, s, label))
		return 0;
	/* Neighbours that wait for each other are a poor stencil. */
	if (s->kind == SHAPE_GRID && x->t->time.receive_led >= SHAPE_SWEEP_MIN)
		c.length += 2;
	/* Once in each dimension is all that a hypercube needs. */
	if (s->kind == SHAPE_HYPERCUBE && x->t->time.repeated >= SHAPE_REPEATED_MIN)
		c.length += 4;
	c.time = 1 - (s->kind == SHAPE_HYPERCUBE ? x->t->time.staged : x->t->time.receive_led);
	return candidates_add(x->out, &c, x->err) || shape_twin_torus(x, s, label, c) ||
			       shape_twin_butterfly(x, s, c)
		       ? -1
		       : 0;
}
