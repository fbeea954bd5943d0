/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Calls that fail and return: the codes are MPI's own, printed so that a recorded run
 * can be compared with a bare one, and the recording holds no message that never was.
 */
#include "behave.h"

static void say(const char *what, int code)
{
	int class = MPI_SUCCESS;

	MPI_Error_class(code, &class);
	if (rank == 0)
		printf("%s: %s\n", what,
		       class == MPI_SUCCESS         ? "success"
		       : class == MPI_ERR_RANK      ? "invalid rank"
		       : class == MPI_ERR_TRUNCATE  ? "truncated"
		       : class == MPI_ERR_IN_STATUS ? "in status"
		       : class == MPI_ERR_TAG       ? "invalid tag"
		       : class == MPI_ERR_COUNT     ? "invalid count"
		       : class == MPI_ERR_COMM      ? "invalid communicator"
		       : class == MPI_ERR_TYPE      ? "invalid datatype"
						    : "another error");
}

static void invalid(void)
{
	MPI_Request request = MPI_REQUEST_NULL;
	int x = 0;

	say("Send to rank 1000", MPI_Send(&x, 1, MPI_INT, 1000, 0, MPI_COMM_WORLD));
	say("Isend to rank 1000", MPI_Isend(&x, 1, MPI_INT, 1000, 0, MPI_COMM_WORLD, &request));
	say("Irecv from rank 1000", MPI_Irecv(&x, 1, MPI_INT, 1000, 0, MPI_COMM_WORLD, &request));
	say("Recv with tag -5",
	    MPI_Recv(&x, 1, MPI_INT, left, -5, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
	say("Send of -1 elements", MPI_Send(&x, -1, MPI_INT, right, 0, MPI_COMM_WORLD));
	say("Send without a type", MPI_Send(&x, 1, MPI_DATATYPE_NULL, right, 0, MPI_COMM_WORLD));
	say("Send on no communicator", MPI_Send(&x, 1, MPI_INT, right, 0, MPI_COMM_NULL));
	say("Barrier on no communicator", MPI_Barrier(MPI_COMM_NULL));
	say("Bcast from rank 1000", MPI_Bcast(&x, 1, MPI_INT, 1000, MPI_COMM_WORLD));
	say("Wait for nothing", MPI_Wait(&request, MPI_STATUS_IGNORE));
}

static void truncated(void)
{
	int in[4] = {0}, out[4] = {1, 2, 3, 4};
	MPI_Request r[2];
	MPI_Status s[2];

	MPI_Isend(out, 4, MPI_INT, right, 1, MPI_COMM_WORLD, &r[0]);
	say("Recv into too little",
	    MPI_Recv(in, 1, MPI_INT, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
	MPI_Wait(&r[0], MPI_STATUS_IGNORE);

	MPI_Irecv(in, 1, MPI_INT, left, 2, MPI_COMM_WORLD, &r[0]);
	MPI_Irecv(in + 1, 2, MPI_INT, left, 3, MPI_COMM_WORLD, &r[1]);
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Send(out, 4, MPI_INT, right, 2, MPI_COMM_WORLD);
	MPI_Send(out, 2, MPI_INT, right, 3, MPI_COMM_WORLD);
	MPI_Barrier(MPI_COMM_WORLD);
	say("Waitall, one too long", MPI_Waitall(2, r, s));
	say("  the first", s[0].MPI_ERROR);
	say("  the second", s[1].MPI_ERROR == MPI_ERR_PENDING ? MPI_SUCCESS : s[1].MPI_ERROR);
	if (r[1] != MPI_REQUEST_NULL)
		MPI_Wait(&r[1], MPI_STATUS_IGNORE);
	CHECK(in[1] == 1 && in[2] == 2);
}

/* A send ends in a Waitsome that fails; another one with the same request is never waited for. */
static void in_some(void)
{
	int in[4] = {0}, out[4] = {1, 2, 3, 4}, n, i, at[2];
	MPI_Request r[2], kept;
	MPI_Status s[2];

	MPI_Isend(out, 1, MPI_INT, right, 4, MPI_COMM_WORLD, &r[0]);
	MPI_Isend(out, 1, MPI_INT, right, 4, MPI_COMM_WORLD, &kept);
	for (i = 0; i < 2; i++)
		MPI_Recv(in, 1, MPI_INT, left, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Irecv(in, 1, MPI_INT, left, 5, MPI_COMM_WORLD, &r[1]);
	MPI_Send(out, 4, MPI_INT, right, 5, MPI_COMM_WORLD);
	MPI_Barrier(MPI_COMM_WORLD);
	while (r[0] != MPI_REQUEST_NULL || r[1] != MPI_REQUEST_NULL)
		MPI_Waitsome(2, r, &n, at, s);
}

int main(int argc, char **argv)
{
	begin(&argc, &argv);
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
	invalid();
	truncated();
	in_some();
	expect("MPI_SEND", 3);
	expect("MPI_ISEND", 3);
	expect("MPI_ISEND_COMPLETE", 2);
	expect("MPI_IRECV_REQUEST", 3);
	expect("MPI_RECV", 3); /* one cut to the buffer, but received */
	expect("MPI_IRECV", 3);
	expect("MPI_REQUEST_CANCELLED", 0);
	return finish();
}
