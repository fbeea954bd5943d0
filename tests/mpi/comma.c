/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A program whose locale, "comma" of the test's own, writes numbers with a comma. */
#include "behave.h"

#include <locale.h>

int main(int argc, char **argv)
{
	int in = -1;

	begin(&argc, &argv);
	CHECK(setlocale(LC_ALL, "comma"));
	MPI_Sendrecv(&rank, 1, MPI_INT, right, 0, &in, 1, MPI_INT, left, 0, MPI_COMM_WORLD,
		     MPI_STATUS_IGNORE);
	CHECK(in == left);
	printf("%.1f\n", 0.5);
	MPI_Finalize();
	printf("%.2f\n", 0.25);
	return failures != 0;
}
