/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Evidence beyond PMPI: the counters of counters.def, read at the beginning, about every
 * second, and at the end. The totals go into the log's header and so into run.json; with
 * --counters every reading becomes records and OTF2 metrics. A source that is not there is
 * said in run.json, and never a failure.
 */
#ifndef INTERPOSE_EVIDENCE_H
#define INTERPOSE_EVIDENCE_H

#include "interpose/evidence/counters.h"

struct lane;

struct evidence {
	struct counter_files files;
	int node_reader;       /* this process reads for its node */
	uint64_t period_ticks; /* between readings; 0: there are none */
	int series;            /* readings become records */
};

/* In MPI_Init, the run directory being known; in MPI_Finalize. */
void evidence_start(void);
void evidence_stop(void);

/* Between two calls of this lane's thread: read, when it is time. The first one's also for all. */
void evidence_read(struct lane *l, uint64_t now);

/* The same for the last time before this lane's thread ends. */
void evidence_read_last(struct lane *l);

/* A record of one counter's value at a tick. */
void evidence_record(struct lane *l, enum counter counter, uint64_t value, uint64_t tick);

#endif
