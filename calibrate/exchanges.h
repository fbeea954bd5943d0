/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All-to-alls of all ranks and of fewer, and the contention signature that they show. */
#ifndef CALIBRATE_EXCHANGES_H
#define CALIBRATE_EXCHANGES_H

#include "calibrate/contention.h"

/* Collective. Fills the exchanges and, on rank 0, the signature's regimes or why_not. */
void exchanges_measure(const struct together *t, double most_s, size_t room,
		       const struct contention_plan *plan, struct contention *out);

#endif
