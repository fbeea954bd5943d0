/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * limited HOW CALLS [one]: a ring of messages under a limit that is set once MPI runs, one: only
 * by the last rank: size, no file beyond 380 KiB; files, none that is opened from now on. Ends
 * with status 5.
 */
#include "behave.h"

#include <sys/resource.h>

int main(int argc, char **argv)
{
	struct rlimit limit;
	long i, calls;
	int in = -1;

	begin(&argc, &argv);
	if (argc > 3 && rank + 1 < ranks)
		;
	else if (!strcmp(argv[1], "size")) {
		getrlimit(RLIMIT_FSIZE, &limit);
		limit.rlim_cur = 380 * 1024;
		setrlimit(RLIMIT_FSIZE, &limit);
	} else if (!strcmp(argv[1], "files")) {
		getrlimit(RLIMIT_NOFILE, &limit);
		limit.rlim_cur = 3;
		setrlimit(RLIMIT_NOFILE, &limit);
	}
	calls = argc > 2 ? atol(argv[2]) : 0;
	for (i = 0; i < calls; i++)
		MPI_Sendrecv(&rank, 1, MPI_INT, right, 1, &in, 1, MPI_INT, left, 1, MPI_COMM_WORLD,
			     MPI_STATUS_IGNORE);
	CHECK(in == left);
	printf("rank %d is done\n", rank);
	return finish() + 5;
}
