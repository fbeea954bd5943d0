/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * MPI as C++ programs use it: it begins in the constructor of a static object, before main, and
 * ends in its destructor, after main; communicators, requests and types live in objects and
 * templates, an exception takes some of them along, and an object that outlives MPI asks it once
 * more.
 */
#include "behave.h"

#include <algorithm>
#include <iostream>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

/* Made before MPI begins, and so destroyed after it has ended. */
static struct survivor {
	survivor()
	{
		int flag = 1;

		MPI_Initialized(&flag);
		CHECK(!flag);
	}
	~survivor()
	{
		int begun = 0, ended = 0;

		MPI_Initialized(&begun);
		MPI_Finalized(&ended);
		CHECK(begun && ended);
		/* at once, or what ranks write mixes */
		std::cout << "rank " + std::to_string(rank) + ": " + std::to_string(failures) +
				     " failures at last\n";
		std::cout.flush();
		if (failures)
			_exit(1);
	}
} survivor;

static struct environment {
	environment()
	{
		MPI_Init(nullptr, nullptr);
		know_self();
	}
	~environment()
	{
		int flag = 1, sum = 0;

		MPI_Finalized(&flag);
		CHECK(!flag);
		MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
		CHECK(sum == ranks * (ranks - 1) / 2);
		MPI_Finalize();
	}
} environment;

template <typename T> MPI_Datatype type_of();
template <> MPI_Datatype type_of<int>()
{
	return MPI_INT;
}
template <> MPI_Datatype type_of<double>()
{
	return MPI_DOUBLE;
}

class communicator
{
	MPI_Comm comm = MPI_COMM_NULL;

      public:
	communicator(int color)
	{
		MPI_Comm_split(MPI_COMM_WORLD, color, rank, &comm);
	}
	communicator(const communicator &) = delete;
	communicator &operator=(const communicator &) = delete;
	~communicator()
	{
		MPI_Comm_free(&comm);
	}
	template <typename T> std::vector<T> turn(const std::vector<T> &mine) const
	{
		std::vector<T> theirs(mine.size());
		std::vector<MPI_Request> requests(2);
		int n = static_cast<int>(mine.size());

		MPI_Irecv(theirs.data(), n, type_of<T>(), left, 3, comm, &requests[0]);
		MPI_Isend(mine.data(), n, type_of<T>(), right, 3, comm, &requests[1]);
		MPI_Waitall(2, requests.data(), MPI_STATUSES_IGNORE);
		return theirs;
	}
};

template <typename T> static void exchange(const communicator &all)
{
	std::vector<T> mine(100), theirs;

	std::iota(mine.begin(), mine.end(), static_cast<T>(rank));
	theirs = all.turn(mine);
	CHECK(std::all_of(theirs.begin(), theirs.end(),
			  [n = static_cast<T>(left)](T x) mutable { return x == n++; }));
}

/* What is freed on the way of an exception is freed by all ranks at the same time. */
static void thrown(int depth)
{
	communicator mine(0);

	if (depth == 0)
		throw std::runtime_error("enough of " + std::to_string(ranks));
	thrown(depth - 1);
}

int main()
{
	auto all = std::make_unique<communicator>(0);

	exchange<int>(*all);
	exchange<double>(*all);
	all.reset();
	try {
		thrown(2);
		CHECK(!"nothing was thrown");
	} catch (const std::exception &e) {
		CHECK(e.what() == "enough of " + std::to_string(ranks));
	}
	expect("MPI_ISEND", 2);
	expect("MPI_ISEND_COMPLETE", 2);
	expect("MPI_IRECV_REQUEST", 2);
	expect("MPI_IRECV", 2);
	expect("MPI_COLLECTIVE_END", 9); /* 4 made, 4 freed, 1 after main */
	expect("calls-entered-at-the-end", 0);
	return failures != 0;
}
