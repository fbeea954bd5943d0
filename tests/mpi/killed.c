/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * killed HOW CALLS FILE: the last rank sends CALLS messages to the others and then ends as HOW
 * says: kill, segv, term, sigabrt, trap (a handler of its own that ends it by the same signal),
 * overflow (of the stack), usr2 (a child sends it), abort (MPI_Abort), exit, _exit, exec, everyone
 * (all ranks SIGKILL), or at a random time ("async", a child process does it), or goes on to
 * MPI_Finalize ("op": killer.c does it on the way). It counts the sends that have
 * returned in FILE, mapped, so that the count is there afterwards.
 */
#include "behave.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* Neither what fails nor what a child becomes, though it has this one's memory, is an end. */
static void try_programs(void)
{
	pid_t child;
	int status;

	CHECK(execl("/nowhere", "nowhere", "1", (char *)NULL) == -1 && errno == ENOENT);
	child = vfork();
	if (child == 0) {
		execlp("true", "true", (char *)NULL);
		_exit(99);
	}
	CHECK(waitpid(child, &status, 0) == child && status == 0);
	child = vfork();
	if (child == 0) {
		kill(getpid(), SIGTERM);
		_exit(99);
	}
	CHECK(waitpid(child, &status, 0) == child && WIFSIGNALED(status) &&
	      WTERMSIG(status) == SIGTERM);
	child = fork();
	if (child == 0) {
		raise(SIGTERM);
		_exit(99);
	}
	CHECK(waitpid(child, &status, 0) == child && WIFSIGNALED(status) &&
	      WTERMSIG(status) == SIGTERM);
}

static void handle(int number)
{
	signal(number, SIG_DFL);
	raise(number);
}

static int overflow(volatile int *above)
{
	volatile int room[1000];

	room[0] = *above + 1;
	return overflow(room) + room[0];
}

/* Sends number to its parent. */
static void end_by_child(int number)
{
	pid_t self = getpid();

	if (!fork())
		_exit(kill(self, number) != 0);
	for (;;)
		pause();
}

static void end(const char *how)
{
	volatile int *nowhere = NULL;

	try_programs();
	if (!strcmp(how, "kill") || !strcmp(how, "everyone"))
		kill(getpid(), SIGKILL);
	else if (!strcmp(how, "segv"))
		*nowhere = 1;
	else if (!strcmp(how, "term"))
		raise(SIGTERM);
	else if (!strcmp(how, "sigabrt"))
		abort();
	else if (!strcmp(how, "trap"))
		signal(SIGFPE, handle), raise(SIGFPE);
	else if (!strcmp(how, "overflow"))
		overflow(&(int){0});
	else if (!strcmp(how, "usr2"))
		end_by_child(SIGUSR2);
	else if (!strcmp(how, "abort"))
		MPI_Abort(MPI_COMM_WORLD, 9);
	else if (!strcmp(how, "exit"))
		exit(9);
	else if (!strcmp(how, "_exit"))
		_exit(9);
	else if (!strcmp(how, "exec"))
		execl("/bin/sh", "sh", "-c", "exit $0", "9", (char *)NULL);
}

/* A child that kills this process some time within the next us microseconds. */
static void end_within(unsigned us)
{
	pid_t self = getpid();

	if (fork())
		return;
	srand((unsigned)self);
	usleep((unsigned)rand() % us);
	if (getppid() == self)
		kill(self, SIGKILL);
	_exit(0);
}

static long *map_count(const char *path)
{
	int fd = open(path, O_RDWR | O_CREAT, 0644);

	if (fd < 0 || ftruncate(fd, sizeof(long)))
		exit(1);
	return mmap(NULL, sizeof(long), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
}

int main(int argc, char **argv)
{
	const char *how = argv[1], *number = getenv("PMI_RANK");
	long *sent = map_count(argv[3]), i, calls = atol(argv[2]);
	int to, in;

	if (!number)
		number = getenv("OMPI_COMM_WORLD_RANK");
	if (!strcmp(how, "async") && number && atoi(number) == 0)
		end_within(700000);
	begin(&argc, &argv);
	MPI_Barrier(MPI_COMM_WORLD);
	for (i = 0; i < calls; i++) {
		to = (int)(i % (ranks - 1));
		if (rank == ranks - 1) {
			MPI_Send(&to, 1, MPI_INT, to, 1, MPI_COMM_WORLD);
			__atomic_store_n(sent, i + 1, __ATOMIC_RELEASE);
		} else if (rank == to) {
			MPI_Recv(&in, 1, MPI_INT, ranks - 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		}
	}
	if (rank == ranks - 1 || !strcmp(how, "everyone"))
		end(how);
	if (strcmp(how, "async") && strcmp(how, "op"))
		MPI_Recv(&in, 1, MPI_INT, ranks - 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	return finish();
}
