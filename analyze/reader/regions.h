/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which MPI function a region of a trace is, from its name alone. */
#ifndef ANALYZE_REGIONS_H
#define ANALYZE_REGIONS_H

#include "analyze/trace.h"

/*
 * Knows C, Fortran ("mpi_send_", "mpi_send_f08ts_"), PMPI and large-count ("_c")
 * spellings, with or without an argument list behind. REGION_OTHER: not MPI.
 */
enum region_kind region_classify(const char *name);

/*
 * The C spelling of an MPI function ("MPI_Isend" for "mpi_isend_"), of a known one at
 * least; else a copy of the name. Caller frees; NULL when out of memory.
 */
char *region_canonical(const char *name);

/* Are two canonical names of one function? MPI_Bcast and MPI_Bcast_c are. */
int region_is_same(const char *a, const char *b);

/* Does it start a collective that another call completes? MPI_Ibcast does. */
int region_starts_collective(const char *name);

/* From its canonical name. */
enum region_mode region_mode(const char *name);

/*
 * Does a program enter it when all its communication is over? EZTrace does not record MPI_Finalize.
 */
int region_is_end(const char *name);

/* From its canonical name: does it open, read or write files? */
int region_is_of_files(const char *name);

/* From its canonical name and kind: does each call of it take a message? */
int region_receives(const struct region *r);

#endif
