/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Communicators that are none, handles that were never set, nowhere to put a result: the program's
 * error handler hears of each call once, with the call's own code. (Other invalid arguments crash
 * the MPIs themselves, some only Open MPI.)
 */
#include "behave.h"

static int heard, last;

static void handle_error(MPI_Comm *comm, int *code, ...)
{
	(void)comm;
	MPI_Error_class(*code, &last);
	heard++;
}

static void say(const char *what, int code)
{
	int class;

	MPI_Error_class(code, &class);
	if (rank == 0)
		printf("%s: class %d, heard %d times, last class %d\n", what, class, heard, last);
	heard = last = 0;
}

/* What is a handle, but of no datatype that can be sent. */
static void other_types(void)
{
	MPI_Datatype unready;
	MPI_Request request;
	int x[2] = {0, 0};

	MPI_Type_contiguous(2, MPI_INT, &unready);
	say("Send of a type not ready", MPI_Send(x, 1, unready, right, 0, MPI_COMM_WORLD));
	say("Isend of one", MPI_Isend(x, 1, unready, right, 0, MPI_COMM_WORLD, &request));
	MPI_Type_free(&unready);
#ifdef MPICH
	unready = (MPI_Datatype)MPI_COMM_WORLD;
	say("Send of another kind", MPI_Send(x, 1, unready, right, 0, MPI_COMM_WORLD));
	unready = 0x1234567;
	say("Send of nonsense", MPI_Send(x, 1, unready, right, 0, MPI_COMM_WORLD));
	say("Isend of nonsense", MPI_Isend(x, 1, unready, right, 0, MPI_COMM_WORLD, &request));
	say("Bcast of nonsense", MPI_Bcast(x, 1, unready, 0, MPI_COMM_WORLD));
	say("Allgather of nonsense", MPI_Allgather(x, 1, unready, x, 1, MPI_INT, MPI_COMM_SELF));
#endif
}

/* Handles that are 0, as those of a program that forgot to set them are. */
static void never_set(void)
{
	static MPI_Comm comm;
	static MPI_Datatype type;
	static MPI_Win win;
	MPI_Request request;
	int x = 0, y;

	say("Barrier", MPI_Barrier(comm));
	say("Neighbor_alltoall", MPI_Neighbor_alltoall(&x, 1, MPI_INT, &y, 1, MPI_INT, comm));
	say("Send", MPI_Send(&x, 1, type, right, 0, MPI_COMM_WORLD));
	say("Isend", MPI_Isend(&x, 1, type, right, 0, MPI_COMM_WORLD, &request));
	say("Bcast", MPI_Bcast(&x, 1, type, 0, MPI_COMM_WORLD));
	say("Win_fence", MPI_Win_fence(0, win));
	say("Win_lock", MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win));
	say("Fetch_and_op", MPI_Fetch_and_op(&x, &y, type, 0, 0, MPI_SUM, win));
	say("Win_free", MPI_Win_free(&win));
}

/* Results that are to be put nowhere. */
static void nowhere(void)
{
	MPI_Request request = MPI_REQUEST_NULL;
	MPI_Status status;
	int x = 0;

	say("Isend", MPI_Isend(&x, 1, MPI_INT, right, 0, MPI_COMM_WORLD, NULL));
	say("Irecv", MPI_Irecv(&x, 1, MPI_INT, left, 0, MPI_COMM_WORLD, NULL));
	say("Test", MPI_Test(&request, NULL, &status));
	say("Testall", MPI_Testall(1, &request, NULL, &status));
	say("Testany", MPI_Testany(1, &request, &x, NULL, &status));
	say("Testsome", MPI_Testsome(1, &request, NULL, &x, &status));
	say("Request_get_status", MPI_Request_get_status(request, NULL, &status));
	say("Win_test", MPI_Win_test(MPI_WIN_NULL, NULL));
#ifndef OPEN_MPI
	say("Iprobe", MPI_Iprobe(left, 0, MPI_COMM_WORLD, NULL, &status));
	say("Improbe", MPI_Improbe(left, 0, MPI_COMM_WORLD, NULL, NULL, &status));
	say("Mrecv", MPI_Mrecv(&x, 1, MPI_INT, NULL, &status));
	say("Imrecv", MPI_Imrecv(&x, 1, MPI_INT, NULL, &request));
	say("Comm_free", MPI_Comm_free(NULL));
	say("Comm_disconnect", MPI_Comm_disconnect(NULL));
	say("Win_free", MPI_Win_free(NULL));
#endif
}

int main(int argc, char **argv)
{
	static char no_object[4096]; /* Open MPI's handles are pointers: this one is marked freed */
	MPI_Errhandler handler;
	MPI_Request request;
	MPI_Comm comm, made;
	int x = 0, y, flag;

	begin(&argc, &argv);
	memset(no_object, 0xff, sizeof(no_object));
#ifdef OPEN_MPI
	comm = (MPI_Comm)no_object;
#else
	comm = 0x84000007; /* in its tables, but not made */
#endif
	MPI_Comm_create_errhandler(handle_error, &handler);
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
	MPI_Comm_set_errhandler(MPI_COMM_SELF, handler);
	say("Send", MPI_Send(&x, 1, MPI_INT, right, 0, comm));
	say("Recv", MPI_Recv(&x, 1, MPI_INT, left, 0, comm, MPI_STATUS_IGNORE));
	say("Isend", MPI_Isend(&x, 1, MPI_INT, right, 0, comm, &request));
	say("Irecv", MPI_Irecv(&x, 1, MPI_INT, left, 0, comm, &request));
	say("Iprobe", MPI_Iprobe(left, 0, comm, &flag, MPI_STATUS_IGNORE));
	say("Barrier", MPI_Barrier(comm));
	say("Allreduce", MPI_Allreduce(&x, &y, 1, MPI_INT, MPI_SUM, comm));
	say("Comm_dup", MPI_Comm_dup(comm, &made));
	say("Send of no type", MPI_Send(&x, 1, MPI_DATATYPE_NULL, right, 0, MPI_COMM_WORLD));
	say("Bcast of no type", MPI_Bcast(&x, 1, MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD));
	never_set();
	other_types();
	nowhere();
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
	MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
	MPI_Errhandler_free(&handler);
	MPI_Barrier(MPI_COMM_WORLD);
	expect("MPI_SEND", 0);
	expect("MPI_COLLECTIVE_END", 1);
	return finish();
}
