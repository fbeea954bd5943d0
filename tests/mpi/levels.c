/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * MPI_Pcontrol's levels: 0 pauses the recording, 1 and more go on with it; those below 0, and any
 * that changes nothing, do nothing.
 */
#include "behave.h"

static int tag;

static void round_ring(void)
{
	int in = -1;

	MPI_Sendrecv(&rank, 1, MPI_INT, right, tag, &in, 1, MPI_INT, left, tag, MPI_COMM_WORLD,
		     MPI_STATUS_IGNORE);
	CHECK(in == left);
	tag++;
}

int main(int argc, char **argv)
{
	static const struct {
		int level, recorded;
	} step[] = {{1, 1}, {-1, 1}, {0, 0},  {-1, 0}, {0, 0},
		    {2, 1}, {7, 1},  {-7, 1}, {0, 0},  {1, 1}};
	int i, recorded = 0, tags = 0;

	begin(&argc, &argv);
	for (i = 0; i < (int)(sizeof(step) / sizeof(step[0])); i++) {
		CHECK(MPI_Pcontrol(step[i].level) == MPI_SUCCESS);
		recorded += step[i].recorded;
		tags += step[i].recorded ? tag : 0;
		round_ring();
	}
	expect("MPI_SEND", recorded);
	expect("MPI_RECV", recorded);
	expect("tags-of-all-received", tags);
	return finish();
}
