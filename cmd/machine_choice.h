/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which machine parameters an analysis uses. */
#ifndef CMD_MACHINE_CHOICE_H
#define CMD_MACHINE_CHOICE_H

#include "analyze/machine/machine.h"
#include "analyze/run/run.h"

/*
 * The first of: --machine, CONTEND_MACHINE, machine.json in the run directory,
 * contend/machine.json in the user's configuration. A file that
 * is there but wrong is an error, and so is another machine's unless --machine-force is
 * given; only the user's own, which was not chosen for this run, is then passed over and
 * out->misfit says why. It says too when a machine.json in the current directory is not
 * used: it would be by chance. Returns 0; 1 when there is no file, *out has no more than that and
 * the trace has to do; or -1 with *err set. Caller: machine_release.
 */
int machine_choose(const struct run *r, struct machine *out, struct err *err);

/* When there is none: fill *out from the trace. Returns 0, or -1 with *err set. */
int machine_estimate(const struct trace *t, const struct messages *m, struct machine *out,
		     struct err *err);

#endif
