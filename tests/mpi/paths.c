/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two callers with equal frames, taking turns: the MPI call's return address and stack
 * pointer are the same for both, the call path is not. At the end one of them goes on. Then two
 * more, with functions between them and the one that calls MPI: two, then twelve.
 */
#include <mpi.h>

#define APART __attribute__((noinline))

static int in, out;

static APART void ring(int rank, int ranks)
{
	MPI_Sendrecv(&out, 1, MPI_INT, (rank + 1) % ranks, 5, &in, 1, MPI_INT,
		     (rank + ranks - 1) % ranks, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	__asm__ volatile("");
}

static APART void alpha(int rank, int ranks)
{
	ring(rank, ranks);
	__asm__ volatile("");
}

static APART void beta(int rank, int ranks)
{
	ring(rank, ranks);
	__asm__ volatile("");
}

static APART void near(void)
{
	MPI_Allreduce(&out, &in, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	__asm__ volatile("");
}

static APART void farther(void)
{
	near();
	__asm__ volatile("");
}

static APART void farthest(void)
{
	farther();
	__asm__ volatile("");
}

static APART void gamma_(int rank, int ranks)
{
	farthest();
	__asm__ volatile("");
}

static APART void delta(int rank, int ranks)
{
	farthest();
	__asm__ volatile("");
}

static APART void deep1(void)
{
	MPI_Barrier(MPI_COMM_WORLD);
	__asm__ volatile("");
}

#define DEEPER(name, callee)          \
	static APART void name(void)  \
	{                             \
		callee();             \
		__asm__ volatile(""); \
	}

DEEPER(deep2, deep1)
DEEPER(deep3, deep2)
DEEPER(deep4, deep3)
DEEPER(deep5, deep4)
DEEPER(deep6, deep5)
DEEPER(deep7, deep6)
DEEPER(deep8, deep7)
DEEPER(deep9, deep8)
DEEPER(deep10, deep9)
DEEPER(deep11, deep10)
DEEPER(deep12, deep11)
DEEPER(deep13, deep12)

static APART void setup(int rank, int ranks)
{
	deep13();
	__asm__ volatile("");
}

static APART void step(int rank, int ranks)
{
	deep13();
	__asm__ volatile("");
}

static void (*volatile callers[])(int, int) = {alpha, beta, gamma_, delta, setup, step};

int main(int argc, char **argv)
{
	const unsigned long long turns = 0xfffffaaaaaaaaaa;
	int rank, ranks, i;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	for (i = 0; i < 180; i++) /* without a branch: one call, one place */
		callers[i / 60 * 2 + (turns >> i % 60 & 1)](rank, ranks);
	MPI_Finalize();
	return 0;
}
