! SPDX-License-Identifier: GPL-3.0-or-later
!
! Part of fortran_many.F90: communicators of some ranks, neighbours on a line and in graphs,
! collectives that are not waited for at once, or started again and again.

#include "fortran_binding.inc"
#if defined(OPENMPI)
#define INIT_OF_ALLREDUCE MPIX_Allreduce_init
#define INIT_OF_BCAST MPIX_Bcast_init
#if defined(BIND_USE_MPI)
#define USE_EXTENSIONS use mpi_ext
#elif defined(BIND_USE_MPI_F08)
#define USE_EXTENSIONS use mpi_f08_ext
#else
#define USE_EXTENSIONS
#endif
#else
#define INIT_OF_ALLREDUCE MPI_Allreduce_init
#define INIT_OF_BCAST MPI_Bcast_init
#define USE_EXTENSIONS
#endif

module fortran_groups
	use behave
	USE_EXTENSIONS
	implicit none

contains

subroutine groups
	call of_some
	call on_a_line
	call in_graphs
	call several
	call again
	call met
end subroutine

! Some ranks get no communicator; one is known to its members alone; a name has no end but blanks.
subroutine of_some
	COMM_TYPE :: comm
	GROUP_TYPE :: world, pair
	integer :: sum, members(2), in

	call MPI_Comm_split(MPI_COMM_WORLD, merge(MPI_UNDEFINED, 3, rank == ranks - 1), -rank, comm LAST_ARGUMENT)
	call expect((comm == MPI_COMM_NULL) .eqv. (rank == ranks - 1), __LINE__)
	if (comm /= MPI_COMM_NULL) then
		call MPI_Allreduce(rank, sum, 1, MPI_INTEGER, MPI_SUM, comm LAST_ARGUMENT)
		call expect(sum == (ranks - 1) * (ranks - 2) / 2, __LINE__)
		call MPI_Comm_free(comm LAST_ARGUMENT)
		call declare('MPI_Allreduce', 1)
		call declare('MPI_COLLECTIVE_END', 2)
	end if
	members = [rank - mod(rank, 2), rank - mod(rank, 2) + 1]
	call MPI_Comm_group(MPI_COMM_WORLD, world LAST_ARGUMENT)
	call MPI_Group_incl(world, 2, members, pair LAST_ARGUMENT)
	call MPI_Comm_create_group(MPI_COMM_WORLD, pair, 5, comm LAST_ARGUMENT)
	call MPI_Comm_set_name(comm, 'a pair   ' LAST_ARGUMENT)
	call MPI_Sendrecv(rank, 1, MPI_INTEGER, mod(rank + 1, 2), 2, in, 1, MPI_INTEGER, mod(rank + 1, 2), 2, &
		comm, MPI_STATUS_IGNORE LAST_ARGUMENT)
	call expect(in == partner, __LINE__)
	call MPI_Comm_free(comm LAST_ARGUMENT)
	call MPI_Comm_create(MPI_COMM_WORLD, pair, comm LAST_ARGUMENT)
	call expect(comm /= MPI_COMM_NULL, __LINE__)
	call MPI_Comm_free(comm LAST_ARGUMENT)
	call MPI_Group_free(pair LAST_ARGUMENT)
	call MPI_Group_free(world LAST_ARGUMENT)
	if (rank == 0) call declare('comms-named-a-pair', ranks / 2)
	call declare('MPI_Comm_create', 1)
	call declare('MPI_Comm_create_group', 1)
	call declare('MPI_Comm_split', 1)
	call declare('MPI_COLLECTIVE_END', 4)
	call declare_rings(1)
end subroutine

! Nobody is behind the ends.
subroutine on_a_line
	COMM_TYPE :: line
	integer :: dims(1), in(2), before, after
	logical :: around(1)

	dims = ranks
	around = .false.
	call MPI_Cart_create(MPI_COMM_WORLD, 1, dims, around, .false., line LAST_ARGUMENT)
	call MPI_Cart_shift(line, 0, 1, before, after LAST_ARGUMENT)
	in = -1
	call MPI_Neighbor_allgather(rank, 1, MPI_INTEGER, in, 1, MPI_INTEGER, line LAST_ARGUMENT)
	call expect(in(1) == merge(-1, left, rank == 0) .and. in(2) == merge(-1, right, rank == ranks - 1), __LINE__)
	in(1) = -1
	call MPI_Sendrecv(rank, 1, MPI_INTEGER, after, 1, in, 1, MPI_INTEGER, before, 1, line, &
		MPI_STATUS_IGNORE LAST_ARGUMENT)
	call expect(in(1) == merge(-1, left, rank == 0), __LINE__)
	call MPI_Comm_free(line LAST_ARGUMENT)
	call declare('MPI_Neighbor_allgather', 1)
	call declare('MPI_Cart_create', 1)
	call declare('MPI_COLLECTIVE_END', 3)
	call declare('MPI_Sendrecv', 1)
	call declare('MPI_SEND', merge(0, 1, rank == ranks - 1))
	call declare('MPI_RECV', merge(0, 1, rank == 0))
end subroutine

! The same ring, said in three ways; at last every second rank has nobody, and no weights.
subroutine in_graphs
	COMM_TYPE :: graph
	integer :: index(ranks), edges(2 * ranks), in(2), i, sources, targets
	logical :: weighted

	do i = 0, ranks - 1
		index(i + 1) = 2 * (i + 1)
		edges(2 * i + 1) = mod(i + ranks - 1, ranks)
		edges(2 * i + 2) = mod(i + 1, ranks)
	end do
	call MPI_Graph_create(MPI_COMM_WORLD, ranks, index, edges, .false., graph LAST_ARGUMENT)
	call MPI_Neighbor_allgather(rank, 1, MPI_INTEGER, in, 1, MPI_INTEGER, graph LAST_ARGUMENT)
	call expect(in(1) == left .and. in(2) == right, __LINE__)
	call MPI_Comm_free(graph LAST_ARGUMENT)
	call MPI_Dist_graph_create(MPI_COMM_WORLD, 1, [rank], [1], [right], MPI_UNWEIGHTED, MPI_INFO_NULL, &
		.false., graph LAST_ARGUMENT)
	call MPI_Neighbor_allgather(rank, 1, MPI_INTEGER, in, 1, MPI_INTEGER, graph LAST_ARGUMENT)
	call expect(in(1) == left, __LINE__)
	call MPI_Comm_free(graph LAST_ARGUMENT)
	if (mod(rank, 2) == 0) then
		call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 0, edges, MPI_WEIGHTS_EMPTY, 0, edges, &
			MPI_WEIGHTS_EMPTY, MPI_INFO_NULL, .false., graph LAST_ARGUMENT)
	else
		call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, [rank], [7], 1, [rank], [7], MPI_INFO_NULL, &
			.false., graph LAST_ARGUMENT)
	end if
	call MPI_Dist_graph_neighbors_count(graph, sources, targets, weighted LAST_ARGUMENT)
	call expect(sources == mod(rank, 2) .and. targets == sources .and. weighted, __LINE__)
	in = -1
	call MPI_Neighbor_allgather(rank, 1, MPI_INTEGER, in, 1, MPI_INTEGER, graph LAST_ARGUMENT)
	call expect(in(1) == merge(-1, rank, mod(rank, 2) == 0), __LINE__)
	call MPI_Comm_free(graph LAST_ARGUMENT)
	call declare('MPI_Neighbor_allgather', 3)
	call declare('MPI_Dist_graph_create', 1)
	call declare('MPI_Dist_graph_create_adjacent', 1)
	call declare('MPI_Graph_create', 1)
	call declare('MPI_COLLECTIVE_END', 9)
end subroutine

! All at once, completed in one call; in place, too.
subroutine several
	REQUEST_TYPE :: requests(6)
	integer, asynchronous :: sum, value, in, all(ranks), mine, least

	sum = rank
	value = merge(9, 0, rank == 0)
	all(rank + 1) = rank
	mine = -1
	call MPI_Ibarrier(MPI_COMM_WORLD, requests(1) LAST_ARGUMENT)
	call MPI_Iallreduce(MPI_IN_PLACE, sum, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, requests(2) LAST_ARGUMENT)
	call MPI_Ibcast(value, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, requests(3) LAST_ARGUMENT)
	call MPI_Iallgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, 1, MPI_INTEGER, MPI_COMM_WORLD, &
		requests(4) LAST_ARGUMENT)
	least = rank
	if (rank == 0) then
		call MPI_Ireduce(MPI_IN_PLACE, least, 1, MPI_INTEGER, MPI_MAX, 0, MPI_COMM_WORLD, requests(5) LAST_ARGUMENT)
	else
		call MPI_Ireduce(least, mine, 1, MPI_INTEGER, MPI_MAX, 0, MPI_COMM_WORLD, requests(5) LAST_ARGUMENT)
	end if
	call MPI_Irecv(in, 1, MPI_INTEGER, left, 1, MPI_COMM_WORLD, requests(6) LAST_ARGUMENT)
	call MPI_Send(rank, 1, MPI_INTEGER, right, 1, MPI_COMM_WORLD LAST_ARGUMENT)
	call MPI_Waitall(6, requests, MPI_STATUSES_IGNORE LAST_ARGUMENT)
	call expect(sum == ranks * (ranks - 1) / 2 .and. value == 9 .and. all(left + 1) == left, __LINE__)
	call expect(in == left .and. mine == -1 .and. (rank > 0 .or. least == ranks - 1), __LINE__)
	call declare('NON_BLOCKING_COLLECTIVE_REQUEST', 5)
	call declare('NON_BLOCKING_COLLECTIVE_COMPLETE', 5)
	call declare('MPI_SEND', 1)
	call declare('MPI_IRECV_REQUEST', 1)
	call declare('MPI_IRECV', 1)
end subroutine

! Open MPI 4 has them under names of its own.
subroutine again
	REQUEST_TYPE :: requests(2)
	integer, asynchronous :: sum, value
	integer :: i

	call INIT_OF_ALLREDUCE(rank, sum, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, requests(1) LAST_ARGUMENT)
	call INIT_OF_BCAST(value, 1, MPI_INTEGER, 1, MPI_COMM_WORLD, MPI_INFO_NULL, requests(2) LAST_ARGUMENT)
	do i = 1, 3
		sum = -1
		value = merge(i, -1, rank == 1)
		call MPI_Startall(2, requests LAST_ARGUMENT)
		call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE LAST_ARGUMENT)
		call expect(sum == ranks * (ranks - 1) / 2 .and. value == i, __LINE__)
	end do
	call MPI_Request_free(requests(1) LAST_ARGUMENT)
	call MPI_Request_free(requests(2) LAST_ARGUMENT)
	call declare('NON_BLOCKING_COLLECTIVE_REQUEST', 6)
	call declare('NON_BLOCKING_COLLECTIVE_COMPLETE', 6)
end subroutine

! Two that meet at a port, whose name has no end but blanks.
subroutine met
	character(MPI_MAX_PORT_NAME) :: port
	COMM_TYPE :: both
	integer :: code, x

	port = ''
	code = MPI_SUCCESS
	call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN LAST_ARGUMENT)
	if (rank == 0) call MPI_Open_port(MPI_INFO_NULL, port, code)
	call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL LAST_ARGUMENT)
	call MPI_Bcast(code, 1, MPI_INTEGER, 0, MPI_COMM_WORLD LAST_ARGUMENT)
	call MPI_Bcast(port, MPI_MAX_PORT_NAME, MPI_CHARACTER, 0, MPI_COMM_WORLD LAST_ARGUMENT)
	call declare('MPI_Bcast', 2)
	call declare('MPI_COLLECTIVE_END', 2)
	if (code /= MPI_SUCCESS .or. rank > 1) return
	if (rank == 0) then
		call MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, both LAST_ARGUMENT)
	else
		call MPI_Comm_connect(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, both LAST_ARGUMENT)
	end if
	x = -1
	call MPI_Sendrecv(rank, 1, MPI_INTEGER, 0, 1, x, 1, MPI_INTEGER, 0, 1, both, MPI_STATUS_IGNORE LAST_ARGUMENT)
	call expect(x == partner, __LINE__)
	call MPI_Comm_disconnect(both LAST_ARGUMENT)
	if (rank == 0) call MPI_Close_port(port LAST_ARGUMENT)
	call declare_rings(1)
	call declare('MPI_Comm_disconnect', 1)
	call declare('MPI_COLLECTIVE_END', 2)
end subroutine

end module
