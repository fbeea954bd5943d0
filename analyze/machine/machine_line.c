/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/machine/machine_line.h"

#include <math.h>
#include <stddef.h>

#define BEYOND_MOST  16    /* times the size of what is known: a line is not believed beyond */
#define LINE_NEAR    0.075 /* off the line, as a share: on it */
#define BYTES_MATTER 1.25  /* times what a small one takes: else the bytes' share is noise */

/* The first bin from this one on, in steps, with as many legs; -1: none. */
static int first_known(const struct known known[SAMPLE_BINS], int bin, int step, int legs)
{
	for (; bin >= 0 && bin < SAMPLE_BINS; bin += step)
		if (known[bin].time.n > 0 && known[bin].legs == legs)
			return bin;
	return -1;
}

/* What is said of it alone, s. */
static double alone_s(const struct known *k)
{
	return k->line_s > 0 ? fmin(k->line_s, k->time.s) : k->time.s;
}

static double slope(const struct known *a, const struct known *b)
{
	return (alone_s(b) - alone_s(a)) / (b->time.bytes - a->time.bytes);
}

/* From a size, along a slope. */
static double along(const struct known *a, double s_per_byte, double bytes)
{
	return fmax(0, alone_s(a) + s_per_byte * (bytes - a->time.bytes));
}

/* What a size would take alone, s, INFINITY: unknown; do only such tell that were seen alone? */
struct line {
	double s;
	int alone;
};

/* By what smaller sizes take: the steepest way that leads to the largest of them. */
static struct line beyond(const struct known known[SAMPLE_BINS], int bin, int below)
{
	const struct known *k = &known[bin], *last = &known[below];
	struct line line = {INFINITY, last->alone};
	double most = 0;

	for (int b = 0; b < below; b++) {
		const struct known *a = &known[b];

		if (a->time.n > 0 && a->legs == k->legs && last->time.bytes >= 2 * a->time.bytes &&
		    alone_s(last) >= BYTES_MATTER * alone_s(a))
			most = fmax(most, slope(a, last));
	}
	if (most > 0 && k->time.bytes <= BEYOND_MOST * last->time.bytes)
		line.s = along(last, most, k->time.bytes);
	return line;
}

/* By what the next smaller and the next larger one take. */
static struct line between(const struct known known[SAMPLE_BINS], int bin, int below, int above)
{
	const struct known *a = &known[below], *b = &known[above];

	return (struct line){along(a, slope(a, b), known[bin].time.bytes), a->alone && b->alone};
}

/*
 * One that takes what the line says was hindered by nobody, if those on the line were not; one
 * that takes more, perhaps.
 */
static void judge(struct known *k, struct line line)
{
	if (k->time.s > line.s * (1 + LINE_NEAR))
		k->line_s = fmin(line.s, k->line_s > 0 ? k->line_s : INFINITY);
	else if (k->time.s >= line.s * (1 - LINE_NEAR))
		k->alone |= line.alone;
}

/* The first of these that was seen alone, or is as good; -1: none. */
static int first_alone(const struct known known[SAMPLE_BINS], int bin, int step, int legs)
{
	bin = first_known(known, bin, step, legs);
	while (bin >= 0 && !known[bin].alone)
		bin = first_known(known, bin + step, step, legs);
	return bin;
}

/* By its neighbours, or by those that were seen alone. */
static void judge_by(struct known known[SAMPLE_BINS], int bin, int below, int above)
{
	if (below >= 0)
		judge(&known[bin], beyond(known, bin, below));
	if (below >= 0 && above >= 0)
		judge(&known[bin], between(known, bin, below, above));
}

void line_find(struct known known[SAMPLE_BINS])
{
	for (int b = 0; b < SAMPLE_BINS; b++) {
		struct known *k = &known[b];

		if (k->time.n == 0 || k->alone)
			continue;
		judge_by(known, b, first_known(known, b - 1, -1, k->legs),
			 first_known(known, b + 1, 1, k->legs));
		judge_by(known, b, first_alone(known, b - 1, -1, k->legs),
			 first_alone(known, b + 1, 1, k->legs));
		if (k->alone)
			k->line_s = 0;
	}
}
