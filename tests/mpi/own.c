/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Requests of the program's own making among those of messages, a persistent receive whose
 * datatype is gone before it is started, and functions of MPI 1 that have other names today.
 */
#include "behave.h"

static int freed;

static int query(void *extra, MPI_Status *status)
{
	(void)extra;
	MPI_Status_set_elements(status, MPI_INT, 7);
	MPI_Status_set_cancelled(status, 0);
	status->MPI_SOURCE = MPI_UNDEFINED;
	status->MPI_TAG = MPI_UNDEFINED;
	return MPI_SUCCESS;
}

static int forget(void *extra)
{
	freed += *(int *)extra;
	return MPI_SUCCESS;
}

static int cancel(void *extra, int complete)
{
	(void)extra;
	(void)complete;
	return MPI_SUCCESS;
}

static void requests(void)
{
	int in = -1, extra = 1, flag, n;
	MPI_Request r[3];
	MPI_Status statuses[3];

	MPI_Grequest_start(query, forget, cancel, &extra, &r[1]);
	MPI_Irecv(&in, 1, MPI_INT, left, 1, MPI_COMM_WORLD, &r[0]);
	MPI_Isend(&rank, 1, MPI_INT, right, 1, MPI_COMM_WORLD, &r[2]);
	MPI_Test(&r[1], &flag, MPI_STATUS_IGNORE);
	CHECK(!flag);
	MPI_Grequest_complete(r[1]);
	MPI_Waitall(3, r, statuses);
	MPI_Get_count(&statuses[1], MPI_INT, &n);
	CHECK(in == left && n == 7 && freed == 1);
	MPI_Grequest_start(query, forget, cancel, &extra, &r[1]);
	MPI_Grequest_complete(r[1]);
	MPI_Request_free(&r[1]);
	CHECK(freed == 2 && r[1] == MPI_REQUEST_NULL);
}

static void type_gone(void)
{
	int in[4] = {-1, -1, -1, -1}, out[2] = {rank, rank + 1}, i;
	MPI_Datatype pair;
	MPI_Request r;

	MPI_Type_vector(2, 1, 2, MPI_INT, &pair);
	MPI_Type_commit(&pair);
	MPI_Recv_init(in, 1, pair, left, 2, MPI_COMM_WORLD, &r);
	MPI_Type_free(&pair);
	for (i = 0; i < 3; i++) {
		MPI_Start(&r);
		MPI_Send(out, 2, MPI_INT, right, 2, MPI_COMM_WORLD);
		MPI_Wait(&r, MPI_STATUS_IGNORE);
		CHECK(in[0] == left && in[1] == -1 && in[2] == left + 1);
	}
	MPI_Request_free(&r);
}

/* By name: headers of today may leave them out, but libraries have them. */
int MPI_Attr_get(MPI_Comm, int, void *, int *);
int MPI_Attr_put(MPI_Comm, int, void *);
int MPI_Keyval_free(int *);

static void old_names(void)
{
	int key = MPI_KEYVAL_INVALID, found = 0, value = 3, *got = NULL;

	MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &key, NULL);
	MPI_Attr_put(MPI_COMM_WORLD, key, &value);
	MPI_Attr_get(MPI_COMM_WORLD, key, &got, &found);
	CHECK(found && got == &value);
	MPI_Attr_delete(MPI_COMM_WORLD, key);
	MPI_Keyval_free(&key);
	CHECK(key == MPI_KEYVAL_INVALID);
}

int main(int argc, char **argv)
{
	begin(&argc, &argv);
	requests();
	type_gone();
	old_names();
	expect("MPI_ISEND", 1);
	expect("MPI_ISEND_COMPLETE", 1);
	expect("MPI_IRECV_REQUEST", 4);
	expect("MPI_IRECV", 4);
	expect("MPI_SEND", 3);
	expect("bytes-received", 4 + 3 * 8);
	expect("bytes-sent", 4 + 3 * 8);
	return finish();
}
