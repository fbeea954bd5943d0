/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Is a machine file about the machine of a run? What a file and run.json both say is compared:
 * the MPI, and of each of the run's hosts the processor or, where that is not told, the name.
 * A cluster is calibrated on a few of its nodes, so names alone do not have to agree.
 */
#ifndef ANALYZE_MACHINE_IDENTITY_H
#define ANALYZE_MACHINE_IDENTITY_H

#include "analyze/run.h"

/*
 * Returns 0 when nothing speaks against it, also when file or run do not say what they are of;
 * -1 with *err set to the difference, as a clause: "X, not Y".
 */
int machine_identity_check(const char *path, const struct run *r, struct err *err);

#endif
