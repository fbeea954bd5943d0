/* SPDX-License-Identifier: BSD-3-Clause */
/* The part of run.json on which processors each rank may use: confines.h. */
#ifndef INTERPOSE_RUNJSON_PROCESSORS_H
#define INTERPOSE_RUNJSON_PROCESSORS_H

#include <stdio.h>

#include "interpose/archive/defs.h"

/*
 * "processors": a row for all ranks of a host with the same processors and quota. Nothing of ranks
 * of which neither is known. Without memory there are no rows.
 */
void run_json_put_processors(FILE *f, const struct defs *d);

#endif
