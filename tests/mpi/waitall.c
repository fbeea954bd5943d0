/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * All that an MPI_Waitall can be given: nothing, null and inactive requests, handles that are
 * equal, started ones, collectives, the program's own, and requests that fail, with and
 * without statuses, with the program's error handler, which is called as often as ever.
 */
#include "behave.h"

#include <unistd.h>

#define MARK 77

static int errors, last_class, queries;

static void handle_error(MPI_Comm *comm, int *code, ...)
{
	(void)comm;
	MPI_Error_class(*code, &last_class);
	errors++;
}

static int query(void *extra, MPI_Status *status)
{
	(void)extra;
	queries++;
	MPI_Status_set_elements(status, MPI_BYTE, 3);
	MPI_Status_set_cancelled(status, 0);
	status->MPI_SOURCE = 4;
	status->MPI_TAG = 5;
	return MPI_SUCCESS;
}

static int free_it(void *extra)
{
	(void)extra;
	return MPI_SUCCESS;
}

static int cancel_it(void *extra, int complete)
{
	(void)extra;
	(void)complete;
	return MPI_SUCCESS;
}

static void say(const char *what, int code, int n, MPI_Request *r, MPI_Status *s)
{
	int i, class, bytes;

	MPI_Error_class(code, &class);
	if (rank == 0)
		printf("%s: class %d, handler %d times, last %d\n", what, class, errors,
		       errors ? last_class : 0);
	for (i = 0; rank == 0 && i < n; i++) {
		class = s[i].MPI_ERROR;
		if (class != MARK)
			MPI_Error_class(class, &class);
		MPI_Get_count(&s[i], MPI_BYTE, &bytes);
		if (class != MPI_SUCCESS && class != MARK)
			bytes = 0; /* MPICH leaves what was there */
		printf("  %d: from %d, tag %d, error %d, %d bytes, %s\n", i, s[i].MPI_SOURCE,
		       s[i].MPI_TAG, class, bytes,
		       r[i] == MPI_REQUEST_NULL ? "null" : "still a request");
	}
	errors = 0;
}

static void wait_for(const char *what, int n, MPI_Request *r)
{
	MPI_Status s[8];
	int i;

	memset(s, 0, sizeof(s));
	for (i = 0; i < 8; i++)
		s[i].MPI_ERROR = MARK;
	i = MPI_Waitall(n, r, s);
	say(what, i, n, r, s);
}

static int in[4][4], out[4] = {1, 2, 3, 4};

/* n messages from the left with tags from tag on, of which the ones in mask are too long. */
static void post(int n, int tag, unsigned mask, MPI_Request *r)
{
	int i;

	for (i = 0; i < n; i++)
		MPI_Irecv(in[i], mask >> i & 1 ? 1 : 4, MPI_INT, left, tag + i, MPI_COMM_WORLD,
			  &r[i]);
	MPI_Barrier(MPI_COMM_WORLD);
	for (i = 0; i < n; i++)
		MPI_Send(out, 4, MPI_INT, right, tag + i, MPI_COMM_WORLD);
	MPI_Barrier(MPI_COMM_WORLD);
}

static void without_errors(void)
{
	MPI_Request r[8], lasting[2], own;
	int i;

	wait_for("nothing", 0, NULL);
	for (i = 0; i < 3; i++)
		r[i] = MPI_REQUEST_NULL;
	wait_for("null requests", 3, r);
	MPI_Send_init(out, 4, MPI_INT, right, 1, MPI_COMM_WORLD, &lasting[0]);
	MPI_Recv_init(in[0], 4, MPI_INT, left, 1, MPI_COMM_WORLD, &lasting[1]);
	wait_for("inactive requests", 2, lasting);
	MPI_Startall(2, lasting);
	r[0] = lasting[1];
	r[1] = MPI_REQUEST_NULL;
	MPI_Irecv(in[1], 4, MPI_INT, left, 2, MPI_COMM_WORLD, &r[2]);
	for (i = 3; i < 7; i++)
		MPI_Isend(out, i == 3 ? 4 : 0, MPI_INT, i == 3 ? right : MPI_PROC_NULL, 2,
			  MPI_COMM_WORLD, &r[i]);
	MPI_Ibarrier(MPI_COMM_WORLD, &r[7]);
	i = MPI_Waitall(8, r, MPI_STATUSES_IGNORE);
	CHECK(i == MPI_SUCCESS && in[0][3] == 4 && in[1][3] == 4 && r[2] == MPI_REQUEST_NULL);
	CHECK(r[0] != MPI_REQUEST_NULL);
	MPI_Wait(&lasting[0], MPI_STATUS_IGNORE);
	MPI_Grequest_start(query, free_it, cancel_it, NULL, &own);
	post(1, 3, 0, r);
	r[1] = own;
	MPI_Grequest_complete(own);
	queries = 0;
	wait_for("the program's own", 2, r);
	printf("asked %d times\n", queries);
	MPI_Request_free(&lasting[0]);
	MPI_Request_free(&lasting[1]);
}

/* What MPI_ERR_PENDING left. */
static void finish_rest(int n, MPI_Request *r)
{
	int i;

	for (i = 0; i < n; i++)
		if (r[i] != MPI_REQUEST_NULL)
			MPI_Wait(&r[i], MPI_STATUS_IGNORE);
	errors = 0;
}

static void with_errors(void)
{
	MPI_Request r[4];
	MPI_Status s[4];
	int i;

	post(3, 10, 2, r);
	wait_for("one of three too long", 3, r);
	finish_rest(3, r);
	post(3, 20, 7, r);
	wait_for("all three too long", 3, r);
	finish_rest(3, r);
	post(2, 30, 2, r);
	i = MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
	say("one of two, no statuses", i, 0, r, s);
	finish_rest(2, r);
	MPI_Recv_init(in[0], 1, MPI_INT, left, 40, MPI_COMM_WORLD, &r[0]);
	MPI_Start(&r[0]);
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Send(out, 4, MPI_INT, right, 40, MPI_COMM_WORLD);
	MPI_Barrier(MPI_COMM_WORLD);
	wait_for("a started one too long", 1, r);
	MPI_Request_free(&r[0]);
}

/* Three messages to an even rank, from the last posted to the first, with pauses. */
static void one_after_the_other(void)
{
	MPI_Request r[3];
	int i;

	MPI_Barrier(MPI_COMM_WORLD);
	if (rank % 2 == 0) {
		for (i = 0; i < 3; i++)
			MPI_Irecv(in[i], 4, MPI_INT, partner, 50 + i, MPI_COMM_WORLD, &r[i]);
		MPI_Waitall(3, r, MPI_STATUSES_IGNORE);
	} else {
		for (i = 2; i >= 0; i--) {
			usleep(i < 2 ? 300000 : 50000);
			MPI_Ssend(out, 4, MPI_INT, partner, 50 + i, MPI_COMM_WORLD);
		}
	}
}

int main(int argc, char **argv)
{
	MPI_Errhandler handler;
	int even;

	begin(&argc, &argv);
	even = rank % 2 == 0;
	without_errors();
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	with_errors();
	MPI_Comm_create_errhandler(handle_error, &handler);
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
	with_errors();
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
	MPI_Errhandler_free(&handler);
	one_after_the_other();
	expect("MPI_ISEND", 2);
	expect("MPI_ISEND_COMPLETE", 2);
	expect("MPI_IRECV_REQUEST", 3 + 2 * 9 + (even ? 3 : 0));
	expect("MPI_IRECV", 3 + 2 * 9 + (even ? 3 : 0)); /* too long, but received */
	expect("MPI_SEND", 1 + 2 * 9 + (even ? 0 : 3));
	return finish();
}
