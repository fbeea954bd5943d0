/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Receives whose requests are freed take a message each, and nobody is told which. In a ring, all
 * sizes different but for the last.
 *	untold named     the first message's receive is freed
 *	untold paused    the same, but both in a pause of the recording
 *	untold anybody   the same, from anybody and with any tag; then one of each by itself
 *	untold shared    what a send and a receive from anybody that share a request get; MPI 4
 *	untold doubt     two with any tag and what two tags got afterwards, all of one size
 */
#include "behave.h"

#define ROOM 100
#define TAG  5

static char in[8][ROOM];

static void free_receive(int i, int source, int tag)
{
	MPI_Request request;

	MPI_Irecv(in[i], ROOM, MPI_BYTE, source, tag, MPI_COMM_WORLD, &request);
	MPI_Request_free(&request);
}

static void receive(int tag, int bytes)
{
	MPI_Status status;
	int came;

	MPI_Recv(in[0], ROOM, MPI_BYTE, left, tag, MPI_COMM_WORLD, &status);
	MPI_Get_count(&status, MPI_BYTE, &came);
	CHECK(came == bytes);
}

static void is_named(int in_pause)
{
	int i;

	if (in_pause)
		MPI_Pcontrol(0);
	free_receive(1, left, TAG);
	if (in_pause)
		MPI_Pcontrol(1);
	MPI_Barrier(MPI_COMM_WORLD);
	for (i = 1; i <= 6; i++)
		MPI_Send(in[7], i, MPI_BYTE, right, TAG, MPI_COMM_WORLD);
	for (i = 2; i <= 6; i++)
		receive(TAG, i);
}

/* They take 1, 12 and 3; the other tag's messages are not theirs. */
static void is_of_anybody(void)
{
	int i;

	free_receive(1, MPI_ANY_SOURCE, MPI_ANY_TAG);
	MPI_Barrier(MPI_COMM_WORLD);
	for (i = 1; i <= 6; i++) {
		MPI_Send(in[7], i, MPI_BYTE, right, TAG, MPI_COMM_WORLD);
		MPI_Send(in[7], i + 10, MPI_BYTE, right, TAG + 1, MPI_COMM_WORLD);
	}
	receive(TAG + 1, 11);
	free_receive(2, MPI_ANY_SOURCE, TAG + 1);
	receive(TAG, 2);
	free_receive(3, left, MPI_ANY_TAG);
	for (i = 4; i <= 6; i++)
		receive(TAG, i);
	for (i = 3; i <= 6; i++)
		receive(TAG + 1, i + 10);
}

static void shares(void)
{
#if MPI_VERSION >= 4
	MPI_Request request;
	int i;

	MPI_Isendrecv(in[7], 1, MPI_BYTE, right, TAG, in[1], ROOM, MPI_BYTE, MPI_ANY_SOURCE, TAG,
		      MPI_COMM_WORLD, &request);
	for (i = 2; i <= 6; i++)
		MPI_Send(in[7], i, MPI_BYTE, right, TAG, MPI_COMM_WORLD);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	for (i = 2; i <= 6; i++)
		receive(TAG, i);
#endif
}

/* TAG's first is one of two: which of the freed receives took one of this tag? */
static void is_in_doubt(void)
{
	int i;

	for (i = 0; i < 3; i++) {
		MPI_Send(in[7], 4, MPI_BYTE, right, TAG, MPI_COMM_WORLD);
		MPI_Send(in[7], 4, MPI_BYTE, right, TAG + 1, MPI_COMM_WORLD);
	}
	free_receive(1, left, MPI_ANY_TAG);
	receive(TAG, 4);
	free_receive(2, left, MPI_ANY_TAG);
	receive(TAG, 4);
	receive(TAG + 1, 4);
	receive(TAG + 1, 4);
}

int main(int argc, char **argv)
{
	char how = 0;

	begin(&argc, &argv);
	if (argc > 1)
		how = *argv[1];
	if (how == 'n' || how == 'p')
		is_named(how == 'p');
	else if (how == 'a')
		is_of_anybody();
	else if (how == 's')
		shares();
	else
		is_in_doubt();
	return finish();
}
