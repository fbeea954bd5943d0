/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Measured times and what they say: the median and a 95 % interval that assumes nothing about
 * their distribution, if there are enough (order statistics; Le Boudec, Performance Evaluation
 * 2010, section 2.2.2).
 * No sample is thrown away. Seconds.
 */
#ifndef CALIBRATE_SAMPLES_H
#define CALIBRATE_SAMPLES_H

#include <stddef.h>

/*
 * From so many on order statistics tell the median's interval. That of fewer reaches below 0 when
 * one of them takes several times as long.
 */
#define SAMPLES_ENOUGH 6

/* A value with its 95 % interval, from n samples; n = 0: not measured. */
struct estimate {
	double value, low, high;
	size_t n;
};

struct samples {
	double *s;
	size_t n, room;
	int sorted;
};

/* Returns 0, or -1 without memory. */
int samples_add(struct samples *a, double s);
void samples_release(struct samples *a);

/*
 * The median. With fewer than SAMPLES_ENOUGH no such interval exists: from the least to the
 * largest it would be too narrow, so it is Student's, of a mean of normally distributed ones, if
 * that reaches further. One alone has none.
 */
struct estimate samples_median(struct samples *a);

/* Half the interval's width as a share of the value; infinite for 0 and for no samples. */
double estimate_half_width(struct estimate e);

/* a + b and a - b of independent estimates: widths add in quadrature. */
struct estimate estimate_sum(struct estimate a, struct estimate b);
struct estimate estimate_difference(struct estimate a, struct estimate b);
struct estimate estimate_times(double factor, struct estimate a);

/* Is it below 0, or can it not be told from 0? Then it is not identified. */
int estimate_is_identified(struct estimate e);

/* Do their intervals have nothing in common? */
int estimates_differ(struct estimate a, struct estimate b);

#endif
