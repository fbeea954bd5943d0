/* SPDX-License-Identifier: BSD-3-Clause */
/* mpi.h with the types of MPI 4 for the rows of functions that an older MPI does not have. */
#ifndef INTERPOSE_MPI4_H
#define INTERPOSE_MPI4_H

#include <mpi.h>
#ifdef OPEN_MPI
#include <mpi-ext.h>
#endif

#if MPI_VERSION < 4
typedef void *MPI_Session;
#endif

#endif
