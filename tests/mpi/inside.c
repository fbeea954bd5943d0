/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * MPI called by code of the program that MPI calls: functions that copy and delete attributes,
 * error handlers, operations, functions of generalized requests. Such calls are part of the call
 * that they are made in and not recorded, but for what was started outside and completes in
 * there; what they make, free or leave the program goes on to use, and that is.
 */
#include "behave.h"

#define TURNS 10

static MPI_Comm kept, inner; /* made and freed in there */
static MPI_Request crossing; /* started in there */
static int in, errors, queries, frees, cancels, deletions, key;

/* A message to itself, of which nothing is recorded. */
static void talk(MPI_Comm comm)
{
	int me, out = 7, came = 0;
	MPI_Request r[2];

	MPI_Comm_rank(comm, &me);
	MPI_Irecv(&came, 1, MPI_INT, me, 9, comm, &r[0]);
	MPI_Isend(&out, 1, MPI_INT, me, 9, comm, &r[1]);
	MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
	CHECK(came == 7);
}

static int copy_it(MPI_Comm comm, int keyval, void *extra, void *from, void *to, int *flag)
{
	(void)keyval;
	(void)extra;
	talk(MPI_COMM_SELF);
	MPI_Barrier(comm);
	MPI_Comm_dup(MPI_COMM_SELF, &inner);
	MPI_Comm_split(comm, 0, 0, &kept); /* without its attributes */
	*(void **)to = from;
	*flag = 1;
	return MPI_SUCCESS;
}

/* As libraries do that keep a communicator of their own with the program's. */
static int delete_it(MPI_Comm comm, int keyval, void *value, void *extra)
{
	(void)comm;
	(void)keyval;
	(void)value;
	(void)extra;
	talk(inner);
	MPI_Comm_free(&inner);
	MPI_Irecv(&in, 1, MPI_INT, left, 5, kept, &crossing);
	deletions++;
	return MPI_SUCCESS;
}

/* Communicators with an attribute come and go; messages in one that was made in there. */
static void attributes(void)
{
	int value = 1;
	MPI_Comm with, without;

	MPI_Comm_dup(MPI_COMM_WORLD, &with);
	MPI_Comm_create_keyval(copy_it, delete_it, &key, NULL);
	MPI_Comm_set_attr(with, key, &value);
	MPI_Comm_dup(with, &without);
	MPI_Comm_free(&without);
	MPI_Send(&rank, 1, MPI_INT, right, 5, kept);
	MPI_Wait(&crossing, MPI_STATUS_IGNORE);
	CHECK(in == left);
	in = -1;
	MPI_Sendrecv(&rank, 1, MPI_INT, right, 6, &in, 1, MPI_INT, left, 6, kept,
		     MPI_STATUS_IGNORE);
	CHECK(in == left && deletions == 1);
	MPI_Comm_free(&kept);
	MPI_Comm_dup(MPI_COMM_SELF, &inner);
	MPI_Comm_dup(MPI_COMM_SELF, &kept);
	left = right = 0;
	MPI_Comm_free(&with);
	MPI_Cancel(&crossing);
	MPI_Wait(&crossing, MPI_STATUS_IGNORE);
	MPI_Comm_free(&kept);
	MPI_Comm_free_keyval(&key);
	know_self();
}

static MPI_Request open_one[2] = {MPI_REQUEST_NULL,
				  MPI_REQUEST_NULL}; /* a receive, and the send for it */

enum way { WAIT, TEST, WAITALL, TESTALL, WAITANY, TESTANY, WAITSOME, TESTSOME, CANCEL, WAYS };

/* In each way, polling until it is there; the send is left to the caller where one is enough. */
static void complete(enum way way)
{
	int done = 0, n = 0, at[2];

	while (!done) {
		switch (way) {
		case CANCEL:
			MPI_Cancel(&open_one[0]); /* fall through */
		case WAIT:
			done = !MPI_Wait(&open_one[0], MPI_STATUS_IGNORE);
			break;
		case TEST:
			MPI_Test(&open_one[0], &done, MPI_STATUS_IGNORE);
			break;
		case WAITALL:
			done = !MPI_Waitall(2, open_one, MPI_STATUSES_IGNORE);
			break;
		case TESTALL:
			MPI_Testall(2, open_one, &done, MPI_STATUSES_IGNORE);
			break;
		case WAITANY:
			done = !MPI_Waitany(1, open_one, &n, MPI_STATUS_IGNORE);
			break;
		case TESTANY:
			MPI_Testany(1, open_one, &n, &done, MPI_STATUS_IGNORE);
			break;
		case WAITSOME:
			done = !MPI_Waitsome(1, open_one, &n, at, MPI_STATUSES_IGNORE);
			break;
		default:
			MPI_Testsome(1, open_one, &done, at, MPI_STATUSES_IGNORE);
			break;
		}
	}
}

static int end_it(MPI_Comm comm, int keyval, void *value, void *extra)
{
	(void)comm;
	(void)keyval;
	(void)extra;
	talk(MPI_COMM_SELF);
	complete(*(enum way *)value);
	talk(MPI_COMM_SELF);
	return MPI_SUCCESS;
}

static int query(void *extra, MPI_Status *status)
{
	(void)extra;
	MPI_Status_set_elements(status, MPI_INT, 1);
	MPI_Status_set_cancelled(status, 0);
	status->MPI_SOURCE = status->MPI_TAG = MPI_UNDEFINED;
	if (open_one[0] != MPI_REQUEST_NULL)
		complete(WAIT);
	queries++;
	return MPI_SUCCESS;
}

static int forget(void *extra)
{
	MPI_Comm_free(extra);
	frees++;
	return MPI_SUCCESS;
}

static int cancel(void *extra, int complete)
{
	if (!complete)
		MPI_Grequest_complete(*(MPI_Request *)extra);
	cancels++;
	return MPI_SUCCESS;
}

static int forget_none(void *extra)
{
	(void)extra;
	frees++;
	return MPI_SUCCESS;
}

/* A receive ends in there, whatever call the program is in then. */
static void ends_in(MPI_Comm comm, enum way way)
{
	MPI_Comm holder;

	in = -1;
	MPI_Irecv(&in, 1, MPI_INT, left, 1, comm, &open_one[0]);
	open_one[1] = MPI_REQUEST_NULL;
	if (way != CANCEL)
		MPI_Isend(&rank, 1, MPI_INT, right, 1, comm, &open_one[1]);
	MPI_Comm_dup(MPI_COMM_SELF, &holder);
	MPI_Comm_set_attr(holder, key, &way);
	MPI_Comm_free(&holder);
	CHECK(in == (way == CANCEL ? -1 : left) && open_one[0] == MPI_REQUEST_NULL);
	MPI_Wait(&open_one[1], MPI_STATUS_IGNORE);
	MPI_Barrier(comm);
}

/*
 * Those after it are themselves, whatever handles they have, and so is a request of the program's
 * own.
 */
static void ends_inside(void)
{
	int i;
	MPI_Comm one, other;
	MPI_Request r;

	MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, end_it, &key, NULL);
	MPI_Comm_dup(MPI_COMM_WORLD, &one);
	MPI_Comm_dup(MPI_COMM_WORLD, &other);
	for (i = 0; i < WAYS; i++)
		ends_in(one, i);
	MPI_Grequest_start(query, forget_none, cancel, &r, &r);
	MPI_Grequest_complete(r);
	MPI_Wait(&r, MPI_STATUS_IGNORE);
	queries = frees = 0;
	for (i = 0; i < TURNS; i++) {
		MPI_Irecv(&in, 1, MPI_INT, left, 1, i % 2 ? one : other, &r);
		MPI_Send(&rank, 1, MPI_INT, right, 1, i % 2 ? one : other);
		MPI_Wait(&r, MPI_STATUS_IGNORE);
	}
	MPI_Comm_free(&one);
	MPI_Comm_free(&other);
	MPI_Comm_free_keyval(&key);
}

static void handle_error(MPI_Comm *comm, int *code, ...)
{
	char text[MPI_MAX_ERROR_STRING];
	int n;

	MPI_Error_string(*code, text, &n);
	talk(MPI_COMM_SELF);
	MPI_Pcontrol(0); /* a pause within a call is none */
	MPI_Pcontrol(1);
	errors++;
}

static void failing(void)
{
	MPI_Errhandler handler;
	MPI_Request r;
	int i;

	MPI_Comm_create_errhandler(handle_error, &handler);
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
	for (i = 0; i < TURNS; i++) {
		MPI_Send(&i, 1, MPI_INT, ranks, 1, MPI_COMM_WORLD);
		MPI_Isend(&i, 1, MPI_INT, ranks, 1, MPI_COMM_WORLD, &r);
		MPI_Bcast(&i, 1, MPI_INT, -9, MPI_COMM_WORLD);
	}
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
	MPI_Errhandler_free(&handler);
	CHECK(errors == 3 * TURNS);
}

static void add(void *from, void *to, int *n, MPI_Datatype *type)
{
	int i, size, me;
	MPI_Datatype two;

	MPI_Comm_rank(MPI_COMM_WORLD, &me);
	MPI_Type_contiguous(2, *type, &two);
	MPI_Type_size(two, &size);
	MPI_Type_free(&two);
	CHECK(me == rank && size == 2 * (int)sizeof(int));
	for (i = 0; i < *n; i++)
		((int *)to)[i] += ((int *)from)[i];
}

static void operations(void)
{
	int i, sum = 0, more = 5;
	MPI_Op op;

	MPI_Op_create(add, 1, &op);
	for (i = 0; i < TURNS; i++)
		MPI_Allreduce(&rank, &sum, 1, MPI_INT, op, MPI_COMM_WORLD);
	CHECK(sum == ranks * (ranks - 1) / 2);
	MPI_Reduce_local(&sum, &more, 1, MPI_INT, op);
	CHECK(more == sum + 5);
	MPI_Op_free(&op);
}

/* Among messages, its function ending one more, and one that its own function ends. */
static void own_requests(void)
{
	MPI_Request r[3];
	MPI_Comm comm;
	int i, more;

	for (i = 0; i < TURNS; i++) {
		MPI_Comm_dup(MPI_COMM_SELF, &comm);
		in = more = -1;
		MPI_Irecv(&more, 1, MPI_INT, left, 2, MPI_COMM_WORLD, &open_one[0]);
		MPI_Send(&rank, 1, MPI_INT, right, 2, MPI_COMM_WORLD);
		MPI_Irecv(&in, 1, MPI_INT, left, 1, MPI_COMM_WORLD, &r[0]);
		MPI_Grequest_start(query, forget, cancel, &comm, &r[1]);
		MPI_Isend(&rank, 1, MPI_INT, right, 1, MPI_COMM_WORLD, &r[2]);
		MPI_Grequest_complete(r[1]);
		MPI_Waitall(3, r, MPI_STATUSES_IGNORE);
		CHECK(in == left && more == left && comm == MPI_COMM_NULL);
		MPI_Grequest_start(query, forget_none, cancel, &r[0], &r[0]);
		MPI_Cancel(&r[0]);
		MPI_Wait(&r[0], MPI_STATUS_IGNORE);
	}
	CHECK(queries == 2 * TURNS && frees == 2 * TURNS && cancels == TURNS);
}

int main(int argc, char **argv)
{
	begin(&argc, &argv);
	attributes();
	ends_inside();
	failing();
	operations();
	own_requests();
	expect("MPI_SEND", 2 + 2 * TURNS);
	expect("MPI_RECV", 1);
	expect("MPI_ISEND", WAYS - 1 + TURNS);
	expect("MPI_ISEND_COMPLETE", WAYS - 1 + TURNS);
	expect("MPI_IRECV_REQUEST", WAYS + 3 * TURNS);
	expect("MPI_IRECV", WAYS - 1 + 3 * TURNS);
	expect("MPI_REQUEST_CANCELLED", 1);
	if (rank == 0)
		expect("not-received-in-its-communicator", ranks);
	expect("MPI_Allreduce", TURNS);
	expect("MPI_Barrier", WAYS);
	expect("MPI_Cancel", 1 + TURNS);
	expect("calls-entered-at-the-end", 0);
	return finish();
}
