/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Messages of one channel, taken by matched probes and received in other orders than they were
 * probed for, between receives that are not probed for. All sizes are different.
 *	matched          all that follows
 *	matched direct   each message received as soon as it was probed for
 *	matched killed   the last rank dies with a message in its hands
 */
#include "behave.h"

#include <pthread.h>
#include <semaphore.h>
#include <signal.h>

#define ROUNDS 10
#define ROOM   4000
#define TAG    5

static int sent, size_now; /* messages; bytes of the next one taken */
static char in[8][ROOM];
static sem_t taken, received;

/* n messages to the right, which the left one's are like. */
static void send(int n)
{
	static char out[ROOM];

	for (; n; n--)
		MPI_Send(out, ++sent, MPI_BYTE, right, TAG, MPI_COMM_WORLD);
}

/* The oldest message is taken: it has to be the next one's size. Returns that. */
static int take(int source, int tag, MPI_Message *message)
{
	MPI_Status status;
	int bytes;

	MPI_Mprobe(source, tag, MPI_COMM_WORLD, message, &status);
	MPI_Get_count(&status, MPI_BYTE, &bytes);
	CHECK(bytes == ++size_now && status.MPI_SOURCE == left && status.MPI_TAG == TAG);
	return bytes;
}

static void try_to_take(MPI_Message *message)
{
	int flag = 0;

	size_now++;
	while (!flag)
		MPI_Improbe(MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &flag, message, MPI_STATUS_IGNORE);
}

static void receive(MPI_Message *message, int bytes)
{
	MPI_Status status;
	int came;

	MPI_Mrecv(in[0], ROOM, MPI_BYTE, message, &status);
	MPI_Get_count(&status, MPI_BYTE, &came);
	CHECK(came == bytes && *message == MPI_MESSAGE_NULL);
}

static void receive_plain(void)
{
	MPI_Recv(in[1], ROOM, MPI_BYTE, left, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	size_now++;
}

/* The later one first; and none of both at its time. */
static void in_other_orders(void)
{
	MPI_Message a, b;
	int first, second;

	send(4);
	first = take(left, TAG, &a);
	second = take(MPI_ANY_SOURCE, MPI_ANY_TAG, &b);
	receive(&b, second);
	receive(&a, first);
	first = take(left, MPI_ANY_TAG, &a);
	receive_plain();
	receive(&a, first);
}

/* Between receives that are posted and not complete. */
static void between_posts(void)
{
	MPI_Request request[5];
	MPI_Message a, b;
	int first;

	send(6);
	try_to_take(&a);
	MPI_Irecv(in[2], ROOM, MPI_BYTE, left, TAG, MPI_COMM_WORLD, &request[0]);
	size_now++;
	try_to_take(&b);
	MPI_Irecv(in[3], ROOM, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &request[1]);
	size_now++;
	MPI_Imrecv(in[4], ROOM, MPI_BYTE, &b, &request[2]);
	first = take(left, TAG, &b);
	receive_plain();
	MPI_Imrecv(in[5], ROOM, MPI_BYTE, &a, &request[3]);
	MPI_Imrecv(in[6], ROOM, MPI_BYTE, &b, &request[4]);
	MPI_Waitall(5, request, MPI_STATUSES_IGNORE);
	CHECK(size_now == first + 1);
}

/* Nobody's message, and one whose receive fails and is tried again. */
static void with_trouble(void)
{
	MPI_Message nobody, a, b;
	int first, second;

	send(2);
	MPI_Mprobe(MPI_PROC_NULL, TAG, MPI_COMM_WORLD, &nobody, MPI_STATUS_IGNORE);
	CHECK(nobody == MPI_MESSAGE_NO_PROC);
	first = take(left, TAG, &a);
	second = take(left, TAG, &b);
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	CHECK(MPI_Mrecv(in[0], ROOM, MPI_DATATYPE_NULL, &b, MPI_STATUS_IGNORE) != MPI_SUCCESS);
	CHECK(b != MPI_MESSAGE_NULL);
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
	receive(&b, second);
	MPI_Mrecv(in[0], ROOM, MPI_BYTE, &nobody, MPI_STATUS_IGNORE);
	receive(&a, first);
}

/* A message taken by one thread and received there, when the other has taken and received two. */
static void *elsewhere(void *unused)
{
	MPI_Message a, b;
	int first, second;

	(void)unused;
	sem_wait(&taken);
	first = take(left, TAG, &a);
	second = take(left, TAG, &b);
	receive(&b, second);
	receive(&a, first);
	sem_post(&received);
	return NULL;
}

static void in_threads(void)
{
	MPI_Message first;
	pthread_t other;
	int bytes;

	send(3);
	pthread_create(&other, NULL, elsewhere, NULL);
	bytes = take(left, TAG, &first);
	sem_post(&taken);
	sem_wait(&received);
	receive(&first, bytes);
	pthread_join(other, NULL);
}

static void directly(void)
{
	MPI_Message a;
	int i;

	send(3);
	for (i = 0; i < 3; i++)
		receive(&a, take(left, TAG, &a));
}

/* The second of three was received when the first one's time never comes. */
static void dies_holding(void)
{
	MPI_Message a, b;

	send(3);
	take(left, TAG, &a);
	take(left, TAG, &b);
	receive(&b, size_now);
	receive_plain();
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == ranks - 1)
		raise(SIGKILL);
	pause();
}

int main(int argc, char **argv)
{
	int direct = argc > 1 && !strcmp(argv[1], "direct"), provided = 0, i;

	if (argc > 1)
		MPI_Init(&argc, &argv);
	else
		MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
	know_self();
	sent = size_now = 0;
	sem_init(&taken, 0, 0);
	sem_init(&received, 0, 0);
	if (argc > 1 && !direct)
		dies_holding();
	for (i = 0; i < ROUNDS; i++) {
		directly();
		if (direct)
			continue;
		in_other_orders();
		between_posts();
		with_trouble();
		if (provided == MPI_THREAD_MULTIPLE)
			in_threads();
	}
	expect("MPI_SEND", sent);
	expect("MPI_RECV", sent - 5L * ROUNDS);
	expect("MPI_IRECV_REQUEST", 5 * ROUNDS);
	expect("MPI_IRECV", 5 * ROUNDS);
	return finish();
}
