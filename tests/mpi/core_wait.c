/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rank 0 has to share its core with a process that only spins; the argument says which of its
 * threads calls MPI there: "first", or "second" while the first one naps. The others' cores are
 * theirs as far as the machine has some.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>

#include "behave.h"

#define BUSY_S 1.5

/* On the first core that it may use, with a child beside it. Returns the child. */
static pid_t share_core(void)
{
	size_t bytes = CPU_ALLOC_SIZE(16384);
	cpu_set_t *may = CPU_ALLOC(16384);
	pid_t child;
	int cpu = 0;

	CHECK(may && sched_getaffinity(0, bytes, may) == 0);
	while (!CPU_ISSET_S(cpu, bytes, may))
		cpu++;
	CPU_ZERO_S(bytes, may);
	CPU_SET_S(cpu, bytes, may);
	CHECK(sched_setaffinity(0, bytes, may) == 0);
	CPU_FREE(may);
	child = fork();
	if (child == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		for (;;)
			;
	}
	return child;
}

static void *work(void *unused)
{
	double begin = MPI_Wtime();
	pid_t child = rank == 0 ? share_core() : 0;
	int flag;

	while (MPI_Wtime() - begin < BUSY_S)
		MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_SELF, &flag, MPI_STATUS_IGNORE);
	if (child > 0)
		kill(child, SIGKILL);
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t second;
	int level;

	MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
	know_self();
	if (argc > 1 && !strcmp(argv[1], "second") && level == MPI_THREAD_MULTIPLE) {
		CHECK(!pthread_create(&second, NULL, work, NULL));
		pthread_join(second, NULL);
	} else {
		work(NULL);
	}
	MPI_Finalize();
	return failures > 0;
}
