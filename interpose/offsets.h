/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Clocks of different nodes. Ranks that share a boot id share CLOCK_MONOTONIC; the
 * lowest rank of each further node exchanges small messages with rank 0 over the
 * tool's own communicator and keeps the fastest round trip: half of it bounds the
 * error. Once after MPI_Init and once in MPI_Finalize, so drift can be taken out.
 */
#ifndef INTERPOSE_OFFSETS_H
#define INTERPOSE_OFFSETS_H

#include "interpose/log.h"

/* Appends one offset to the header. Collective over recorder.comm; nothing without it. */
void offsets_measure(struct log_header *h);

#endif
