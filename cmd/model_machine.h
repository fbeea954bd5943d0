/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A model's inputs from a machine file. */
#ifndef CMD_MODEL_MACHINE_H
#define CMD_MODEL_MACHINE_H

#include "cmd/model_args.h"

/*
 * Values for inputs not given, from a machine file ("contend-machine/1"). Of its "model"
 * object: {"L": 21, ...} for all models, {"logpc": {"n": 2}} for one; "unit" is what text
 * calls the unit of time. For what that does not have: L, o, g, G, alpha and beta of
 * the class "network", unless the unit is not the second. Returns 0, or -1 with *err set.
 */
int model_machine_defaults(const char *path, struct model_args *in, struct err *err);

#endif
