/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The samples of a signature fit: those at one number of processes, grouped by size; and for
 * which other numbers of processes the fitted signature holds. For signature_fit.c.
 */
#ifndef MODELS_SIGNATURE_DATA_H
#define MODELS_SIGNATURE_DATA_H

#include "models/signature_fit.h"

/* One size. */
struct signature_group {
	double bytes;
	size_t n;
	double mean; /* of y */
	double sd;   /* of y among replicates, else 0; as a weight a power of the mean */
};

struct signature_data {
	enum signature_weights weights;
	double processes;
	size_t n;
	double *x;     /* alpha + m beta */
	double *y;     /* T / (n - 1) */
	size_t *group; /* of each sample */
	size_t n_groups;
	struct signature_group *groups; /* ascending bytes */
	double mean;                    /* of all y */
};

/* Check and group. Returns 0, or -1 with *err set. Caller: signature_data_release, either way. */
int signature_data_init(struct signature_data *d, const struct signature_question *q, size_t count,
			const struct signature_sample samples[count], struct err *err);
void signature_data_release(struct signature_data *d);

/* Set n_low, n_high, n_below: about f->n, while each size is within tolerance. */
void signature_data_range(size_t count, const struct signature_sample samples[count],
			  struct signature_fit *f);

#endif
