/* SPDX-License-Identifier: GPL-3.0-or-later */
/* contend calibrate --drift: does a machine file still hold? */
#ifndef CMD_CALIBRATE_DRIFT_H
#define CMD_CALIBRATE_DRIFT_H

#include "common/err.h"

/*
 * Collective over MPI_COMM_WORLD: read the file on rank 0, measure, print there. Returns the exit
 * status on rank 0, STATUS_FINDING when something moved; -1 with *err set.
 */
int calibrate_drift(const char *path, struct err *err);

#endif
