/* SPDX-License-Identifier: GPL-3.0-or-later */
/* "contend record mpirun ./app" records the launcher: what was meant instead. */
#ifndef CMD_LAUNCHER_H
#define CMD_LAUNCHER_H

#include <stddef.h>

/* Does this program start MPI jobs (mpirun, srun ...)? By the last part of its path. */
int launcher_is(const char *program);

/*
 * The command as it should be: words (a launcher's command line) with
 * "contend record FLAGS" in front of each program. Cut to size.
 */
void launcher_corrected(int n, char *const words[n], const char *flags, size_t size,
			char text[size]);

#endif
