/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Recording under a simulator: SimGrid's SMPI, which runs all ranks of a job as contexts of one
 * thread, in simulated time. Each rank then has its own copy of the backend (front_smpi.c), so
 * that the recorder's globals are the rank's; and recording takes no simulated time: it asks
 * the simulator's clock and never communicates. Requests cannot be looked at again and again, as
 * that takes no time: hooks_watch.c waits for one after the other. Only the backend for SMPI,
 * which the tests use, is compiled with CONTEND_SIMULATED; in all others SIMULATED is 0 and
 * nothing here is called.
 */
#ifndef INTERPOSE_SIMULATED_H
#define INTERPOSE_SIMULATED_H

#include <stddef.h>
#include <stdint.h>

#ifdef CONTEND_SIMULATED
#define SIMULATED 1
/* One thread for all ranks: what is a rank's is in its copy. */
#define LANE_LOCAL
/* SMPI calls error handlers there, not in its PMPI_ functions. */
#define REAL_MPI                         "MPI_"
/* As the row says: SMPI's mpi.h leaves out a const here and there. */
#define OF_MPI(name, declarator, params) int declarator params
#else
#define SIMULATED                        0
#define LANE_LOCAL                       __thread
#define REAL_MPI                         "PMPI_"
/* As mpi.h says: a row that does not fit it does not compile. */
#define OF_MPI(name, declarator, params) __typeof__(MPI_##name) declarator
#endif

struct log_header;

/* The simulated time, ns. It begins at one second: 0 is no time in the log. */
int64_t simulated_ns(void);

/* This rank, and how many there are; known before MPI_Init. */
int simulated_rank(void);
int simulated_ranks(void);

/* A function that SMPI has by name only: it ends the job when it is called. */
int simulated_lacks(const char *name);

/* What is different of a simulated process: node, clock, command line. */
void simulated_describe(struct log_header *h);

/* SMPI runs a copy of the program for each rank: path becomes the program's if it is one. */
void simulated_object(size_t n, char path[n]);

#endif
