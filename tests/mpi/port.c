/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Names of places, if MPI knows where to keep them; two ranks that meet, at a port or by a
 * connection that they have, and the communicator is the same to both. Not every MPI can: then
 * there is nothing to see.
 */
#include "behave.h"

#include <arpa/inet.h>
#include <sys/socket.h>

#define SERVICE "contend-tests-port"
#define PLACE   "where-it-is"

/* The second finds what the first has put under a name. */
static void names(void)
{
	char found[MPI_MAX_PORT_NAME] = "";
	int kept = rank == 0 && MPI_Publish_name(SERVICE, MPI_INFO_NULL, PLACE) == MPI_SUCCESS;

	MPI_Bcast(&kept, 1, MPI_INT, 0, MPI_COMM_WORLD);
	if (rank == 1 && kept) {
		CHECK(MPI_Lookup_name(SERVICE, MPI_INFO_NULL, found) == MPI_SUCCESS);
		CHECK(strcmp(found, PLACE) == 0);
	}
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == 0 && kept)
		MPI_Unpublish_name(SERVICE, MPI_INFO_NULL, PLACE);
	expect("MPI_Publish_name", rank == 0);
	expect("MPI_Lookup_name", rank == 1 && kept);
	expect("MPI_Unpublish_name", rank == 0 && kept);
	expect("MPI_COLLECTIVE_END", 2);
}

/* The first listens on this machine and tells the other where. */
static int connection(void)
{
	struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	int fd = socket(AF_INET, SOCK_STREAM, 0), connected = fd;
	socklen_t size = sizeof(at);

	if (rank == 0) {
		CHECK(bind(fd, (struct sockaddr *)&at, size) == 0 && listen(fd, 1) == 0);
		getsockname(fd, (struct sockaddr *)&at, &size);
		MPI_Send(&at, sizeof(at), MPI_BYTE, 1, 4, MPI_COMM_WORLD);
		connected = accept(fd, NULL, NULL);
		close(fd);
	} else {
		MPI_Recv(&at, sizeof(at), MPI_BYTE, 0, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		CHECK(connect(fd, (struct sockaddr *)&at, size) == 0);
	}
	expect("MPI_SEND", rank == 0);
	expect("MPI_RECV", rank == 1);
	return connected;
}

static void talk(MPI_Comm met)
{
	int x = -1;

	MPI_Sendrecv(&rank, 1, MPI_INT, 0, 1, &x, 1, MPI_INT, 0, 1, met, MPI_STATUS_IGNORE);
	CHECK(x == partner);
	expect("MPI_SEND", 1);
	expect("MPI_RECV", 1);
}

int main(int argc, char **argv)
{
	char port[MPI_MAX_PORT_NAME] = "";
	MPI_Comm met, copy;
	int able, fd;

	begin(&argc, &argv);
	MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	names();
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
	talk(met);
	MPI_Comm_dup(met, &copy);
	MPI_Barrier(copy);
	MPI_Comm_free(&copy);
	MPI_Comm_disconnect(&met);
	fd = connection();
	CHECK(MPI_Comm_join(fd, &met) == MPI_SUCCESS);
	talk(met);
	MPI_Comm_disconnect(&met);
	close(fd);
	if (rank == 0) {
		MPI_Close_port(port);
		expect("communicators", 5);
	}
	expect("MPI_Comm_join", 1);
	expect("MPI_COLLECTIVE_END", 6);
	return finish();
}
