/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/mpi_name.h"

#include <stdio.h>
#include <string.h>

/* "Open MPI v4.1.4, package: ...", "MPICH Version:      4.0.2\nMPICH Release date: ..." */
void mpi_name(const char *library, size_t size, char name[size])
{
	size_t word = strncmp(library, "Open MPI", 8) ? strcspn(library, " \t,\n") : 8;
	const char *version = strpbrk(library + word, "0123456789");

	if (!version)
		version = "";
	snprintf(name, size, "%.*s %.*s", (int)word, library, (int)strcspn(version, " \t,\n"),
		 version);
}
