/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Another tool: says what MPI_Pcontrol was called with, as the program selected.c does. */
#include <mpi.h>
#include <stdarg.h>
#include <stdio.h>

int MPI_Pcontrol(const int level, ...)
{
	va_list args;

	va_start(args, level);
	if (level) {
		const char *name = va_arg(args, const char *);
		int n = va_arg(args, int);
		double x = va_arg(args, double);

		fprintf(stderr, "heard %d %s %d %g %ld\n", level, name, n, x, va_arg(args, long));
	}
	va_end(args);
	return PMPI_Pcontrol(level);
}
