/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the measurement cannot tell, by its name and why: times that cannot be told from 0, or are
 * below it, which no time is; what was set to 0 for that; what a model has no number for.
 */
#ifndef CMD_CALIBRATE_UNIDENTIFIED_H
#define CMD_CALIBRATE_UNIDENTIFIED_H

#include <jansson.h>

#include "calibrate/calibration.h"

/* { "L": why, "o_s(64)": why, "LogGP L": why }. Caller: json_decref. */
json_t *calibrate_unidentified_json(const struct calibrated_direction *d);

/* { "R_i": why, "delta(512 B to 4.00 KiB)": why }; crowded: more ranks than cores. Likewise. */
json_t *calibrate_unidentified_contention_json(const struct contention *c, int crowded);

#endif
