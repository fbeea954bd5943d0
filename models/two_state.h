/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A gap per byte with two states, without and with contention (Steffenel 2006, eq. 3): of all
 * transfers a share rho is delayed. Pure; any one unit of time.
 */
#ifndef MODELS_TWO_STATE_H
#define MODELS_TWO_STATE_H

#include "common/err.h"

struct two_state {
	double beta_F; /* time/byte, contention-free */
	double beta_C; /* time/byte, with contention */
	double rho;    /* share of transfers that meet contention, 0 to 1 */
};

/* beta = (1 - rho) beta_F + rho beta_C. Returns 0, or -1 with *err set, *beta untouched. */
int two_state_gap(struct two_state t, double *beta, struct err *err);

#endif
