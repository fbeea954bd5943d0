/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/clock/clock_tube.h"

#include <math.h>
#include <stdlib.h>

/* No clocks differ by more than this share of the time that passes; of a rate's search. */
#define STEEPEST 1.0
#define HALVINGS 24
#define SAFETY   2

int clock_tube_init(struct clock_tube *x, uint32_t slots, int64_t wall_ns)
{
	*x = (struct clock_tube){.slots = slots, .slot_ns = ((double)wall_ns + 1) / slots};
	x->room = malloc(slots * sizeof(*x->room));
	return x->room ? 0 : -1;
}

void clock_tube_release(struct clock_tube *x)
{
	free(x->room);
	x->room = NULL;
}

uint32_t clock_tube_slot(const struct clock_tube *x, int64_t ns)
{
	double k = (double)ns / x->slot_ns;

	return k < 0 ? 0 : k < x->slots ? (uint32_t)k : x->slots - 1;
}

int64_t clock_tube_excess_ns(const struct clock_tube *x, const int64_t *there, const int64_t *back)
{
	int64_t most_ns = 0;

	for (uint32_t k = 0; k < x->slots; k++)
		if (there[k] != CLOCK_TUBE_EMPTY && back[k] != CLOCK_TUBE_EMPTY &&
		    -(there[k] + back[k]) > most_ns)
			most_ns = -(there[k] + back[k]);
	return most_ns;
}

/* What is proved of the next slot, or of all of one slot by a message somewhere in it. */
static double onwards(double before, int64_t here_ns, double step)
{
	double here = here_ns == CLOCK_TUBE_EMPTY ? INFINITY : (double)here_ns;

	return fmin(before, here) + step;
}

/* Does no slot contradict another, at this rate? */
static int is_possible(const struct clock_tube *x, const int64_t *there, const int64_t *back,
		       double rate, double excess)
{
	double step = rate * x->slot_ns, most = INFINITY;
	uint32_t k;

	for (k = 0; k < x->slots; k++) {
		most = onwards(most, there[k], step);
		if (back[k] != CLOCK_TUBE_EMPTY && most + excess < -(double)back[k])
			return 0;
	}
	most = INFINITY;
	for (k = x->slots; k-- > 0;) {
		most = onwards(most, there[k], step);
		if (back[k] != CLOCK_TUBE_EMPTY && most + excess < -(double)back[k])
			return 0;
	}
	return 1;
}

double clock_tube_rate(const struct clock_tube *x, const int64_t *there, const int64_t *back,
		       double usual)
{
	double excess = (double)clock_tube_excess_ns(x, there, back);
	double low = usual, high = STEEPEST, middle;

	if (is_possible(x, there, back, usual, excess))
		return usual;
	for (int i = 0; i < HALVINGS; i++) {
		middle = sqrt(low * high);
		if (is_possible(x, there, back, middle, excess))
			high = middle;
		else
			low = middle;
	}
	return SAFETY * high;
}

void clock_tube_most(const struct clock_tube *x, const int64_t *there, double rate, double *most_ns)
{
	double step = rate * x->slot_ns, most = INFINITY;
	uint32_t k;

	for (k = 0; k < x->slots; k++)
		most_ns[k] = most = onwards(most, there[k], step);
	most = INFINITY;
	for (k = x->slots; k-- > 0;) {
		most = onwards(most, there[k], step);
		most_ns[k] = fmin(most, most_ns[k]);
	}
}
