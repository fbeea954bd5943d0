/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of parameters that the measurement cannot tell from 0 or below. */
#ifndef CMD_CALIBRATE_UNIDENTIFIED_H
#define CMD_CALIBRATE_UNIDENTIFIED_H

#include <jansson.h>

#include "calibrate/calibration.h"

/* [ "L", "o_s(64)", "g(0)" ]. Caller: json_decref. */
json_t *calibrate_unidentified_json(const struct calibrated_direction *d);

#endif
