/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/patterns/pattern_fit.h"

#include "analyze/patterns/pair_odds.h"
#include "common/ascending.h"

#include <math.h>
#include <stdlib.h>

/*
 * A pair is whole with so many standard deviations fewer messages: as many are missing by chance.
 * One with less than half of them is not.
 */
#define LEEWAY 0.5
#define HALF   0.5

int fit_init(struct fit *f, const struct traffic *t, size_t room, struct err *err)
{
	*f = (struct fit){
		.t = t, .typical = t->typical, .scatter = t->scatter, .room = room, .thinnest = 1};
	f->count = calloc(room + 1, sizeof(*f->count));
	f->value = calloc(room + 1, sizeof(*f->value));
	if (f->count && f->value)
		return 0;
	fit_release(f);
	return err_set(err, "out of memory for the pattern of %u ranks", t->ranks);
}

void fit_release(struct fit *f)
{
	free(f->count);
	free(f->value);
	f->count = NULL;
	f->value = NULL;
}

void fit_clear(struct fit *f)
{
	f->n = 0;
	f->squares = 0;
	f->volume = 0;
	f->messages = 0;
	f->present = 0;
	f->strict = 0;
	f->there = 0;
	f->strong = 0;
	f->lacks = 0;
	f->expected = 0;
	f->whole = 0;
	f->thinnest = 1;
	f->uniform = 0;
	f->weight = 0;
}

void fit_add(struct fit *f, double count, double volume, double value)
{
	if (f->n == f->room)
		return;
	f->count[f->n] = count;
	f->value[f->n++] = value;
	f->squares += value * value / count;
	f->volume += volume;
	f->messages += count;
}

double fit_uniformity(size_t n, const double *x)
{
	double sum = 0;
	double squares = 0;
	size_t i;

	for (i = 0; i < n; i++) {
		sum += x[i];
		squares += x[i] * x[i];
	}
	return squares > 0 ? sum * sum / ((double)n * squares) : 0;
}

/*
 * Of the group, whose values sum up to so much, and whose pairs lack such a share of so many
 * messages. Sums of few messages differ as single messages do, and by those that are missing: that
 * is no difference between the pairs.
 */
static double group_uniformity(const struct fit *f, double sum, double lacking, double whole)
{
	double varied = 1 / fit_uniformity(f->n, f->value) - 1;
	double by_chance = f->scatter * (double)f->n * f->squares / (sum * sum) +
			   lacking / (1 - lacking) / whole;

	return 1 / (1 + fmax(0, varied - by_chance));
}

/* End a group, whose pairs are whole from so many messages on. */
static void end_group(struct fit *f, double expected, double whole)
{
	double present = 0;
	double strict = 0;
	double strong = 0;
	double lacks = 0;
	double sum = 0;
	size_t i;

	f->expected += expected;
	f->whole = whole;
	for (i = 0; i < f->n; i++) {
		double share = fmin(1, f->count[i] / whole);

		strict += share;
		strong += share >= HALF;
		lacks += share >= HALF ? 1 - share : 0;
		present += share < HALF || f->is_strict ? share
							: fmin(1, share + LEEWAY / sqrt(whole));
		sum += f->value[i];
	}
	f->present += present;
	f->strict += strict;
	f->there += (double)f->n;
	f->strong += strong;
	f->lacks += lacks;
	if (expected > 0)
		f->thinnest = fmin(f->thinnest, strict / expected);
	f->uniform += sum > 0 ? group_uniformity(f, sum, lacks / fmax(1, strong), whole) * sum : 0;
	f->weight += sum;
	f->squares = 0;
	f->n = 0;
}

static double median_count(struct fit *f)
{
	if (!f->n)
		return 0;
	qsort(f->count, f->n, sizeof(*f->count), ascending);
	return f->count[f->n / 2];
}

/*
 * Presence: a pair with half the messages of its group's median is half there, and so are strays,
 * whatever their group's median.
 */
void fit_group(struct fit *f, double expected)
{
	end_group(f, expected, fmax(median_count(f), TRAFFIC_STRAY * f->typical));
}

void fit_rest(struct fit *f, double expected)
{
	end_group(f, expected, f->whole);
}

int fit_lacks_by_chance(const struct fit *f)
{
	return pair_odds_may_leave(f->whole, f->expected, f->there, f->strong, f->lacks);
}

void fit_result(const struct fit *f, struct candidate *c)
{
	c->explained = f->t->volume > 0 ? f->volume / f->t->volume : 0;
	c->of_messages = f->t->messages > 0 ? f->messages / f->t->messages : 0;
	c->expected = f->expected;
	c->presence = f->expected > 0 ? f->present / f->expected : 0;
	c->lacking = f->expected > 0 ? 1 - f->strict / f->expected : 1;
	c->by_chance = !f->is_strict && fit_lacks_by_chance(f);
	c->uniformity = f->weight > 0 ? f->uniform / f->weight : 0;
}
