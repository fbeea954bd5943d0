/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A library in C that a Fortran program gives its handles to: it begins what Fortran ends and ends
 * what Fortran began.
 */
#include <mpi.h>

/* Around the ring; the requests are Fortran's afterwards. */
void mixed_begin(MPI_Fint comm, MPI_Fint type, int left, int right, const int *out, int *in,
		 MPI_Fint requests[2])
{
	MPI_Comm c = MPI_Comm_f2c(comm);
	MPI_Datatype t = MPI_Type_f2c(type);
	MPI_Request r[2];

	MPI_Irecv(in, 1, t, left, 60, c, &r[0]);
	MPI_Isend(out, 1, t, right, 60, c, &r[1]);
	requests[0] = MPI_Request_c2f(r[0]);
	requests[1] = MPI_Request_c2f(r[1]);
}

/* Returns the status for Fortran unless that ignores it, as Fortran says. */
void mixed_end(MPI_Fint *request, MPI_Fint *status)
{
	MPI_Request r = MPI_Request_f2c(*request);
	MPI_Status s;

	if (status == MPI_F_STATUS_IGNORE) {
		MPI_Wait(&r, MPI_STATUS_IGNORE);
	} else {
		MPI_Wait(&r, &s);
		MPI_Status_c2f(&s, status);
	}
	*request = MPI_Request_c2f(r);
}

/* How many integers a status of Fortran's tells of. */
int mixed_count(const MPI_Fint *status)
{
	MPI_Status s;
	int n;

	MPI_Status_f2c(status, &s);
	MPI_Get_count(&s, MPI_INT, &n);
	return n;
}

/* With an operation and a window of Fortran's: the sum of all, put to the right. */
int mixed_sum(MPI_Fint comm, MPI_Fint op, MPI_Fint window, int right, int value)
{
	MPI_Win w = MPI_Win_f2c(window);
	int sum;

	MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_Op_f2c(op), MPI_Comm_f2c(comm));
	MPI_Win_fence(0, w);
	MPI_Put(&sum, 1, MPI_INT, right, 0, 1, MPI_INT, w);
	MPI_Win_fence(0, w);
	return sum;
}
