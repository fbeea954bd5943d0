/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Every rank waits for ever, for a message of rank 0 unless the way that is given says else.
 * cycle: each of the next. Rank 0 is, late: outside MPI; mixed: in a barrier; any: in a receive of
 * any; polls: in MPI_Iprobe again and again; takes: in MPI_Testany, which completes one receive
 * each time; busy: sending to itself; finalize: in MPI_Finalize; tag: outside MPI, after messages
 * with another tag. missed: all but rank 0, which is outside MPI, are in a barrier. program: all
 * are outside MPI. ended: the others are in MPI_Finalize, rank 0 outside MPI. By MPI_Sendrecv:
 * swap: the others for rank 0, which is outside MPI; swaps: as cycle; taken: for rank 0 to take
 * something large, from MPI_PROC_NULL. Of any rank: half: rank 0 receives of any, rank 1 waits for
 * it, and rank 2 is outside MPI; anyone: all others receive of any, and rank 0 is outside MPI,
 * anywait: by requests. By requests: some: rank 1 in MPI_Waitany and rank 2 in MPI_Waitsome for
 * rank 0, which is outside MPI, and each other; waitall: as cycle, each with a send to itself that
 * came; wait: rank 1 for rank 0, which is outside MPI, and rank 2 for either of them; testall: all
 * others poll for rank 0; unreceived: that is to take what the others send it; own: they wait for
 * a request that the program never ends, beside such receives; given: the others for rank 0 and
 * each other, with a receive from anybody and a barrier begun besides; rendezvous: rank 0 for rank
 * 1, which has begun to receive something large and is outside MPI, and rank 2 for rank 0, which
 * sent it another tag. Each says so in a file hangs.RANK, in which is its process id.
 */
#include <mpi.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define TAKES 10000 /* one each 20 ms */

static char large[4 << 20];

static void say_pid(int rank)
{
	char name[32];
	FILE *f;

	snprintf(name, sizeof(name), "hangs.%d", rank);
	f = fopen(name, "w");
	if (!f)
		MPI_Abort(MPI_COMM_WORLD, 1);
	fprintf(f, "%d\n", (int)getpid());
	fclose(f);
}

static void send_to_myself(void)
{
	int one = 1, same;

	MPI_Sendrecv(&one, 1, MPI_INT, 0, 8, &same, 1, MPI_INT, 0, 8, MPI_COMM_SELF,
		     MPI_STATUS_IGNORE);
}

/* Messages that are all there. */
static void take_one_by_one(void)
{
	static MPI_Request requests[TAKES];
	static int taken[TAKES];
	int i, which, flag;

	for (i = 0; i < TAKES; i++)
		MPI_Irecv(&taken[i], 1, MPI_INT, 0, 8, MPI_COMM_SELF, &requests[i]);
	for (i = 0; i < TAKES; i++)
		MPI_Send(&i, 1, MPI_INT, 0, 8, MPI_COMM_SELF);
	for (;;) {
		MPI_Testany(TAKES, requests, &which, &flag, MPI_STATUS_IGNORE);
		usleep(20000);
	}
}

/* For a message of next, while one to myself comes. */
static void wait_for_all(int rank, int next)
{
	int one = 1, same, nobodys;
	MPI_Request requests[3];

	MPI_Irecv(&nobodys, 1, MPI_INT, next, 7, MPI_COMM_WORLD, &requests[0]);
	MPI_Irecv(&same, 1, MPI_INT, rank, 8, MPI_COMM_WORLD, &requests[1]);
	MPI_Isend(&one, 1, MPI_INT, rank, 8, MPI_COMM_WORLD, &requests[2]);
	MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
}

/* Rank 2 for rank 0 or 1, others for rank 0. */
static void wait_for_any(int rank)
{
	int nobodys[2], which;
	MPI_Request requests[2];

	MPI_Irecv(&nobodys[0], 1, MPI_INT, 0, 7, MPI_COMM_WORLD, &requests[0]);
	MPI_Irecv(&nobodys[1], 1, MPI_INT, 1, 7, MPI_COMM_WORLD, &requests[1]);
	if (rank == 2)
		MPI_Waitany(2, requests, &which, MPI_STATUS_IGNORE);
	MPI_Cancel(&requests[1]);
	MPI_Request_free(&requests[1]);
	MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
}

static void test_for_all(void)
{
	MPI_Request request;
	int nobodys, flag;

	MPI_Irecv(&nobodys, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &request);
	for (;;) {
		MPI_Testall(1, &request, &flag, MPI_STATUSES_IGNORE);
		usleep(1000);
	}
}

static void wait_for_receiver(void)
{
	MPI_Request request;
	int one = 1;

	MPI_Issend(&one, 1, MPI_INT, 0, 9, MPI_COMM_WORLD, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/* For rank 0 and another one, not for what else is begun. */
static void wait_for_given(int rank)
{
	MPI_Request besides[2], requests[3];
	int one = 1, nobodys[3];

	MPI_Irecv(&nobodys[0], 1, MPI_INT, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, &besides[0]);
	MPI_Ibarrier(MPI_COMM_WORLD, &besides[1]);
	MPI_Irecv(&nobodys[1], 1, MPI_INT, 0, 7, MPI_COMM_WORLD, &requests[0]);
	MPI_Irecv(&nobodys[2], 1, MPI_INT, 3 - rank, 7, MPI_COMM_WORLD, &requests[1]);
	MPI_Isend(&one, 1, MPI_INT, MPI_PROC_NULL, 7, MPI_COMM_WORLD, &requests[2]);
	MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
}

static int own_done(void *nothing, MPI_Status *status)
{
	(void)nothing, (void)status;
	return MPI_SUCCESS;
}

static int own_freed(void *nothing)
{
	(void)nothing;
	return MPI_SUCCESS;
}

static int own_cancelled(void *nothing, int complete)
{
	(void)nothing, (void)complete;
	return MPI_SUCCESS;
}

static void wait_for_myself(void)
{
	MPI_Request receive, own;
	int nobodys;

	MPI_Irecv(&nobodys, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, &receive);
	MPI_Grequest_start(own_done, own_freed, own_cancelled, NULL, &own);
	MPI_Wait(&own, MPI_STATUS_IGNORE);
}

static void wait_for_sent(int rank)
{
	MPI_Request requests[2];
	int one = 1, nobodys;

	if (rank == 0) {
		MPI_Isend(&one, 1, MPI_INT, 2, 5, MPI_COMM_WORLD, &requests[0]);
		MPI_Isend(large, sizeof(large), MPI_CHAR, 1, 6, MPI_COMM_WORLD, &requests[1]);
		MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
	} else if (rank == 1) {
		MPI_Irecv(large, sizeof(large), MPI_CHAR, 0, 6, MPI_COMM_WORLD, &requests[0]);
		for (;;)
			pause();
	} else {
		MPI_Recv(&nobodys, 1, MPI_INT, 0, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	}
}

/* For rank 0 or the other one. */
static void wait_for_some(int rank)
{
	int nobodys[2], which, n;
	MPI_Request requests[2];

	MPI_Irecv(&nobodys[0], 1, MPI_INT, 3 - rank, 7, MPI_COMM_WORLD, &requests[0]);
	MPI_Irecv(&nobodys[1], 1, MPI_INT, 0, 7, MPI_COMM_WORLD, &requests[1]);
	if (rank == 1)
		MPI_Waitany(2, requests, &which, MPI_STATUS_IGNORE);
	else
		MPI_Waitsome(2, requests, &n, (int[2]){0}, MPI_STATUSES_IGNORE);
}

static void wait_for_anyone(void)
{
	MPI_Request request;
	int nobodys;

	MPI_Irecv(&nobodys, 1, MPI_INT, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/* Others than rank 0. Returns whether the way is one of any rank's messages. */
static int hang_for_any(const char *way, int rank)
{
	int nobodys;

	if (!strcmp(way, "anyone"))
		MPI_Recv(&nobodys, 1, MPI_INT, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD,
			 MPI_STATUS_IGNORE);
	else if (!strcmp(way, "anywait"))
		wait_for_anyone();
	else if (rank == 2 && !strcmp(way, "half"))
		for (;;)
			pause();
	else
		return 0;
	return 1;
}

/* Others than rank 0, or all. Returns whether the way is one of MPI_Sendrecv. */
static int hang_swapping(const char *way, int rank, int next)
{
	int one = 1, nobodys;

	if (!strcmp(way, "swaps") || (rank && !strcmp(way, "swap")))
		MPI_Sendrecv(&one, 1, MPI_INT, next, 9, &nobodys, 1, MPI_INT, next, 7,
			     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	else if (rank && !strcmp(way, "taken"))
		MPI_Sendrecv(large, sizeof(large), MPI_CHAR, 0, 9, &nobodys, 1, MPI_INT,
			     MPI_PROC_NULL, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	else
		return 0;
	return 1;
}

/* Others than rank 0, or all. Returns whether the way is one of requests. */
static int hang_with_requests(const char *way, int rank, int next)
{
	if (!strcmp(way, "waitall"))
		wait_for_all(rank, next);
	else if (!strcmp(way, "rendezvous"))
		wait_for_sent(rank);
	else if (rank && !strcmp(way, "wait"))
		wait_for_any(rank);
	else if (rank && !strcmp(way, "testall"))
		test_for_all();
	else if (rank && !strcmp(way, "unreceived"))
		wait_for_receiver();
	else if (rank && !strcmp(way, "given"))
		wait_for_given(rank);
	else if (rank && !strcmp(way, "some"))
		wait_for_some(rank);
	else if (rank && !strcmp(way, "own"))
		wait_for_myself();
	else
		return 0;
	return 1;
}

static void send_another_tag(void)
{
	int ranks, to;

	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	for (to = 1; to < ranks; to++)
		MPI_Send(&to, 1, MPI_INT, to, 8, MPI_COMM_WORLD);
}

/* Rank 0, which sends nobody what they wait for. */
static void hang_first(const char *way)
{
	int flag, nobodys;

	if (!strcmp(way, "mixed"))
		MPI_Barrier(MPI_COMM_WORLD);
	else if (!strcmp(way, "any") || !strcmp(way, "half"))
		MPI_Recv(&nobodys, 1, MPI_INT, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD,
			 MPI_STATUS_IGNORE);
	if (!strcmp(way, "tag"))
		send_another_tag();
	if (!strcmp(way, "takes"))
		take_one_by_one();
	while (!strcmp(way, "polls")) {
		MPI_Iprobe(MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
		usleep(1000);
	}
	while (!strcmp(way, "busy")) {
		send_to_myself();
		usleep(1000);
	}
	while (strcmp(way, "finalize") != 0)
		pause();
}

int main(int argc, char **argv)
{
	int rank, ranks, nobodys, next;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	MPI_Barrier(MPI_COMM_WORLD);
	next = !strcmp(argv[1], "cycle") || !strcmp(argv[1], "waitall") || !strcmp(argv[1], "swaps")
		       ? (rank + 1) % ranks
		       : 0;
	say_pid(rank);
	while (!strcmp(argv[1], "program"))
		pause();
	if (hang_with_requests(argv[1], rank, next) || hang_swapping(argv[1], rank, next) ||
	    (rank && hang_for_any(argv[1], rank)))
		MPI_Abort(MPI_COMM_WORLD, 1);
	if (rank && !strcmp(argv[1], "missed"))
		MPI_Barrier(MPI_COMM_WORLD);
	else if (rank && !strcmp(argv[1], "ended"))
		MPI_Finalize();
	else if (rank || !strcmp(argv[1], "cycle"))
		MPI_Recv(&nobodys, 1, MPI_INT, next, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	else
		hang_first(argv[1]);
	MPI_Finalize();
	return 0;
}
