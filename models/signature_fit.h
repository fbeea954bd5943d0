/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The contention signature of a network from measured all-to-alls (Steffenel 2006, section 8):
 * generalised least squares of
 *	T / (n - 1) = gamma (alpha + m beta) + delta [m >= M]
 * at one number of processes n that saturates the network, with at least four sizes m. M is
 * the measured size that explains the data best (likelihood of the normal errors that the
 * weights stand for); its interval are those that explain them hardly worse, by the likelihood
 * ratio. The weights: errors in proportion to the time (found again from the fitted times until
 * they agree), the standard deviation of replicates as a power of the time, or all alike.
 * The covariance is taken as diagonal: measurements do not disturb each other.
 * Pure: no I/O, memory only during the call, no globals; safe from any thread, apart from
 * GSL's error handler, which is off during the call. Bytes and any one unit of time.
 */
#ifndef MODELS_SIGNATURE_FIT_H
#define MODELS_SIGNATURE_FIT_H

#include <stddef.h>

#include "models/signature.h"

#define SIGNATURE_SIZES_MIN 4

/* Within this of each measured time at each size the model is taken to hold for another n. */
#define SIGNATURE_TOLERANCE 0.10

struct signature_sample {
	double n;     /* processes */
	double bytes; /* m */
	double time;  /* T of the whole all-to-all */
};

enum signature_weights {
	SIGNATURE_RELATIVE,   /* standard deviation in proportion to T */
	SIGNATURE_REPLICATES, /* as replicates vary, three or more of each size */
	SIGNATURE_EQUAL,
};

struct signature_question {
	struct hockney link; /* alpha, beta of one message alone */
	double n;            /* fit at this n; 0: the largest with enough sizes */
	enum signature_weights weights;
};

struct signature_fit {
	struct signature signature;
	double n;              /* processes of the samples used */
	size_t samples, sizes; /* used */
	double M_above;        /* delta is not paid at this size, the one below M; 0 = none below */
	double M_low,
		M_high; /* 95 %: M is above the first, 0 = none below, and at most the second */
	double se_M;    /* of that interval as a normal one's; infinite where M_low is 0 */
	double se_gamma, se_delta;
	double half_gamma, half_delta; /* of their 95 % intervals (Student's t) */
	double sigma;                  /* residual standard deviation in units of the weights */
	int delta_clamped;             /* 1: the best delta was below 0, so gamma is fitted alone */
	int tested;                    /* 1: there are replicates, the next two are set */
	double lack_of_fit_F;          /* F of residuals of the means against replicates */
	double lack_of_fit_p;          /* of a larger F when the model is right */
	double n_low, n_high;          /* tolerance holds for each measured n of this range */
	int n_below;                   /* 1: a measured n below n_low is outside the tolerance */
};

/*
 * Fit. Returns 0, or -1 with *err set and *out untouched: fewer than four sizes at one n,
 * values negative or no number, no slope, no memory.
 */
int signature_fit(const struct signature_question *q, size_t count,
		  const struct signature_sample samples[count], struct signature_fit *out,
		  struct err *err);

#endif
