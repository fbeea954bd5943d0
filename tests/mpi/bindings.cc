/* SPDX-License-Identifier: GPL-3.0-or-later */
/* MPI's own C++ bindings, which Open MPI 4 still has: each call of theirs is one. */
#include <iostream>
#include <mpi.h>

int main(int argc, char **argv)
{
	MPI::Init(argc, argv);

	MPI::Intracomm &all = MPI::COMM_WORLD;
	int rank = all.Get_rank(), ranks = all.Get_size(), mine = rank, other = -1, sum = 0;
	int left = (rank + ranks - 1) % ranks, right = (rank + 1) % ranks;
	MPI::Status status;

	all.Sendrecv(&mine, 1, MPI::INT, right, 1, &other, 1, MPI::INT, left, MPI::ANY_TAG, status);

	bool good = other == left && status.Get_source() == left && status.Get_tag() == 1;
	MPI::Request requests[2] = {all.Irecv(&other, 1, MPI::INT, left, 2),
				    all.Isend(&mine, 1, MPI::INT, right, 2)};

	MPI::Request::Waitall(2, requests);
	all.Allreduce(&mine, &sum, 1, MPI::INT, MPI::SUM);

	MPI::Intracomm copy = all.Dup();
	MPI::Prequest again = copy.Send_init(&mine, 1, MPI::INT, right, 3);

	for (int i = 0; i < 3; i++) {
		again.Start();
		copy.Recv(&other, 1, MPI::INT, left, 3);
		again.Wait();
	}
	again.Free();
	copy.Free();
	good = good && other == left && sum == ranks * (ranks - 1) / 2;
	std::cout << "rank " + std::to_string(rank) + (good ? ": good\n" : ": bad\n") << std::flush;
	MPI::Finalize();
	return !good;
}
