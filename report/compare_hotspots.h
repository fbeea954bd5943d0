/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The hotspots of two runs side by side: which appeared, grew, shrank or are gone. */
#ifndef REPORT_COMPARE_HOTSPOTS_H
#define REPORT_COMPARE_HOTSPOTS_H

#include <jansson.h>

/* What is no difference. */
struct compare_band {
	double noise;     /* share of the base's value */
	double wall_s;    /* of the base */
	double awaited_s; /* ranks of one run or the other may have lacked a core for so long */
};

/*
 * Those of the new run, then those that are gone. What each likely saves decides whether it is
 * larger or smaller; "open": beyond the noise, but not beyond awaited_s. A new reference.
 */
json_t *compare_hotspots(const json_t *base, const json_t *new, const struct compare_band *band);

/*
 * Did this one of them appear and is worth anybody's time, or grow until it is, or until it is
 * worth more? What it likely costs has to be more than ranks of either run were without a core.
 */
int compare_is_worse_hotspot(const json_t *row, const struct compare_band *band);

#endif
