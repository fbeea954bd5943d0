/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Every one-sided operation that counts, on windows that are made in every way; with counts of int
 * and, in MPI 4, large ones.
 */
#include "behave.h"

#define N     32
#define BYTES (N * (int)sizeof(int))

static int memory[N], out[N], in[N], fives[N];

static void begin_epoch(const char *making, MPI_Win win, int *mine)
{
	memset(mine, 0, BYTES);
	MPI_Win_lock_all(0, win);
	MPI_Win_sync(win);
	MPI_Barrier(MPI_COMM_WORLD);
	expect(making, 1);
	expect("RMA_WIN_CREATE", 1);
	expect("RMA_REQUEST_LOCK", 1);
}

static void end_epoch(MPI_Win win, const int *mine)
{
	MPI_Win_unlock_all(win);
	MPI_Barrier(MPI_COMM_WORLD);
	CHECK(mine[N - 1] == 100 * left + N - 1);
	MPI_Win_free(&win);
	expect("RMA_WIN_DESTROY", 1);
}

/* Have I got what I had put there, and so much more? */
static void check_got(int more)
{
	int i, same = 0;

	for (i = 0; i < N; i++) {
		same += in[i] == out[i] + more;
		in[i] = -1;
	}
	CHECK(same == N);
}

#define ALL_OF(buffer) buffer, N, MPI_INT
#define THERE          right, 0, N, MPI_INT

#define AT_ONCE(function, ...)      \
	function(__VA_ARGS__, win); \
	MPI_Win_flush(right, win);  \
	expect(#function, 1)

#define WITH_REQUEST(function, ...)      \
	function(__VA_ARGS__, win, &r);  \
	MPI_Wait(&r, MPI_STATUS_IGNORE); \
	MPI_Win_flush(right, win);       \
	expect(#function, 1)

#define PUT(function)   expect_in(#function, "RMA_PUT", "%d:%d", right, BYTES)
#define GOT(function)   expect_in(#function, "RMA_GET", "%d:%d", right, BYTES)
#define ADDED(function) expect_in(#function, "RMA_ATOMIC", "%d:ACCUMULATE:%d:0", right, BYTES)
#define FETCHED(function, how) \
	expect_in(#function, "RMA_ATOMIC", "%d:" how ":%d:%d", right, BYTES, BYTES)

/* c: what the functions' names end with. The neighbour's memory is in the end what was put. */
#define OPERATIONS(c)                                                                      \
	AT_ONCE(MPI_Put##c, ALL_OF(out), THERE);                                           \
	PUT(MPI_Put##c);                                                                   \
	AT_ONCE(MPI_Accumulate##c, ALL_OF(fives), THERE, MPI_SUM);                         \
	ADDED(MPI_Accumulate##c);                                                          \
	AT_ONCE(MPI_Get##c, ALL_OF(in), THERE);                                            \
	GOT(MPI_Get##c);                                                                   \
	check_got(5);                                                                      \
	AT_ONCE(MPI_Get_accumulate##c, ALL_OF(fives), ALL_OF(in), THERE, MPI_SUM);         \
	FETCHED(MPI_Get_accumulate##c, "FETCH_AND_ADD");                                   \
	check_got(5);                                                                      \
	WITH_REQUEST(MPI_Raccumulate##c, ALL_OF(fives), THERE, MPI_SUM);                   \
	ADDED(MPI_Raccumulate##c);                                                         \
	WITH_REQUEST(MPI_Rget##c, ALL_OF(in), THERE);                                      \
	GOT(MPI_Rget##c);                                                                  \
	check_got(15);                                                                     \
	WITH_REQUEST(MPI_Rput##c, ALL_OF(fives), THERE);                                   \
	PUT(MPI_Rput##c);                                                                  \
	WITH_REQUEST(MPI_Rget_accumulate##c, ALL_OF(out), ALL_OF(in), THERE, MPI_REPLACE); \
	FETCHED(MPI_Rget_accumulate##c, "SWAP");                                           \
	CHECK(in[0] == 5 && in[N - 1] == 5)

#define EPOCH(c, base, function, ...)      \
	function(__VA_ARGS__, &win);       \
	begin_epoch(#function, win, base); \
	OPERATIONS(c);                     \
	end_epoch(win, base)

#define OF_INTS BYTES, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD

#define EVERY_WINDOW(c)                                       \
	EPOCH(c, memory, MPI_Win_create##c, memory, OF_INTS); \
	EPOCH(c, own, MPI_Win_allocate##c, OF_INTS, &own);    \
	EPOCH(c, own, MPI_Win_allocate_shared##c, OF_INTS, &own)

int main(int argc, char **argv)
{
	MPI_Request r;
	MPI_Win win;
	int *own, i;

	begin(&argc, &argv);
	expect_much();
	for (i = 0; i < N; i++) {
		out[i] = 100 * rank + i;
		fives[i] = 5;
	}
	EVERY_WINDOW();
#if MPI_VERSION >= 4
	EVERY_WINDOW(_c);
#endif
	return finish();
}
