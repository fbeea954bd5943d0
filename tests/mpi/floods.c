/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Busy loops that poll in turn for several things: what is recorded must not grow with the
 * number of polls, nor the process, and of each request it must be known when its last test
 * failed. POLLS=N in the environment polls that often in each loop.
 */
#include "behave.h"

#define REQUESTS 20

static MPI_Request request[REQUESTS];
static int in[REQUESTS], found;

static void probe_then_test(long polls)
{
	long i;
	int flag;

	for (i = 0; i < polls / 2; i++) {
		MPI_Iprobe(MPI_ANY_SOURCE, 99, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
		found += flag;
		MPI_Test(&request[0], &flag, MPI_STATUS_IGNORE);
		found += flag;
	}
}

static void test_in_turn(long polls)
{
	long i;
	int flag;

	for (i = 0; i < polls; i++) {
		MPI_Test(&request[i % REQUESTS], &flag, MPI_STATUS_IGNORE);
		found += flag;
	}
}

static void all_kinds(long polls)
{
	int flag, n, which[REQUESTS];
	MPI_Message message;
	long i;

	for (i = 0; i < polls / 5; i++) {
		MPI_Testany(REQUESTS, request, &n, &flag, MPI_STATUS_IGNORE);
		found += flag;
		MPI_Testsome(REQUESTS, request, &n, which, MPI_STATUSES_IGNORE);
		found += n;
		MPI_Testall(REQUESTS, request, &flag, MPI_STATUSES_IGNORE);
		found += flag;
		MPI_Request_get_status(request[i % 3], &flag, MPI_STATUS_IGNORE);
		found += flag;
		MPI_Improbe(left, 98, MPI_COMM_WORLD, &flag, &message, MPI_STATUS_IGNORE);
		found += flag;
	}
}

int main(int argc, char **argv)
{
	const char *text = getenv("POLLS");
	long polls = text ? atol(text) : 100000, before;
	int i;

	begin_polling(&argc, &argv);
	for (i = 0; i < REQUESTS; i++)
		MPI_Irecv(&in[i], 1, MPI_INT, left, i, MPI_COMM_WORLD, &request[i]);
	probe_then_test(1000);
	test_in_turn(1000);
	all_kinds(1000);
	before = resident_bytes();
	probe_then_test(polls);
	test_in_turn(polls);
	all_kinds(polls / 10);
	check_not_grown(before, 1 << 20);
	CHECK(!found);
	MPI_Barrier(MPI_COMM_WORLD);
	for (i = 0; i < REQUESTS; i++)
		MPI_Send(&rank, 1, MPI_INT, right, i, MPI_COMM_WORLD);
	MPI_Waitall(REQUESTS, request, MPI_STATUSES_IGNORE);
	for (i = 0; i < REQUESTS; i++)
		CHECK(in[i] == left);
	expect("MPI_SEND", REQUESTS);
	expect("MPI_IRECV_REQUEST", REQUESTS);
	expect("MPI_IRECV", REQUESTS);
	expect("polls", 3 * 1000 + polls / 2 * 2 + polls + polls / 50 * 5);
	/*
	 * Of more, a log's half may end between a flood's first two polls; and one that was
	 * interrupted may begin with the last test of a loop, and count what has no entry with it.
	 */
	if (polls <= 100000)
		expect("at-most-last-tests-when-the-first-began", 1);
	/* Where the processor is taken away a flood ends: some bytes each time. */
	expect("at-most-log-bytes", (1 << 20) + polls / 10);
	return finish();
}
