/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The program's own datatypes, made, used once and freed: how large they are MPI tells only while
 * they are there.
 *	derived_types          all kinds of calls, each with its bytes
 *	derived_types WHAT     with a handle that was never given out: ends as MPI ends it
 */
#include "behave.h"

#define ROUNDS 5

static MPI_Datatype make(int ints)
{
	MPI_Datatype type;

	MPI_Type_contiguous(ints, MPI_INT, &type);
	MPI_Type_commit(&type);
	return type;
}

static void exchange(int n, int *out, int *in)
{
	MPI_Datatype type = make(n);
	MPI_Request request;

	MPI_Send(out, 1, type, right, 1, MPI_COMM_WORLD);
	MPI_Recv(in, 1, type, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Sendrecv(out, 2, type, right, 2, in, 2, type, left, 2, MPI_COMM_WORLD,
		     MPI_STATUS_IGNORE);
	MPI_Sendrecv_replace(in, 1, type, right, 3, left, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Isend(out, 1, type, right, 4, MPI_COMM_WORLD, &request);
	MPI_Type_free(&type);
	MPI_Recv(in, n, MPI_INT, left, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void together(int n, int *out, int *in)
{
	MPI_Datatype type = make(n), types[1] = {type};
	int one = 1, zero = 0;
	MPI_Request request;

	MPI_Bcast(out, 1, type, 0, MPI_COMM_WORLD);
	MPI_Allgather(out, 1, type, in, 1, type, MPI_COMM_SELF);
	MPI_Alltoallw(out, &one, &zero, types, in, &one, &zero, types, MPI_COMM_SELF);
	MPI_Ibcast(out, 1, type, 0, MPI_COMM_WORLD, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_Type_free(&type);
}

static void on_file(int n, int *out, int *in)
{
	MPI_Datatype type = make(n);
	MPI_File fh;

	MPI_File_open(MPI_COMM_SELF, rank % 2 ? "derived.1" : "derived.0",
		      MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL,
		      &fh);
	MPI_File_write_at(fh, 0, out, 1, type, MPI_STATUS_IGNORE);
	MPI_File_close(&fh);
	(void)in;
	MPI_Type_free(&type);
}

#ifdef MPICH
static void never_given(const char *what)
{
	MPI_Datatype type = 0x8c000123;
	int x = 0;

	if (*what == 's')
		MPI_Send(&x, 1, type, right, 0, MPI_COMM_WORLD);
	else if (*what == 'b')
		MPI_Bcast(&x, 1, type, 0, MPI_COMM_WORLD);
	else
		MPI_Allreduce(&x, &x, 1, type, MPI_SUM, MPI_COMM_WORLD);
}
#endif

int main(int argc, char **argv)
{
	int out[40] = {0}, in[40], sizes = 0, i;

	begin(&argc, &argv);
#ifdef MPICH
	if (argc > 1)
		never_given(argv[1]);
#endif
	for (i = 1; i <= ROUNDS; i++) {
		exchange(i, out, in);
		together(i, out, in);
		sizes += 4 * i;
	}
	on_file(3, out, in);
	expect("MPI_SEND", 3 * ROUNDS);
	expect("MPI_ISEND", ROUNDS);
	expect("MPI_ISEND_COMPLETE", ROUNDS);
	expect("MPI_RECV", 4 * ROUNDS);
	expect("bytes-sent", 5L * sizes);
	expect("bytes-received", 5L * sizes);
	expect("bytes-in-collectives", sizes * ((rank ? 0L : 2L) + 2L));
	expect("IO_CREATE_HANDLE", 1);
	expect("IO_OPERATION_BEGIN", 1);
	expect("bytes-written", 12);
	return finish();
}
