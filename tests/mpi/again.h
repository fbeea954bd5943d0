/* SPDX-License-Identifier: GPL-3.0-or-later */
/* AGAIN(Bcast): MPI's function for broadcasts that are started again and again. */
#ifndef TESTS_MPI_AGAIN_H
#define TESTS_MPI_AGAIN_H

#include <mpi.h>

#ifdef OPEN_MPI
#include <mpi-ext.h>
#endif
#ifdef OMPI_HAVE_MPI_EXT_PCOLLREQ
#define AGAIN(name) MPIX_##name##_init
#else
#define AGAIN(name) MPI_##name##_init
#endif

#endif
