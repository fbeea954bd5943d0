! SPDX-License-Identifier: GPL-3.0-or-later
!
! Part of fortran_many.F90: what MPI 4 has more, where the MPI has it: counts that no int holds (in
! mpi_f08), messages in parts, sends and receives that share a request, sessions.

#include "fortran_binding.inc"

module fortran_mpi4
	use behave
	implicit none

contains

#if defined(MPICH)
subroutine of_mpi4
	call in_parts
	call sharing
end subroutine

subroutine in_parts
	integer, parameter :: parts = 4
	integer(MPI_COUNT_KIND), parameter :: n = 10
	double precision, asynchronous :: out(40), in(40)
	REQUEST_TYPE :: requests(2)
	integer :: i, k
	logical :: flag

	call MPI_Psend_init(out, parts, n, MPI_DOUBLE_PRECISION, right, 1, MPI_COMM_WORLD, MPI_INFO_NULL, requests(1) LAST_ARGUMENT)
	call MPI_Precv_init(in, parts, n, MPI_DOUBLE_PRECISION, left, 1, MPI_COMM_WORLD, MPI_INFO_NULL, requests(2) LAST_ARGUMENT)
	do i = 1, 3
		out = 10 * rank + i
		call MPI_Startall(2, requests LAST_ARGUMENT)
		call MPI_Pready(0, requests(1) LAST_ARGUMENT)
		call MPI_Pready_range(1, 2, requests(1) LAST_ARGUMENT)
		call MPI_Pready_list(1, [3], requests(1) LAST_ARGUMENT)
#if !defined(BIND_USE_MPI)
		do k = 0, parts - 1 ! MPICH 4.0.2's module mpi takes no logical there
			flag = .false.
			do while (.not. flag)
				call MPI_Parrived(requests(2), k, flag LAST_ARGUMENT)
			end do
		end do
#endif
		call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE LAST_ARGUMENT)
		call expect(all(in == 10 * left + i), __LINE__)
	end do
	call MPI_Request_free(requests(1) LAST_ARGUMENT)
	call MPI_Request_free(requests(2) LAST_ARGUMENT)
	call declare('MPI_ISEND', 3)
	call declare('MPI_ISEND_COMPLETE', 3)
	call declare('MPI_IRECV_REQUEST', 3)
	call declare('MPI_IRECV', 3)
end subroutine

subroutine sharing
	REQUEST_TYPE :: request
	integer, asynchronous :: in, both

	in = -1
	both = rank
	call MPI_Isendrecv(rank, 1, MPI_INTEGER, right, 1, in, 1, MPI_INTEGER, left, 1, MPI_COMM_WORLD, request LAST_ARGUMENT)
	call MPI_Wait(request, MPI_STATUS_IGNORE LAST_ARGUMENT)
	call MPI_Isendrecv_replace(both, 1, MPI_INTEGER, right, 2, left, 2, MPI_COMM_WORLD, request LAST_ARGUMENT)
	call MPI_Wait(request, MPI_STATUS_IGNORE LAST_ARGUMENT)
	call expect(in == left .and. both == left, __LINE__)
	call declare('MPI_ISEND', 2)
	call declare('MPI_ISEND_COMPLETE', 2)
	call declare('MPI_IRECV_REQUEST', 2)
	call declare('MPI_IRECV', 2)
end subroutine

#if !defined(BIND_USE_MPI_F08)
subroutine large
end subroutine
#else
! The twins with large counts, and a count that is large, of what moves nowhere.
subroutine large
	integer(MPI_COUNT_KIND) :: n, many, counts(ranks), size
	integer(MPI_ADDRESS_KIND) :: at(ranks)
	integer, asynchronous :: in(4), out(4), all(4 * ranks)
	type(MPI_Request) :: requests(2)
	type(MPI_Status) :: status
	integer :: i

	n = 4
	many = 3000000000_MPI_COUNT_KIND
	out = rank
	in = -1
	call MPI_Irecv(in, n, MPI_INTEGER, left, 1, MPI_COMM_WORLD, requests(1))
	call MPI_Isend(out, n, MPI_INTEGER, right, 1, MPI_COMM_WORLD, requests(2))
	call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
	call expect(all_are(in, left), __LINE__)
	call MPI_Sendrecv(out, n, MPI_INTEGER, right, 2, in, n, MPI_INTEGER, left, 2, MPI_COMM_WORLD, status)
	call MPI_Get_count(status, MPI_INTEGER, size)
	call expect(size == n, __LINE__)
	counts = n
	at = [(n * (i - 1), i = 1, ranks)]
	call MPI_Allgatherv(out, n, MPI_INTEGER, all, counts, at, MPI_INTEGER, MPI_COMM_WORLD)
	call expect(all(4 * left + 1) == left, __LINE__)
	call MPI_Bcast(in, many, MPI_BYTE, 0, MPI_COMM_SELF)
	print '("expect bytes-in-collectives ", i0)', many + 4 * n
	call declare('MPI_Sendrecv_c', 1)
	call declare('MPI_Isend_c', 1)
	call declare('MPI_Irecv_c', 1)
	call declare('MPI_Allgatherv_c', 1)
	call declare('MPI_Bcast_c', 1)
	call declare('MPI_SEND', 1)
	call declare('MPI_RECV', 1)
	call declare('MPI_ISEND', 1)
	call declare('MPI_ISEND_COMPLETE', 1)
	call declare('MPI_IRECV_REQUEST', 1)
	call declare('MPI_IRECV', 1)
end subroutine

logical function all_are(numbers, value)
	integer, intent(in) :: numbers(:), value

	all_are = all(numbers == value)
end function
#endif

! A world without MPI_Init.
subroutine in_a_session
	SESSION_TYPE :: session
	GROUP_TYPE :: group
	COMM_TYPE :: comm

	call MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, session LAST_ARGUMENT)
	call MPI_Group_from_session_pset(session, 'mpi://WORLD', group LAST_ARGUMENT)
	call MPI_Comm_create_from_group(group, 'fortran', MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, comm LAST_ARGUMENT)
	call MPI_Comm_rank(comm, rank LAST_ARGUMENT)
	call MPI_Comm_size(comm, ranks LAST_ARGUMENT)
	left = mod(rank + ranks - 1, ranks)
	right = mod(rank + 1, ranks)
	call round_ring(1, comm)
	call MPI_Group_free(group LAST_ARGUMENT)
	call MPI_Comm_free(comm LAST_ARGUMENT)
	call MPI_Session_finalize(session LAST_ARGUMENT)
	call declare_rings(1)
end subroutine
#else
subroutine of_mpi4
end subroutine

subroutine large
end subroutine

subroutine in_a_session
end subroutine
#endif

end module
