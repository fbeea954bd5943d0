/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Communicators that are none: the program's error handler hears of each call once, with the
 * call's own code. (Other invalid handles crash the MPIs themselves.)
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
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
	MPI_Errhandler_free(&handler);
	MPI_Barrier(MPI_COMM_WORLD);
	expect("MPI_SEND", 0);
	expect("MPI_COLLECTIVE_END", 1);
	return finish();
}
