/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What an MPI library calls itself, short: "Open MPI 4.1.4", "MPICH 4.0.2". The recorder writes it
 * into run.json and the calibration into the machine file, where it is compared.
 */
#ifndef COMMON_MPI_NAME_H
#define COMMON_MPI_NAME_H

#include <stddef.h>

/* library: the text of MPI_Get_library_version. */
void mpi_name(const char *library, size_t size, char name[size]);

#endif
