/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The machine file's part about contention. */
#ifndef CMD_CALIBRATE_CONTENTION_H
#define CMD_CALIBRATE_CONTENTION_H

#include <jansson.h>

#include "calibrate/calibration.h"

/* Caller: json_decref. NULL without memory. */
json_t *calibrate_contention_json(const struct contention *c, int crowded);

/* Why there is none, a sentence. Caller: json_decref. */
json_t *calibrate_no_contention_json(const struct calibration *c);

/* { "value", "low", "high", "n", "identifiable" } */
json_t *calibrate_estimate_json(struct estimate e);

#endif
