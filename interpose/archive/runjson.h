/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * run.json: what was recorded, how, and how it ended. Written by rank 0 at
 * MPI_Finalize or by `contend recover`; read by analyze/run/run.c.
 */
#ifndef INTERPOSE_RUNJSON_H
#define INTERPOSE_RUNJSON_H

#include "interpose/archive/archive.h"
#include "interpose/archive/losses.h"

struct run_facts {
	const struct defs *d;
	size_t n;
	const struct archive_location *locations; /* n of them */
	const struct losses *lost;                /* NULL: nothing */
	int keeps_logs;                           /* beside the trace */
	int64_t finishing_ns; /* MPI_Finalize took so much longer for the trace; 0: not known */
};

/* Writes DIR/run.json. Returns 0, or -1 with *err set. */
int run_json_write(const char *dir, const struct run_facts *run, struct err *err);

#endif
