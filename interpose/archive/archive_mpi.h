/* SPDX-License-Identifier: BSD-3-Clause */
/* OTF2's collectives over the job's own MPI; absent (weakly) in `contend recover`. */
#ifndef INTERPOSE_ARCHIVE_MPI_H
#define INTERPOSE_ARCHIVE_MPI_H

#include <otf2/otf2.h>

/* comm: an MPI_Comm *, valid until the archive is closed. */
void archive_mpi_set(OTF2_Archive *archive, void *comm) __attribute__((weak));

#endif
