/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The machine file, "contend-machine/1", from what was measured. */
#ifndef CMD_CALIBRATE_JSON_H
#define CMD_CALIBRATE_JSON_H

#include <jansson.h>

#include "calibrate/calibration.h"

/* A new reference, or NULL without memory. */
json_t *calibrate_json(const struct calibration *c);

#endif
