/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where one contention signature serves: libraries change their algorithm and protocol with
 * the size of a message, small messages never fill the network, and one gamma and delta for
 * all of that serve none of it. Sizes are divided into ranges that have a signature each, and
 * sizes that have none: as few of both as can be, where a range is of four measured sizes at
 * least and its signature within SIGNATURE_FITS of each size's mean time, or within twice the
 * standard error of that mean. A range that holds for fewer processes only without its smallest
 * sizes, four remaining, is two ranges of one signature.
 * Pure like signature_fit.h, whose samples, units and weights these are.
 */
#ifndef MODELS_SIGNATURE_REGIMES_H
#define MODELS_SIGNATURE_REGIMES_H

#include "models/signature_fit.h"

/* A signature serves a size when it is so near to its mean time. */
#define SIGNATURE_FITS 0.05

struct signature_regime {
	double from_bytes, to_bytes; /* measured sizes */
	struct signature_fit fit;
};

/*
 * The first regime is of all sizes, as in the paper, however badly it serves; when it does not
 * serve all, those that do follow, ascending, at most `most` altogether. Returns how many, or
 * -1 with *err set: as signature_fit of all sizes.
 */
int signature_regimes(const struct signature_question *q, size_t count,
		      const struct signature_sample samples[count], int most,
		      struct signature_regime out[most], struct err *err);

#endif
