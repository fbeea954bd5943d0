/* SPDX-License-Identifier: BSD-3-Clause */
/* The part of run.json on what was seen beside the MPI calls: evidence.h, queues.h. */
#ifndef INTERPOSE_RUNJSON_EVIDENCE_H
#define INTERPOSE_RUNJSON_EVIDENCE_H

#include <stdio.h>

#include "interpose/archive/defs.h"

/* "evidence": the counters of nodes, processes and queues, and why the others are missing. */
void run_json_put_evidence(FILE *f, const struct defs *d);

#endif
