/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Messages in parts (MPI 4): each start is one message of all its bytes, however its parts
 * are said to be ready and are looked for.
 */
#include "behave.h"

#define STARTS 6
#define PARTS  4

int main(int argc, char **argv)
{
	begin(&argc, &argv);
#if MPI_VERSION >= 4
	double out[PARTS * 10], in[PARTS * 10];
	int i, k, flag, list[PARTS] = {3, 1, 0, 2};
	MPI_Request r[2];

	MPI_Psend_init(out, PARTS, 10, MPI_DOUBLE, right, 1, MPI_COMM_WORLD, MPI_INFO_NULL, &r[0]);
	MPI_Precv_init(in, PARTS, 10, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, MPI_INFO_NULL, &r[1]);
	for (i = 0; i < STARTS; i++) {
		for (k = 0; k < PARTS * 10; k++)
			out[k] = 1000 * rank + 100 * i + k;
		MPI_Startall(2, r);
		if (i % 3 == 0)
			for (k = 0; k < PARTS; k++)
				MPI_Pready(k, r[0]);
		else if (i % 3 == 1)
			MPI_Pready_range(0, PARTS - 1, r[0]);
		else
			MPI_Pready_list(PARTS, list, r[0]);
		for (k = 0; k < PARTS; k++)
			for (flag = 0; !flag;)
				MPI_Parrived(r[1], k, &flag);
		MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
		for (k = 0; k < PARTS * 10; k++)
			CHECK(in[k] == 1000 * left + 100 * i + k);
	}
	MPI_Request_free(&r[0]);
	MPI_Request_free(&r[1]);
	expect("MPI_ISEND", STARTS);
	expect("MPI_ISEND_COMPLETE", STARTS);
	expect("MPI_IRECV_REQUEST", STARTS);
	expect("MPI_IRECV", STARTS);
	expect("bytes-sent", STARTS * PARTS * 80);
	expect("bytes-received", STARTS * PARTS * 80);
#endif
	expect("MPI_SEND", 0);
	return finish();
}
