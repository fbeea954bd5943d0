/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What follows from the measured directions: the simpler models' parameters, how far the two
 * directions differ, and how uncertain it all is. Pure. Seconds, bytes.
 */
#ifndef CALIBRATE_DERIVED_H
#define CALIBRATE_DERIVED_H

#include "calibrate/calibration.h"

/* LogGP (Kielmann 2000, table 1) and Hockney; not clipped, so L may be below 0. */
struct derived_models {
	double L_s, o_s, g_s, G_s_per_byte;
	double alpha_s, beta_s_per_byte;
};

struct derived_models derived_models(const struct calibrated_direction *d);

/*
 * L + g(m) of the i-th size, which a round trip tells without either: RTT(m) - RTT(0)/2, by the
 * equations in gaps.h. It is the time of a message also where g(0), which needs a saturated
 * network, is more than RTT(0)/2 and so leaves no L.
 */
struct estimate derived_latency_and_gap(const struct calibrated_direction *d, uint32_t i);

/* LogGP's L and o with their intervals, of a direction that has a size; likewise not clipped. */
struct estimate derived_loggp_latency(const struct calibrated_direction *d);
struct estimate derived_loggp_overhead(const struct calibrated_direction *d);
struct estimate derived_loggp_gap(const struct calibrated_direction *d);

/* Was a message measured that is not empty? Else G and beta are not known. */
int derived_has_bytes(const struct calibrated_direction *d);

/* Relative half-width of the worst gap that is identified, at most 1; 1 where no byte's is. */
double derived_uncertainty(const struct calibrated_direction *d);

/* Where one way differs most from the other: back's gap over there's, of a size of both. */
struct derived_asymmetry {
	uint64_t bytes;
	double ratio;         /* 0: no size of both is identified */
	int beyond_intervals; /* 1: the two intervals do not overlap */
};

struct derived_asymmetry derived_asymmetry(const struct calibrated_class *c);

/* A smaller message that takes far longer than a larger one: something else did. */
struct derived_disorder {
	uint64_t bytes, larger; /* 0 and 0: there is none */
	double g_s, larger_g_s;
};

struct derived_disorder derived_disorder(const struct calibrated_direction *d);

#endif
