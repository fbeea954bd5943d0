/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Is a machine file about the machine of a run? See machine_file.h: what run.json says counts. */
#ifndef ANALYZE_MACHINE_IDENTITY_H
#define ANALYZE_MACHINE_IDENTITY_H

#include "analyze/run/run.h"

/*
 * Returns 0 when nothing speaks against it, also when file or run do not say what they are of;
 * -1 with *err set to the difference, as a clause: "X, not Y".
 */
int machine_identity_check(const char *path, const struct run *r, struct err *err);

/* So too of a file that passed: -1 with *err set when it measured other hosts of the same kind. */
int machine_identity_hosts(const char *path, const struct run *r, struct err *err);

#endif
