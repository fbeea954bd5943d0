/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * killed HOW CALLS FILE: the last rank ends in the middle of the exchange, HOW being kill,
 * segv, abort or exit, after CALLS messages to the others. It counts the sends that have
 * returned in FILE, mapped, so that the count is there afterwards.
 */
#include "behave.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

static void end(const char *how)
{
	volatile int *nowhere = NULL;

	if (!strcmp(how, "kill"))
		kill(getpid(), SIGKILL);
	else if (!strcmp(how, "segv"))
		*nowhere = 1;
	else if (!strcmp(how, "abort"))
		MPI_Abort(MPI_COMM_WORLD, 9);
	else
		_exit(9);
}

int main(int argc, char **argv)
{
	long *sent, i, calls;
	int fd, to, in;

	begin(&argc, &argv);
	calls = argc > 3 ? atol(argv[2]) : 0;
	if (rank < ranks - 1) {
		MPI_Barrier(MPI_COMM_WORLD);
		for (;;)
			MPI_Recv(&in, 1, MPI_INT, ranks - 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	}
	fd = open(argv[3], O_RDWR | O_CREAT, 0644);
	if (fd < 0 || ftruncate(fd, sizeof(*sent)))
		return 1;
	sent = mmap(NULL, sizeof(*sent), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	MPI_Barrier(MPI_COMM_WORLD);
	for (i = 0; i < calls; i++) {
		to = (int)(i % (ranks - 1));
		MPI_Send(&to, 1, MPI_INT, to, 1, MPI_COMM_WORLD);
		__atomic_store_n(sent, i + 1, __ATOMIC_RELEASE);
	}
	end(argv[1]);
	return 1;
}
