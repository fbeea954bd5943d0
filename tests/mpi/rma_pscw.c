/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One-sided communication that only those concerned synchronize: start, complete, post, wait. */
#include "behave.h"

#define N 64

int main(int argc, char **argv)
{
	int memory[N], out[N], i, round, flag;
	MPI_Group world, of_right, of_left;
	MPI_Win win;

	begin(&argc, &argv);
	MPI_Comm_group(MPI_COMM_WORLD, &world);
	MPI_Group_incl(world, 1, &right, &of_right);
	MPI_Group_incl(world, 1, &left, &of_left);
	MPI_Win_create(memory, sizeof(memory), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
	for (round = 0; round < 4; round++) {
		for (i = 0; i < N; i++)
			out[i] = round + rank;
		MPI_Win_post(of_left, 0, win);
		MPI_Win_start(of_right, 0, win);
		MPI_Put(out, N, MPI_INT, right, 0, N, MPI_INT, win);
		MPI_Win_complete(win);
		if (round % 2) {
			MPI_Win_wait(win);
		} else {
			do
				MPI_Win_test(win, &flag);
			while (!flag);
		}
		CHECK(memory[0] == round + left && memory[N - 1] == round + left);
	}
	MPI_Win_free(&win);
	MPI_Group_free(&of_left);
	MPI_Group_free(&of_right);
	MPI_Group_free(&world);
	expect("RMA_PUT", 4);
	expect("bytes-put", 4 * N * (long)sizeof(int));
	expect("RMA_OP_COMPLETE_NON_BLOCKING", 4);
	expect("RMA_OP_COMPLETE_REMOTE", 0); /* the target alone knows */
	expect("RMA_GROUP_SYNC", 16);
	expect("RMA_COLLECTIVE_END", 2);
	return finish();
}
