/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/patterns/shapes.h"

#include <assert.h>

#include "common/wording.h"

static int is_power_of_2(uint32_t n)
{
	return n && !(n & (n - 1));
}

static uint32_t log_2(uint32_t n)
{
	uint32_t k = 0;

	while (n >>= 1)
		k++;
	return k;
}

static uint32_t power(uint32_t base, uint32_t n)
{
	uint32_t p = 1;

	while (n--)
		p *= base;
	return p;
}

uint32_t shape_slots(const struct shape *s)
{
	switch (s->kind) {
	case SHAPE_HYPERCUBE:
		return log_2(s->ranks);
	case SHAPE_ROWS_AND_COLUMNS:
		return s->size[0] + s->size[1] - 2;
	default:
		return s->diagonals ? (power(3, s->dimensions) - 1) / 2 : s->dimensions;
	}
}

/* Steps of -1, 0, 1 in each dimension; the first one that is not 0 is 1. */
static void slot_steps(const struct shape *s, uint32_t slot, int step[SHAPE_DIMENSIONS])
{
	uint32_t code = (power(3, s->dimensions) - 1) / 2 + slot + 1;
	uint32_t d;

	for (d = s->dimensions; d-- > 0; code /= 3)
		step[d] = s->diagonals ? (int)(code % 3) - 1 : d == slot;
}

static uint32_t grid_neighbour(const struct shape *s, uint32_t rank, uint32_t slot)
{
	int step[SHAPE_DIMENSIONS];
	uint32_t stride = 1;
	uint32_t to = 0;
	uint32_t d;

	slot_steps(s, slot, step);
	for (d = s->dimensions; d-- > 0; stride *= s->size[d]) {
		uint32_t size = s->size[d];
		int64_t at = (int64_t)(rank / stride % size) + step[d];

		if (at < 0 || at >= (int64_t)size) {
			if (!(s->periodic & 1u << d))
				return SHAPE_NONE;
			if (s->helical & 1u << d)
				return (rank + stride) % s->ranks;
			at = at < 0 ? at + size : at - size;
		}
		to += (uint32_t)at * stride;
	}
	return to;
}

/* The slot-th of the ranks behind this one in its row, or below it in its column. */
static uint32_t crossing_neighbour(const struct shape *s, uint32_t rank, uint32_t slot)
{
	uint32_t width = s->size[1];
	uint32_t column = rank % width;
	uint32_t row = rank / width;

	if (slot < width - 1)
		return column + slot + 1 < width ? rank + slot + 1 : SHAPE_NONE;
	slot -= width - 1;
	return row + slot + 1 < s->size[0] ? rank + (slot + 1) * width : SHAPE_NONE;
}

uint32_t shape_neighbour(const struct shape *s, uint32_t rank, uint32_t slot)
{
	uint32_t to;

	switch (s->kind) {
	case SHAPE_HYPERCUBE:
		to = rank ^ 1u << slot;
		return to > rank ? to : SHAPE_NONE;
	case SHAPE_ROWS_AND_COLUMNS:
		return crossing_neighbour(s, rank, slot);
	default:
		return grid_neighbour(s, rank, slot);
	}
}

uint32_t shape_axis(const struct shape *s, uint32_t slot)
{
	int step[SHAPE_DIMENSIONS];
	uint32_t axis = SHAPE_NONE;
	uint32_t d;

	if (s->kind != SHAPE_GRID)
		return SHAPE_NONE;
	slot_steps(s, slot, step);
	for (d = 0; d < s->dimensions; d++) {
		if (!step[d])
			continue;
		if (axis != SHAPE_NONE)
			return SHAPE_NONE;
		axis = d;
	}
	return axis;
}

uint32_t shape_position(const struct shape *s, uint32_t rank, uint32_t d)
{
	return rank / shape_stride(s, d) % s->size[d];
}

int shape_is_joint(const struct shape *s, uint32_t rank, uint32_t to)
{
	uint32_t d;

	if (s->kind != SHAPE_GRID || !s->periodic)
		return 0;
	for (d = s->dimensions; d-- > 0; rank /= s->size[d], to /= s->size[d]) {
		uint32_t a = rank % s->size[d];
		uint32_t b = to % s->size[d];

		if (a > b + 1 || b > a + 1)
			return 1;
	}
	return 0;
}

uint64_t shape_pairs(const struct shape *s)
{
	uint32_t slots = shape_slots(s);
	uint64_t n = 0;
	uint32_t slot;
	uint32_t d;

	if (s->kind == SHAPE_HYPERCUBE)
		return (uint64_t)s->ranks / 2 * slots;
	if (s->kind == SHAPE_ROWS_AND_COLUMNS)
		return (uint64_t)s->ranks * slots / 2;
	for (slot = 0; slot < slots; slot++) {
		int step[SHAPE_DIMENSIONS];
		uint64_t in_slot = 1;

		slot_steps(s, slot, step);
		for (d = 0; d < s->dimensions; d++)
			in_slot *= s->size[d] - (step[d] && !(s->periodic & 1u << d));
		n += in_slot;
	}
	return n;
}

uint32_t shape_stride(const struct shape *s, uint32_t d)
{
	uint32_t stride = 1;

	if (s->kind == SHAPE_HYPERCUBE)
		return 1u << d;
	while (++d < s->dimensions)
		stride *= s->size[d];
	return stride;
}

uint32_t shape_side(const struct shape *s)
{
	uint32_t least = s->ranks;

	for (uint32_t d = 0; d < s->dimensions; d++) {
		if (s->kind != SHAPE_GRID || s->size[d] < 3)
			return 1;
		if (s->ranks / s->size[d] < least)
			least = s->ranks / s->size[d];
	}
	return s->dimensions ? least : 1;
}

unsigned shape_length(const struct shape *s)
{
	unsigned joined = (unsigned)__builtin_popcount(s->periodic);

	if (s->kind == SHAPE_HYPERCUBE)
		return s->ranks > 4 ? 2 : 4; /* two by two says more */
	/* All of three are a ring. */
	if (s->kind == SHAPE_ROWS_AND_COLUMNS)
		return 4 + (s->size[0] <= 3 && s->size[1] <= 3);
	return 2 * s->dimensions - 1 + 2 * (unsigned)s->diagonals + 2 * !!s->helical +
	       (joined && joined < s->dimensions);
}

int shape_is_hypercube(const struct shape *s)
{
	uint32_t d;

	if (s->kind == SHAPE_HYPERCUBE)
		return 1;
	if (s->kind == SHAPE_ROWS_AND_COLUMNS)
		return s->size[0] == 2 && s->size[1] == 2;
	for (d = 0; d < s->dimensions; d++)
		if (s->size[d] != 2 && !(s->size[d] == 4 && s->periodic & 1u << d))
			return 0;
	return !s->diagonals && !s->helical;
}

/* The grid gets one more dimension, in the order of sizes; joined: are its ends? */
static void add_dimension(struct shape *s, uint32_t size, unsigned joined)
{
	uint32_t d = s->dimensions++;
	unsigned below;

	for (; d > 0 && s->size[d - 1] > size; d--)
		s->size[d] = s->size[d - 1];
	s->size[d] = size;
	below = (1u << d) - 1;
	s->periodic = (s->periodic & below) | joined << d | (s->periodic & ~below) << 1;
}

int shape_twin(const struct shape *s, struct shape *twin)
{
	struct shape t = {.kind = SHAPE_GRID, .ranks = s->ranks};
	uint32_t fours = 0;
	uint32_t twos = 0;
	uint32_t d;

	for (d = 0; d < s->dimensions; d++) {
		fours += s->size[d] == 4 && s->periodic & 1u << d;
		twos += s->size[d] == 2;
	}
	if (s->kind != SHAPE_GRID || s->diagonals || s->helical ||
	    (twos < 2 && (!fours || s->dimensions == SHAPE_DIMENSIONS)))
		return 0;
	fours = twos < 2 ? 1 : 0;
	twos = twos < 2 ? 0 : 2;
	if (twos)
		add_dimension(&t, 4, 1);
	for (d = 0; d < s->dimensions; d++) {
		unsigned joined = s->periodic >> d & 1;

		if (s->size[d] == 2 && twos) {
			twos--;
		} else if (s->size[d] == 4 && joined && fours) {
			fours--;
			add_dimension(&t, 2, 0);
			add_dimension(&t, 2, 0);
		} else {
			add_dimension(&t, s->size[d], joined);
		}
	}
	*twin = t;
	return 1;
}

void shape_name(const struct shape *s, size_t size, char name[size])
{
	unsigned all = (1u << s->dimensions) - 1;
	const char *family = s->helical           ? "helical torus"
			     : s->periodic == all ? "torus"
			     : s->periodic        ? "cylinder"
						  : "grid";
	struct wording w = wording_begin(size, name);
	uint32_t d;

	if (s->kind == SHAPE_HYPERCUBE) {
		wording_add(&w, "hypercube %u", s->ranks);
		return;
	}
	if (s->kind == SHAPE_GRID && s->dimensions == 1) {
		wording_add(&w, s->periodic ? "ring" : "chain");
		return;
	}
	if (s->kind == SHAPE_GRID)
		wording_add(&w, "%u-D %s ", s->dimensions, family);
	else
		wording_add(&w, "all-to-all in rows and columns ");
	for (d = 0; d < s->dimensions; d++)
		wording_add(&w, "%s%u%s", d ? "x" : "", s->size[d],
			    s->periodic & 1u << d && s->periodic != all && !s->helical ? "o" : "");
	if (s->diagonals)
		wording_add(&w, " with diagonals");
}

struct lister {
	struct shape s;
	enum shape_order order;
	void (*each)(const struct shape *s, void *arg);
	void *arg;
};

/* All ways to join the ends of the dimensions; of equal ones in a row the last are joined. */
static void list_joined(struct lister *l)
{
	struct shape s = l->s;
	uint32_t d;

	for (s.periodic = 0; s.periodic < 1u << s.dimensions; s.periodic++) {
		int fits = 1;

		for (d = 0; d < s.dimensions; d++) {
			if (s.periodic & 1u << d && s.size[d] < 3)
				fits = 0;
			if (l->order == SHAPE_UNORDERED && d && s.size[d] == s.size[d - 1] &&
			    s.periodic & 1u << (d - 1) && !(s.periodic & 1u << d))
				fits = 0;
		}
		for (s.diagonals = 0; fits && s.diagonals < 1 + (s.dimensions > 1); s.diagonals++)
			l->each(&s, l->arg);
	}
}

/* Rows whose ends are joined to the next row's beginning, and columns that go round. */
static void list_helical(struct lister *l)
{
	struct shape s = l->s;

	if (l->order != SHAPE_NATURAL || s.dimensions != 2 || s.size[1] < 3)
		return;
	s.helical = 1u << 1;
	s.periodic = s.helical | (s.size[0] > 2);
	s.diagonals = 0;
	l->each(&s, l->arg);
}

/* Factor what is left into the dimensions from d on. */
static void list_sizes(struct lister *l, uint32_t d, uint32_t left)
{
	uint32_t f;

	assert(d < SHAPE_DIMENSIONS);
	if (d + 1 == l->s.dimensions) {
		l->s.size[d] = left;
		if (left >= 2 && (l->order == SHAPE_NATURAL || !d || left >= l->s.size[d - 1])) {
			list_joined(l);
			list_helical(l);
		}
		return;
	}
	f = l->order == SHAPE_UNORDERED && d ? l->s.size[d - 1] : 2;
	for (; f <= left / 2; f++) {
		if (left % f)
			continue;
		l->s.size[d] = f;
		list_sizes(l, d + 1, left / f);
	}
}

static void list_crossings(struct lister *l)
{
	uint32_t rows;

	l->s = (struct shape){.kind = SHAPE_ROWS_AND_COLUMNS, .ranks = l->s.ranks, .dimensions = 2};
	for (rows = 2; rows <= l->s.ranks / 2; rows++) {
		if (l->s.ranks % rows)
			continue;
		l->s.size[0] = rows;
		l->s.size[1] = l->s.ranks / rows;
		if (l->order == SHAPE_NATURAL || rows <= l->s.size[1])
			l->each(&l->s, l->arg);
	}
}

void shapes_each(uint32_t ranks, enum shape_order order,
		 void (*each)(const struct shape *s, void *arg), void *arg)
{
	struct lister l = {.s = {.ranks = ranks}, .order = order, .each = each, .arg = arg};
	struct shape cube = {.kind = SHAPE_HYPERCUBE, .ranks = ranks};

	if (ranks < 3)
		return;
	for (l.s.dimensions = 1; l.s.dimensions <= SHAPE_DIMENSIONS; l.s.dimensions++)
		list_sizes(&l, 0, ranks);
	if (is_power_of_2(ranks) && ranks >= 4)
		each(&cube, arg);
	list_crossings(&l);
}
