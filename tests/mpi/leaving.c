/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Calls that do not return: a user's operation and an error handler jump out of them, a
 * thread ends inside of one. All calls after them are recorded, and at their times; a request
 * whose wait was left is not taken for another one that gets its handle.
 */
#include "behave.h"

#include <pthread.h>
#include <setjmp.h>

static jmp_buf out;
/* A thread that ends in an error handler stops Open MPI, without the recorder too. */
#ifdef MPICH_VERSION
#define MAY_END 1
#else
#define MAY_END 0
#endif

static int sends, receives, ends_thread;
static MPI_Comm pair;

static void exchange(int times)
{
	int i, x = 0;

	for (i = 0; i < times; i++)
		if (rank % 2 == 0) {
			MPI_Send(&x, 1, MPI_INT, partner, 1, MPI_COMM_WORLD);
			MPI_Recv(&x, 1, MPI_INT, partner, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		} else {
			MPI_Recv(&x, 1, MPI_INT, partner, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
			MPI_Send(&x, 1, MPI_INT, partner, 1, MPI_COMM_WORLD);
		}
	sends += times;
	receives += times;
}

/* From further down the stack than the call that was left. */
static __attribute__((noinline)) void exchange_deep(int times)
{
	volatile char room[20000];

	memset((char *)room, 7, sizeof(room));
	exchange(times);
	CHECK(room[5000] == 7);
}

static void jump(void *in, void *inout, int *n, MPI_Datatype *type)
{
	(void)in;
	(void)inout;
	(void)n;
	(void)type;
	longjmp(out, 1);
}

static void end_thread(void *in, void *inout, int *n, MPI_Datatype *type)
{
	(void)in;
	(void)inout;
	(void)n;
	(void)type;
	pthread_exit(NULL);
}

static void handle_error(MPI_Comm *comm, int *code, ...)
{
	(void)comm;
	(void)code;
	if (ends_thread)
		pthread_exit(NULL);
	longjmp(out, 1);
}

/* Out of the wait for a message that was too long, then sends that get its request. */
static void leave_wait(int times)
{
	int x[4] = {0}, i;
	MPI_Request in, out_request;

	MPI_Send(x, 4, MPI_INT, partner, 2, MPI_COMM_WORLD);
	MPI_Probe(partner, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Irecv(x, 1, MPI_INT, partner, 2, MPI_COMM_WORLD, &in);
	if (!setjmp(out))
		MPI_Wait(&in, MPI_STATUS_IGNORE);
	for (i = 0; i < times; i++) {
		MPI_Issend(x, 1, MPI_INT, partner, 3, MPI_COMM_WORLD, &out_request);
		MPI_Recv(x, 1, MPI_INT, partner, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		MPI_Wait(&out_request, MPI_STATUS_IGNORE);
	}
	expect("MPI_ISEND", times + 2 * MAY_END);
	expect("MPI_ISEND_COMPLETE", times);
	expect("MPI_IRECV_REQUEST", 1 + MAY_END);
	expect("MPI_IRECV", 0);
	sends++;
	receives += times;
}

/* The same, with sends that share a request, and the thread ends there. */
static void *leave_waitall(void *unused)
{
	int x[4] = {0}, i;
	MPI_Request all[3];

	for (i = 0; i < 2; i++)
		MPI_Isend(x, 1, MPI_INT, partner, 4, MPI_COMM_WORLD, &all[i]);
	for (i = 0; i < 2; i++)
		MPI_Recv(x, 1, MPI_INT, partner, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Send(x, 4, MPI_INT, partner, 2, MPI_COMM_WORLD);
	MPI_Probe(partner, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Irecv(x, 1, MPI_INT, partner, 2, MPI_COMM_WORLD, &all[2]);
	sends++;
	receives += 2;
	ends_thread = 1;
	MPI_Waitall(3, all, MPI_STATUSES_IGNORE);
	CHECK(0);
	return unused;
}

/* Both have what they need of each other when the operation is called. */
static void reduce(MPI_User_function *f)
{
	static int sum;
	MPI_Op op;

	MPI_Op_create(f, 1, &op);
	MPI_Allreduce(&rank, &sum, 1, MPI_INT, op, pair);
}

static void *in_thread(void *unused)
{
	exchange(1);
	reduce(end_thread);
	return unused;
}

static void *after_thread(void *unused)
{
	exchange_deep(5);
	return unused;
}

static void run(void *(*f)(void *))
{
	pthread_t t;

	pthread_create(&t, NULL, f, NULL);
	pthread_join(t, NULL);
}

int main(int argc, char **argv)
{
	MPI_Errhandler handler;
	int provided, x = 0;

	MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
	know_self();
	MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &pair);
	exchange(1);
	if (!setjmp(out))
		reduce(jump);
	exchange_deep(10);
	exchange(10);

	MPI_Comm_create_errhandler(handle_error, &handler);
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
	if (!setjmp(out))
		MPI_Send(&x, 1, MPI_INT, 1000, 1, MPI_COMM_WORLD);
	exchange(10);
	leave_wait(3);

	run(in_thread);
	if (MAY_END)
		run(leave_waitall);
	run(after_thread);
	expect("MPI_SEND", sends);
	expect("MPI_RECV", receives);
	expect("calls-entered-at-the-end", 0);
	return finish();
}
