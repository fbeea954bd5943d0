/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What --drift measures again, from a machine file; nothing in the file is taken on trust. */
#ifndef CMD_CALIBRATE_DRIFT_FILE_H
#define CMD_CALIBRATE_DRIFT_FILE_H

#include <jansson.h>

#include "calibrate/drift.h"

/*
 * Fill in what was before: of each class there the sizes and their round trips. path is for the
 * messages. Returns 0, or -1 with *err set: a size or a time that cannot be, or no round trips.
 */
int calibrate_drift_file(const json_t *machine, const char *path, struct drift *d, struct err *err);

#endif
