/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The named parts of a time as a bar of their colours, one beside the other; shapes in SVG. */
#ifndef REPORT_STACKED_H
#define REPORT_STACKED_H

#include <jansson.h>
#include <stdio.h>

#include "report/legend.h"

/* Of each part of the legend, s. */
struct stacked {
	double part_s[LEGEND_PARTS];
};

/* Where a bar is; how long one as wide would be, and of what its pieces are a share. */
struct stacked_box {
	double x, y, width, height;
	double wide_s, all_s;
};

/* Adds what an object has of each part by its key: a number, or an object with "s". */
void stacked_add(struct stacked *x, const json_t *parts);

double stacked_sum_s(const struct stacked *x);

/* Pointed at, each piece says what it is, how long and which share of all_s. */
void stacked_put(FILE *out, const struct stacked *x, const struct stacked_box *box);

/* Which colour is which part: those with at least half a percent of all_s. */
void stacked_key(FILE *out, const struct stacked *x, double all_s);

#endif
