/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * killed HOW CALLS FILE: the ranks exchange messages of many kinds CALLS times, and then the last
 * rank ends as HOW says: kill, segv, term, sigabrt, trap (a handler of its own that ends it by the
 * same signal), overflow (of the stack), usr2 (a child sends it), passed (its parent gets SIGTERM,
 * and passes it on), suspended (by a signal that is let in for a wait only), cramped (it has a
 * stack for signals, of the least size that there is), abort (MPI_Abort), exit, _exit, exec,
 * everyone (all ranks SIGKILL), or at a random time ("async", a child process does it), or goes on
 * to MPI_Finalize ("op": killer.c does it on the way). Each rank counts the calls that it begins
 * and those that have returned in FILE, mapped, so that the counts are there afterwards.
 *
 * killed show FILE prints them: rank, function, begun, returned.
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

/* Sends number to its parent, which is to pass it on. */
static void end_by_parent(int number)
{
	kill(getppid(), number);
	for (;;)
		pause();
}

/* Number is blocked but for as long as the wait lasts, and there already. */
static void end_suspended(int number)
{
	sigset_t blocked, none;

	sigemptyset(&none);
	sigemptyset(&blocked);
	sigaddset(&blocked, number);
	sigprocmask(SIG_BLOCK, &blocked, NULL);
	raise(number);
	sigsuspend(&none);
	_exit(9);
}

/* No handler of the program has room there, but it has none: the kernel's frame may be larger. */
static void end_cramped(int number)
{
	static char room[2048]; /* MINSIGSTKSZ, before that was made to ask the machine */
	stack_t stack = {.ss_sp = room, .ss_size = sizeof(room)};

	sigaltstack(&stack, NULL);
	raise(number);
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
	else if (!strcmp(how, "passed"))
		end_by_parent(SIGTERM);
	else if (!strcmp(how, "suspended"))
		end_suspended(SIGTERM);
	else if (!strcmp(how, "cramped"))
		end_cramped(SIGTERM);
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

#define RANKS_MOST 4

/* What the ranks call. clang-format 14 never ends laying this out. */
/* clang-format off */
#define EACH(COUNT) \
	COUNT(Send) COUNT(Recv) COUNT(Isend) COUNT(Irecv) COUNT(Wait) COUNT(Waitall) \
	COUNT(Iprobe) COUNT(Test) COUNT(Allreduce) COUNT(Comm_dup) COUNT(Comm_free) \
	COUNT(Type_commit)
/* clang-format on */

#define ID(name) ID_##name,
enum { EACH(ID) N_KINDS };

#define NAME(name) "MPI_" #name,
static const char *const names[N_KINDS] = {EACH(NAME)};

struct count {
	long begun, returned;
};

static struct count (*counts)[N_KINDS]; /* of each rank */
static struct count *mine;

static void map_counts(const char *path)
{
	size_t bytes = RANKS_MOST * sizeof(*counts);
	int fd = open(path, O_RDWR | O_CREAT, 0644);

	if (fd < 0 || ftruncate(fd, (off_t)bytes))
		exit(1);
	counts = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
}

static void add(long *n)
{
	__atomic_store_n(n, *n + 1, __ATOMIC_RELEASE);
}

/* One call of MPI, counted when it begins and when it has returned. */
#define DO(name, ...)                           \
	do {                                    \
		add(&mine[ID_##name].begun);    \
		MPI_##name(__VA_ARGS__);        \
		add(&mine[ID_##name].returned); \
	} while (0)

static int show(void)
{
	int r, k;

	for (r = 0; r < RANKS_MOST; r++)
		for (k = 0; k < N_KINDS; k++)
			if (counts[r][k].begun)
				printf("%d %s %ld %ld\n", r, names[k], counts[r][k].begun,
				       counts[r][k].returned);
	return 0;
}

/* The last rank sends to one of the others; these wait for it in ways of their own. */
static void feed(long i)
{
	int to = (int)(i % (ranks - 1)), in, flag = 0;
	MPI_Request r;

	if (rank == ranks - 1) {
		DO(Send, &to, 1, MPI_INT, to, 1, MPI_COMM_WORLD);
	} else if (rank == to && i % 5 == 1) {
		while (!flag)
			DO(Iprobe, ranks - 1, 1, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
		DO(Recv, &in, 1, MPI_INT, ranks - 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	} else if (rank == to && i % 5 == 2) {
		DO(Irecv, &in, 1, MPI_INT, ranks - 1, 1, MPI_COMM_WORLD, &r);
		while (!flag)
			DO(Test, &r, &flag, MPI_STATUS_IGNORE);
	} else if (rank == to) {
		DO(Recv, &in, 1, MPI_INT, ranks - 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	}
}

/* What all do together, now and then. */
static void exchange(long i)
{
	int in[2], sum;
	MPI_Request r[2];
	MPI_Datatype type;
	MPI_Comm comm;

	DO(Irecv, in, 1, MPI_INT, left, 3, MPI_COMM_WORLD, &r[0]);
	DO(Isend, &rank, 1, MPI_INT, right, 3, MPI_COMM_WORLD, &r[1]);
	if (i % 2) {
		DO(Waitall, 2, r, MPI_STATUSES_IGNORE);
	} else {
		DO(Wait, &r[0], MPI_STATUS_IGNORE);
		DO(Wait, &r[1], MPI_STATUS_IGNORE);
	}
	DO(Allreduce, &rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	if (i % 4 == 0) {
		DO(Comm_dup, MPI_COMM_WORLD, &comm);
		DO(Comm_free, &comm);
	}
	MPI_Type_contiguous(2, MPI_INT, &type);
	DO(Type_commit, &type);
	MPI_Type_free(&type);
}

int main(int argc, char **argv)
{
	const char *how = argv[1], *number = getenv("PMI_RANK");
	long i, calls = argc > 3 ? atol(argv[2]) : 0;
	int in;

	map_counts(argv[argc - 1]);
	if (!strcmp(how, "show"))
		return show();
	if (!number)
		number = getenv("OMPI_COMM_WORLD_RANK");
	if (!strcmp(how, "async") && number && atoi(number) == 0)
		end_within(700000);
	begin(&argc, &argv);
	mine = counts[rank];
	MPI_Barrier(MPI_COMM_WORLD);
	for (i = 0; i < calls; i++) {
		feed(i);
		if (i % 16 == 7)
			exchange(i / 16);
	}
	if (rank == ranks - 1 || !strcmp(how, "everyone"))
		end(how);
	if (strcmp(how, "async") && strcmp(how, "op"))
		DO(Recv, &in, 1, MPI_INT, ranks - 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	return finish();
}
