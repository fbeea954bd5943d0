/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two ranks that meet at a port; the communicator is the
 * same to both. Not every MPI can: then there is nothing to see.
 */
#include "behave.h"

int main(int argc, char **argv)
{
	char port[MPI_MAX_PORT_NAME] = "";
	int x = -1, able;
	MPI_Comm met, copy;

	begin(&argc, &argv);
	MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	able = rank > 0 || MPI_Open_port(MPI_INFO_NULL, port) == MPI_SUCCESS;
	MPI_Bcast(&able, 1, MPI_INT, 0, MPI_COMM_WORLD);
	MPI_Bcast(port, sizeof(port), MPI_CHAR, 0, MPI_COMM_WORLD);
	expect("MPI_COLLECTIVE_END", 2);
	expect("MPI_SEND", 0);
	if (!able || rank > 1)
		return finish();
	if (rank == 0)
		MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &met);
	else
		MPI_Comm_connect(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &met);
	MPI_Sendrecv(&rank, 1, MPI_INT, 0, 1, &x, 1, MPI_INT, 0, 1, met, MPI_STATUS_IGNORE);
	CHECK(x == partner);
	MPI_Comm_dup(met, &copy);
	MPI_Barrier(copy);
	MPI_Comm_free(&copy);
	MPI_Comm_disconnect(&met);
	if (rank == 0) {
		MPI_Close_port(port);
		expect("communicators", 4);
	}
	expect("MPI_SEND", 1);
	expect("MPI_RECV", 1);
	expect("MPI_COLLECTIVE_END", 5);
	return finish();
}
