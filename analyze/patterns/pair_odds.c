/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analyze/patterns/pair_odds.h"

#include <math.h>

/* So many of the messages may be missing, and as many be strays. */
#define NOISE 0.1

/* No number of messages is less likely than this, log: a shape's pairs need not be all even. */
#define FLOOR (-9.0)

/* Of shapes that are worth a look: so many standard deviations off. */
#define DEVIATIONS 3.0

/* Of sums whose terms become less: what comes behind one of this share is next to nothing. */
#define NEGLIGIBLE 1e-18

/* What chance makes no more often than this is not taken for it. */
#define RARE 0.001

/* That so many more strays than are looked for are chance: of many messages few more may be. */
#define SELDOM 0.02

static double log_poisson(double mean, double k)
{
	return k * log(mean) - mean - lgamma(k + 1);
}

static double log_binomial(double n, double k, double p)
{
	return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1) + k * log(p) +
	       (n - k) * log(1 - p);
}

/* That a pair is not strong if it lacks this share, half at most, of its messages. */
static double weak_if_lacking(const struct pair_odds *x, double lacking)
{
	double k = x->half - 1;
	double term = exp(log_binomial(x->typical, k, 1 - lacking));
	double sum = 0;

	for (; k >= 0 && term > NEGLIGIBLE * sum; k--) {
		sum += term;
		term *= k / (x->typical - k + 1) * lacking / (1 - lacking);
	}
	return sum;
}

struct pair_odds pair_odds_of(uint32_t ranks, double messages, double typical)
{
	struct pair_odds x = {.typical = (uint32_t)lround(fmax(1, typical)),
			      .messages = messages,
			      .all = 0.5 * ranks * (ranks - 1.0)};

	x.half = (x.typical + 1) / 2;
	x.odd = x.half > 1 ? x.half : 2;
	x.likeliest = floor((1 - NOISE) * (x.typical + 1.0));
	x.likeliest_log = log_binomial(x.typical, x.likeliest, 1 - NOISE);
	x.weak = weak_if_lacking(&x, NOISE);
	return x;
}

double pair_odds_if_pair(const struct pair_odds *x, uint32_t count)
{
	if (count >= x->likeliest)
		return 0;
	return fmax(FLOOR, log_binomial(x->typical, count, 1 - NOISE) - x->likeliest_log);
}

double pair_odds_if_not(const struct pair_odds *x, uint32_t count)
{
	double strays = fmax(NOISE * x->messages / x->all, 1e-6);

	return count ? fmin(0, fmax(FLOOR, log_poisson(strays, count))) : 0;
}

/* That so many or more come together by chance, of so many in the mean (Poisson). */
static double at_least(double of, double least)
{
	double mean = fmax(of, 1e-9);
	double top = fmax(least, floor(mean));
	double most = exp(log_poisson(mean, top));
	double sum = 0;
	double term = most;

	for (double k = top; term > NEGLIGIBLE * sum; k++) {
		sum += term;
		term *= mean / (k + 1);
	}
	term = most * top / mean;
	for (double k = top - 1; k >= least && term > NEGLIGIBLE * sum; k--) {
		sum += term;
		term *= k / mean;
	}
	return fmin(1, sum);
}

/* How many of so many may be, if one is as likely as this. */
static double most_of(double n, double likely)
{
	return n * likely + DEVIATIONS * sqrt(n * likely);
}

/* One pair more or less is always worth a look. */
int pair_odds_may_make(const struct pair_odds *x, double pairs, double strong)
{
	double others = fmax(1, x->all - pairs);
	double strays = NOISE * x->messages / others;

	return strong >= pairs - 1 - most_of(pairs, x->weak) &&
	       strong <= pairs + 1 + most_of(others, at_least(strays, x->half));
}

void pair_odds_note_pair(const struct pair_odds *x, uint32_t count, struct pair_misfits *to)
{
	if (count < x->half)
		return;
	to->strong++;
	to->lacking += 1 - fmin(1, (double)count / x->typical);
}

void pair_odds_note_other(const struct pair_odds *x, uint32_t count, struct pair_misfits *to)
{
	to->odd += count >= x->odd;
	to->strays += count < x->odd ? count : x->odd - 1;
}

int pair_odds_may_leave(double whole, double pairs, double there, double strong, double lacking)
{
	struct pair_odds x = {.typical = (uint32_t)lround(fmax(1, whole))};

	x.half = (x.typical + 1) / 2;
	lacking = fmin(0.5, fmax(1e-6, lacking / fmax(1, strong)));
	if (pairs - strong >= 0.5 &&
	    at_least(pairs * weak_if_lacking(&x, lacking), pairs - strong) < RARE)
		return 0;
	return pairs - there < 0.5 ||
	       at_least(pairs * pow(lacking, x.typical), pairs - there) >= RARE;
}

int pair_odds_may_stray(double messages, double others)
{
	return at_least(NOISE * messages, others) >= SELDOM;
}

int pair_odds_are_chance(const struct pair_odds *x, double pairs, const struct pair_misfits *of)
{
	double lacking = fmin(0.5, fmax(1e-6, of->lacking / fmax(1, of->strong)));
	double others = fmax(1, x->all - pairs);

	return at_least(pairs * weak_if_lacking(x, lacking), pairs - of->strong) *
		       at_least(others * at_least(of->strays / others, x->odd), of->odd) >=
	       RARE;
}
