/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Time of MPI calls that wait for nobody: one rank to itself, so that what a tool
 * adds is not lost in the network. Prints one line per kind of call: name, ns per call.
 * Each is repeated in pieces much shorter than a time slice of the system, and a quarter of
 * the pieces were faster than what is printed: other programs' turns and the first, cold pieces
 * do not count, but what a tool does in most pieces does, as squeezing records. What it does less
 * often does not: writing what was gathered, or what another tool has kept in memory so far.
 * callcost [N [paused]]: N times each in a piece; in a pause of the recording. N 0: not the time
 * but the instructions per call, one by one in the processor's single steps: the fewest of some
 * calls, the same on every machine, and how many ms these took, steps being slow: what a tool does
 * from time to time may be among them.
 */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

/* 2048 times n records fill a whole number of the halves of contend's log. */
enum { TIMES = 2048, PIECES = 64 };

static double buffer[2][8];

static void non_blocking(void)
{
	MPI_Request q[2];

	MPI_Irecv(buffer[0], 8, MPI_DOUBLE, 0, 1, MPI_COMM_SELF, &q[0]);
	MPI_Isend(buffer[1], 8, MPI_DOUBLE, 0, 1, MPI_COMM_SELF, &q[1]);
	MPI_Waitall(2, q, MPI_STATUSES_IGNORE);
}

/* The receive is posted first: a blocking send to oneself may otherwise never return. */
static void blocking(void)
{
	MPI_Request q;

	MPI_Irecv(buffer[0], 8, MPI_DOUBLE, 0, 1, MPI_COMM_SELF, &q);
	MPI_Send(buffer[1], 8, MPI_DOUBLE, 0, 1, MPI_COMM_SELF);
	MPI_Wait(&q, MPI_STATUS_IGNORE);
}

/* The least that any recorder can do: two clock readings and one record of 64 bytes. */
static void floor_of_recording(void)
{
	static struct {
		unsigned long long word[8];
	} log[2048];
	static unsigned next;
	unsigned long long *r = log[next++ % 2048].word;

	r[0] = __builtin_ia32_rdtsc();
	r[2] = r[3] = r[4] = r[5] = r[6] = r[7] = next;
	r[1] = __builtin_ia32_rdtsc();
}

static void allreduce(void)
{
	MPI_Allreduce(buffer[0], buffer[1], 8, MPI_DOUBLE, MPI_SUM, MPI_COMM_SELF);
}

static void iallreduce(void)
{
	MPI_Request q;

	MPI_Iallreduce(buffer[0], buffer[1], 8, MPI_DOUBLE, MPI_SUM, MPI_COMM_SELF, &q);
	MPI_Wait(&q, MPI_STATUS_IGNORE);
}

static void iprobe(void)
{
	int flag;

	MPI_Iprobe(0, 2, MPI_COMM_SELF, &flag, MPI_STATUS_IGNORE);
}

static MPI_Request persistent[2], never;

static void make_persistent(void)
{
	MPI_Recv_init(buffer[0], 8, MPI_DOUBLE, 0, 1, MPI_COMM_SELF, &persistent[0]);
	MPI_Send_init(buffer[1], 8, MPI_DOUBLE, 0, 1, MPI_COMM_SELF, &persistent[1]);
}

static void free_persistent(void)
{
	MPI_Request_free(&persistent[0]);
	MPI_Request_free(&persistent[1]);
}

static void start_again(void)
{
	MPI_Startall(2, persistent);
	MPI_Waitall(2, persistent, MPI_STATUSES_IGNORE);
}

/* Of a message that nobody sends. */
static void post_receive(void)
{
	MPI_Irecv(buffer[0], 8, MPI_DOUBLE, 0, 3, MPI_COMM_SELF, &never);
}

static void cancel_receive(void)
{
	MPI_Cancel(&never);
	MPI_Wait(&never, MPI_STATUS_IGNORE);
}

static void failing_test(void)
{
	int flag;

	MPI_Test(&never, &flag, MPI_STATUS_IGNORE);
}

static void nothing(void)
{
}

static const struct {
	const char *name;
	void (*work)(void);
	int calls;
	void (*before)(void), (*after)(void);
} kinds[] = {
	{"Irecv+Isend+Waitall", non_blocking, 3, nothing, nothing},
	{"Irecv+Send+Wait", blocking, 3, nothing, nothing},
	{"Startall+Waitall", start_again, 2, make_persistent, free_persistent},
	{"Allreduce", allreduce, 1, nothing, nothing},
	{"Iallreduce+Wait", iallreduce, 2, nothing, nothing},
	{"Iprobe", iprobe, 1, nothing, nothing},
	{"Test", failing_test, 1, post_receive, cancel_receive},
	{"floor", floor_of_recording, 1, nothing, nothing},
};

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double ns_per_call(void (*work)(void), int calls, int n)
{
	double start, ns[PIECES];
	int p, i;

	for (p = 0; p < PIECES; p++) {
		start = MPI_Wtime();
		for (i = 0; i < n; i++)
			work();
		ns[p] = (MPI_Wtime() - start) * 1e9 / ((double)n * calls);
	}
	qsort(ns, PIECES, sizeof(ns[0]), compare);
	return ns[PIECES / 4];
}

static volatile sig_atomic_t steps;

static void on_step(int signal)
{
	(void)signal;
	steps++;
}

#define STEPPING 0x100ul /* the trap flag of x86's flags */

/* The calls that are not counted come from the same places, as they are to be known. */
static __attribute__((noinline)) int steps_of(void (*work)(void), unsigned long flag)
{
	steps = 0;
	__builtin_ia32_writeeflags_u64(__builtin_ia32_readeflags_u64() | flag);
	work();
	__builtin_ia32_writeeflags_u64(__builtin_ia32_readeflags_u64() & ~STEPPING);
	return steps;
}

static void print_steps(const char *name, void (*work)(void), int calls)
{
	struct sigaction on = {.sa_handler = on_step};
	int i, n, none, least = 0;
	double begin_s, least_s = 0;

	sigaction(SIGTRAP, &on, NULL);
	none = steps_of(nothing, STEPPING);
	for (i = 0; i < 32; i++) {
		begin_s = MPI_Wtime();
		n = steps_of(work, i < 8 ? 0 : STEPPING);
		if (i == 8 || n < least) {
			least = n;
			least_s = MPI_Wtime() - begin_s;
		}
	}
	printf("%s %.1f %.0f\n", name, (double)(least - none) / calls, least_s * 1e3);
}

int main(int argc, char **argv)
{
	int n;
	size_t k;

	MPI_Init(&argc, &argv);
	n = argc > 1 ? atoi(argv[1]) : TIMES;
	if (argc > 2)
		MPI_Pcontrol(0);
	for (k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++) {
		kinds[k].before();
		if (n)
			printf("%s %.1f\n", kinds[k].name,
			       ns_per_call(kinds[k].work, kinds[k].calls, n));
		else
			print_steps(kinds[k].name, kinds[k].work, kinds[k].calls);
		kinds[k].after();
	}
	MPI_Finalize();
	return 0;
}
