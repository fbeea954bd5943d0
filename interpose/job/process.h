/* SPDX-License-Identifier: BSD-3-Clause */
/* What a log's header says of the process that writes it. Before and after MPI_Init. */
#ifndef INTERPOSE_PROCESS_H
#define INTERPOSE_PROCESS_H

#include "interpose/log/log_format.h"

/* Host, program, clock and recorder.rank as they are now, for the log of a thread. */
void process_describe(struct log_header *h, uint32_t thread);

/* Which MPI this is: "Open MPI 4.1.4". It must have begun. */
void process_name_mpi(struct log_header *h);

#endif
