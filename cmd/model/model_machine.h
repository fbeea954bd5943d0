/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A model's inputs from a machine file. */
#ifndef CMD_MODEL_MACHINE_H
#define CMD_MODEL_MACHINE_H

#include "cmd/model/model_args.h"
#include "models/plogp.h"

/*
 * Values for inputs not given, from a machine file ("contend-machine/1"). Of its "model"
 * object: {"L": 21, ...} for all models, {"logpc": {"n": 2}} for one; "unit" is what text
 * calls the unit of time. For what that does not have: L, o, g, G, alpha and beta (LoPC's S_l and
 * S_o are L and o) of the farthest class, "network" before "node", unless the unit is not the
 * second. What calibration could not tell from 0 is no value. The signature's gamma, delta and M,
 * alpha and beta are those of the file's range of sizes that m is in; that there is none, or that
 * it says nothing (a busy machine), is an error. Returns 0, or -1 with *err set.
 */
int model_machine_defaults(const char *path, struct model_args *in, struct err *err);

/* The same class's sizes, o_s, o_r and g. Caller frees *out. Returns 0, or -1 with *err set. */
int model_machine_points(const char *path, size_t *n, struct plogp_point **out, struct err *err);

#endif
