/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What speaks against a calibration's figures, in sentences: a crowded or busy machine. */
#ifndef CMD_CALIBRATE_CONDITIONS_H
#define CMD_CALIBRATE_CONDITIONS_H

#include <jansson.h>

#include "calibrate/calibration.h"

/* A new array of texts, empty when nothing does. NULL without memory. */
json_t *calibrate_conditions_json(const struct calibration *c);

/* Of the time, that the rank with least had a core in any class. */
double calibrate_core_share(const struct calibration *c);

#endif
