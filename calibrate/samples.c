/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calibrate/samples.h"

#include "common/ascending.h"

#include <math.h>
#include <stdlib.h>

int samples_add(struct samples *a, double s)
{
	size_t room = a->room ? 2 * a->room : 64;
	double *more;

	if (a->n == a->room) {
		more = realloc(a->s, room * sizeof(*more));
		if (!more)
			return -1;
		a->s = more;
		a->room = room;
	}
	a->s[a->n++] = s;
	a->sorted = 0;
	return 0;
}

void samples_release(struct samples *a)
{
	free(a->s);
	*a = (struct samples){0};
}

/* Student's interval of 2 to 5 samples and all of them, into *e. */
static void reach_of_few(const struct samples *a, struct estimate *e)
{
	/* 0.975 quantiles for 1 to 4 degrees of freedom */
	static const double t[SAMPLES_ENOUGH] = {
		[2] = 12.71, [3] = 4.303, [4] = 3.182, [5] = 2.776};
	double mean = 0, squares = 0, half;
	size_t i;

	for (i = 0; i < a->n; i++)
		mean += a->s[i] / (double)a->n;
	for (i = 0; i < a->n; i++)
		squares += (a->s[i] - mean) * (a->s[i] - mean);
	half = t[a->n] * sqrt(squares / (double)(a->n - 1) / (double)a->n);
	e->low = fmin(a->s[0], mean - half);
	e->high = fmax(a->s[a->n - 1], mean + half);
}

struct estimate samples_median(struct samples *a)
{
	struct estimate e = {.n = a->n};
	double half;
	size_t low, high;

	if (a->n == 0)
		return e;
	if (!a->sorted)
		qsort(a->s, a->n, sizeof(*a->s), ascending);
	a->sorted = 1;
	e.value = (a->s[(a->n - 1) / 2] + a->s[a->n / 2]) / 2;
	half = 0.98 * sqrt((double)a->n); /* 1.96 / 2: of a binomial with p = 1/2 */
	low = (double)a->n / 2 > half ? (size_t)floor((double)a->n / 2 - half) : 0;
	high = (size_t)ceil((double)a->n / 2 + half); /* 0-based: one less than the rank */
	low = low > 0 ? low - 1 : 0;
	high = high < a->n ? high : a->n - 1;
	e.low = a->s[low];
	e.high = a->s[high];
	if (a->n > 1 && a->n < SAMPLES_ENOUGH)
		reach_of_few(a, &e);
	return e;
}

double estimate_half_width(struct estimate e)
{
	return e.n && e.value != 0 ? (e.high - e.low) / 2 / fabs(e.value) : INFINITY;
}

static size_t fewer(size_t a, size_t b)
{
	return a < b ? a : b;
}

struct estimate estimate_sum(struct estimate a, struct estimate b)
{
	return (struct estimate){.value = a.value + b.value,
				 .low = a.value + b.value - hypot(a.value - a.low, b.value - b.low),
				 .high = a.value + b.value +
					 hypot(a.high - a.value, b.high - b.value),
				 .n = fewer(a.n, b.n)};
}

struct estimate estimate_times(double factor, struct estimate a)
{
	struct estimate e = {factor * a.value, factor * a.low, factor * a.high, a.n};

	if (factor < 0) {
		e.low = factor * a.high;
		e.high = factor * a.low;
	}
	return e;
}

struct estimate estimate_difference(struct estimate a, struct estimate b)
{
	return estimate_sum(a, estimate_times(-1, b));
}

int estimate_is_identified(struct estimate e)
{
	return e.n > 0 && e.value > 0 && e.low > 0;
}

int estimates_differ(struct estimate a, struct estimate b)
{
	return a.high < b.low || b.high < a.low;
}
