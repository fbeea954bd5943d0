/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Regular neighbourhoods of P ranks: grids and tori of one to four dimensions (one: chain
 * and ring), with the diagonal neighbours or without, of two also helical, hypercubes, and rows
 * and columns in which everybody is everybody's neighbour. Ranks count as in C arrays, last
 * dimension fastest. No memory, no state.
 */
#ifndef ANALYZE_SHAPES_H
#define ANALYZE_SHAPES_H

#include <stddef.h>
#include <stdint.h>

#define SHAPE_DIMENSIONS 4
#define SHAPE_NONE       UINT32_MAX

enum shape_kind { SHAPE_GRID, SHAPE_HYPERCUBE, SHAPE_ROWS_AND_COLUMNS };

struct shape {
	enum shape_kind kind;
	uint32_t ranks;
	uint32_t dimensions;
	uint32_t size[SHAPE_DIMENSIONS];
	unsigned periodic; /* bit d: dimension d, of 3 or more, has its ends joined */
	unsigned helical;  /* of these, bit d: the end of a line to the beginning of the next one */
	int diagonals;
};

enum shape_order {
	SHAPE_NATURAL,  /* all orders of dimensions: ranks as they are numbered */
	SHAPE_UNORDERED /* sizes ascending only: up to the numbers of the ranks */
};

/* Each shape of this many ranks, the shorter to describe the earlier. */
void shapes_each(uint32_t ranks, enum shape_order order,
		 void (*each)(const struct shape *s, void *arg), void *arg);

/*
 * Directions to look in: slot s leads to one neighbour of each rank, or SHAPE_NONE at an edge.
 * Over all ranks and slots every two neighbours come exactly once.
 */
uint32_t shape_slots(const struct shape *s);
uint32_t shape_neighbour(const struct shape *s, uint32_t rank, uint32_t slot);

/* The dimension that the slot goes along, or SHAPE_NONE; and how far along d a rank is. */
uint32_t shape_axis(const struct shape *s, uint32_t slot);
uint32_t shape_position(const struct shape *s, uint32_t rank, uint32_t d);

/* Are the two neighbours over the joined ends of a dimension? */
int shape_is_joint(const struct shape *s, uint32_t rank, uint32_t to);

/* How many two that are neighbours. */
uint64_t shape_pairs(const struct shape *s);

/* Difference of neighbours' ranks along dimension d, away from the edges. */
uint32_t shape_stride(const struct shape *s, uint32_t d);

/*
 * Pairs over the joined ends of a dimension, the fewest; 1 if one cannot be joined, or it is no
 * grid.
 */
uint32_t shape_side(const struct shape *s);

/* Words: how much must be said to describe it; from 1. */
unsigned shape_length(const struct shape *s);

/* "2-D torus 4x8", "chain"; as a hypercube too when it is one (then returns 1, else 0). */
void shape_name(const struct shape *s, size_t size, char name[size]);
int shape_is_hypercube(const struct shape *s);

/*
 * A ring of four is two by two: the same grid, up to the numbers of ranks, with a dimension more or
 * fewer. Returns 1, or 0: there is none.
 */
int shape_twin(const struct shape *s, struct shape *twin);

#endif
