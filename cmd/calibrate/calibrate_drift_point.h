/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A round trip then and now, as calibrate --drift says it: a line of its table, an object. */
#ifndef CMD_CALIBRATE_DRIFT_POINT_H
#define CMD_CALIBRATE_DRIFT_POINT_H

#include <jansson.h>
#include <stdio.h>

#include "calibrate/moved.h"
#include "calibrate/places.h"

void calibrate_drift_point_put(FILE *out, enum nearness n, const struct drift_point *p,
			       enum drift_says verdict);

/* How many points say what. */
struct drift_tally {
	int n[DRIFT_SAYS];
};

/* Of how many it cannot be told whether they moved. */
int calibrate_drift_point_untold(const struct drift_tally *t);

/* The table's last line. */
void calibrate_drift_point_sum(FILE *out, const struct drift_tally *t);

/* Caller: json_decref. */
json_t *calibrate_drift_point_json(enum nearness n, const struct drift_point *p,
				   enum drift_says verdict);

#endif
