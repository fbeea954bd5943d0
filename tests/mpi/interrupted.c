/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A timer interrupts whatever waits, from before MPI_Init to after MPI_Finalize, every half
 * millisecond and without SA_RESTART; the ranks exchange more messages than a log's halves hold.
 */
#include <errno.h>
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>

enum { ROUNDS = 6000 };

static volatile sig_atomic_t interruptions;

static void interrupted(int signal)
{
	(void)signal;
	interruptions++;
}

int main(int argc, char **argv)
{
	struct itimerval every = {{0, 500}, {0, 500}}, never = {{0, 0}, {0, 0}};
	struct sigaction action, after;
	int rank, other, i, got = 0, bad = 0;

	memset(&action, 0, sizeof(action));
	action.sa_handler = interrupted;
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &every, NULL);
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	other = 1 - rank;
	for (i = 0; i < ROUNDS; i++) {
		MPI_Sendrecv(&i, 1, MPI_INT, other, i, &got, 1, MPI_INT, other, i, MPI_COMM_WORLD,
			     MPI_STATUS_IGNORE);
		bad += got != i;
	}
	MPI_Finalize();
	setitimer(ITIMER_REAL, &never, NULL);
	sigaction(SIGALRM, NULL, &after);
	printf("rank %d: %d rounds, %d bad, handler %s, interrupted %s\n", rank, i, bad,
	       after.sa_handler == interrupted && !(after.sa_flags & SA_RESTART) ? "its own" : "?",
	       interruptions > 3 ? "often" : "hardly");
	return bad != 0;
}
