! SPDX-License-Identifier: GPL-3.0-or-later
!
! What is peculiar to Fortran, in three bindings: sentinels in place of statuses and buffers,
! MPI_BOTTOM, indices from 1, in mpi_f08 calls without ierror. Every rank checks the results
! and prints nothing that differs between two runs. -DBIND_MPIF_H, -DBIND_USE_MPI,
! -DBIND_USE_MPI_F08. An even number of ranks.

#include "fortran_binding.inc"

program fortran_rules
	USE_MPI
	implicit none
	INCLUDE_MPI
	integer, parameter :: n = 6
	integer, parameter :: order(n) = [6, 4, 2, 5, 3, 1]
	integer :: rank, ranks, left, right, partner, ierr, wrong

	ierr = -1
	wrong = 0
	call MPI_Init(ierr)
	call MPI_Comm_rank(MPI_COMM_WORLD, rank LAST_ARGUMENT)
	call MPI_Comm_size(MPI_COMM_WORLD, ranks LAST_ARGUMENT)
	left = mod(rank + ranks - 1, ranks)
	right = mod(rank + 1, ranks)
	partner = ieor(rank, 1)
	call indices
	call statuses
	call in_place
	call bottom
	call root_alone
	call between_groups
	call later
	print '("rank ", i0, ": ", i0, " wrong")', rank, wrong
	call MPI_Finalize(ierr)
	if (wrong /= 0) stop 1

contains

#include "fortran_expect.inc"

! A communicator that is there when a request is complete, made in a subroutine that has long ended.
subroutine later
	COMM_TYPE, asynchronous :: copy
	REQUEST_TYPE :: request
	integer :: came

	call begin(copy, request)
	call use_stack(came)
	call MPI_Wait(request, MPI_STATUS_IGNORE LAST_ARGUMENT)
	call MPI_Sendrecv(rank, 1, MPI_INTEGER, right, 1, came, 1, MPI_INTEGER, left, 1, copy, &
		MPI_STATUS_IGNORE LAST_ARGUMENT)
	call expect(came == left, __LINE__)
	call MPI_Comm_free(copy LAST_ARGUMENT)
end subroutine

subroutine begin(copy, request)
	COMM_TYPE, asynchronous, intent(out) :: copy
	REQUEST_TYPE, intent(out) :: request

	call MPI_Comm_idup(MPI_COMM_WORLD, copy, request LAST_ARGUMENT)
end subroutine

! Writes over what was left on the stack.
subroutine use_stack(some)
	integer, intent(out) :: some
	integer, volatile :: much(4096)

	much = 12345
	some = much(1 + rank)
end subroutine

! One at a time, in an order of our own, completed by each of the four calls: from 1
! where the MPI is right.
subroutine indices
	integer, asynchronous :: in(n)
	REQUEST_TYPE :: requests(n)
	STATUS_TYPE, STATUS_SHAPE asynchronous :: status
	integer :: i, way, found, at(n), done, nulls, right_ones, first
	logical :: flag

	nulls = 0
	right_ones = 0
	first = 1
	do way = 1, 4
		do i = 1, n
			call MPI_Irecv(in(i), 1, MPI_INTEGER, partner, i, MPI_COMM_WORLD, requests(i) LAST_ARGUMENT)
		end do
		call MPI_Barrier(MPI_COMM_WORLD LAST_ARGUMENT)
		do i = 1, n
			if (mod(rank, 2) == 1) call send(order(i))
			flag = .false.
			done = 0
			select case (way)
			case (1)
				call MPI_Waitany(n, requests, found, status LAST_ARGUMENT)
				call expect(SOURCE_OF(status) == partner, __LINE__)
			case (2)
				do while (.not. flag)
					call MPI_Testany(n, requests, found, flag, MPI_STATUS_IGNORE LAST_ARGUMENT)
				end do
			case (3)
				call MPI_Waitsome(n, requests, done, at, MPI_STATUSES_IGNORE LAST_ARGUMENT)
				found = at(1)
			case (4)
				do while (done == 0)
					call MPI_Testsome(n, requests, done, at, MPI_STATUSES_IGNORE LAST_ARGUMENT)
				end do
				found = at(1)
			end select
			if (way == 1 .and. i == 1) first = found - order(i) + 1
			call expect(found - first + 1 == order(i), __LINE__)
			if (in(order(i)) == 10 * partner + order(i)) right_ones = right_ones + 1
			if (IS_NULL(requests(order(i)))) nulls = nulls + 1
			if (mod(rank, 2) == 0) call send(order(i))
		end do
	end do
	print '("rank ", i0, ": ", i0, " requests null, ", i0, " right")', rank, nulls, right_ones
	! MPICH 4.0.2 counts from 0 in mpi_f08: the same with the recorder.
	print '("rank ", i0, ": indices from ", i0)', rank, first
	! MPICH 4.0.2 tells one more than MPI_UNDEFINED in mpif.h: the same with the recorder.
	call MPI_Waitany(n, requests, found, MPI_STATUS_IGNORE LAST_ARGUMENT)
	print '("rank ", i0, ": none left: ", i0)', rank, found - MPI_UNDEFINED
	call MPI_Testany(n, requests, found, flag, MPI_STATUS_IGNORE LAST_ARGUMENT)
	print '("rank ", i0, ": none left: ", i0)', rank, found - MPI_UNDEFINED
	call expect(flag, __LINE__)
	call MPI_Waitsome(n, requests, done, at, MPI_STATUSES_IGNORE LAST_ARGUMENT)
	call expect(done == MPI_UNDEFINED, __LINE__)
end subroutine

subroutine send(tag)
	integer, intent(in) :: tag
	integer :: out

	out = 10 * rank + tag
	call MPI_Ssend(out, 1, MPI_INTEGER, partner, tag, MPI_COMM_WORLD LAST_ARGUMENT)
end subroutine

subroutine statuses
	integer, asynchronous :: in(n), out
	REQUEST_TYPE :: requests(n)
	STATUS_TYPE, STATUSES_SHAPE asynchronous :: all
	STATUS_TYPE, STATUS_SHAPE asynchronous :: one
	integer :: i, count
	logical :: flag

	out = rank
	do i = 1, n / 2
		call MPI_Irecv(in(i), 1, MPI_INTEGER, MPI_ANY_SOURCE, 20 + i, MPI_COMM_WORLD, requests(i) LAST_ARGUMENT)
		call MPI_Isend(out, 1, MPI_INTEGER, right, 20 + i, MPI_COMM_WORLD, requests(n / 2 + i) LAST_ARGUMENT)
	end do
	call MPI_Waitall(n, requests, all LAST_ARGUMENT)
	do i = 1, n / 2
		call expect(TAG_OF(all, i) == 20 + i .and. in(i) == left, __LINE__)
	end do
	call MPI_Recv(in, 1, MPI_INTEGER, MPI_PROC_NULL, 1, MPI_COMM_WORLD, one LAST_ARGUMENT)
	call expect(SOURCE_OF(one) == MPI_PROC_NULL, __LINE__)
	call MPI_Sendrecv(out, 1, MPI_INTEGER, right, 30, in, n, MPI_INTEGER, left, MPI_ANY_TAG, &
		MPI_COMM_WORLD, one LAST_ARGUMENT)
	call MPI_Get_count(one, MPI_INTEGER, count LAST_ARGUMENT)
	call expect(count == 1 .and. in(1) == left, __LINE__)
	call MPI_Isend(out, 1, MPI_INTEGER, right, 31, MPI_COMM_WORLD, requests(1) LAST_ARGUMENT)
	call MPI_Probe(left, 31, MPI_COMM_WORLD, MPI_STATUS_IGNORE LAST_ARGUMENT)
	call MPI_Recv(in, 1, MPI_INTEGER, left, 31, MPI_COMM_WORLD, MPI_STATUS_IGNORE LAST_ARGUMENT)
	flag = .false.
	do while (.not. flag)
		call MPI_Testall(1, requests, flag, MPI_STATUSES_IGNORE LAST_ARGUMENT)
	end do
end subroutine

subroutine in_place
	integer :: sum(2), all(64), i

	sum = [rank, 1]
	call MPI_Allreduce(MPI_IN_PLACE, sum, 2, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD LAST_ARGUMENT)
	call expect(sum(1) == ranks * (ranks - 1) / 2 .and. sum(2) == ranks, __LINE__)
	all(rank + 1) = rank
	call MPI_Allgather(MPI_IN_PLACE, 1, MPI_INTEGER, all, 1, MPI_INTEGER, MPI_COMM_WORLD LAST_ARGUMENT)
	call expect(all(left + 1) == left, __LINE__)
	do i = 1, ranks
		all(i) = 100 * rank + i - 1
	end do
	call MPI_Alltoall(MPI_IN_PLACE, 1, MPI_INTEGER, all, 1, MPI_INTEGER, MPI_COMM_WORLD LAST_ARGUMENT)
	call expect(all(left + 1) == 100 * left + rank, __LINE__)
	sum = [rank, 1]
	if (rank == 0) then
		call MPI_Reduce(MPI_IN_PLACE, sum, 2, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD LAST_ARGUMENT)
		call expect(sum(2) == ranks, __LINE__)
	else
		call MPI_Reduce(sum, all, 2, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD LAST_ARGUMENT)
	end if
end subroutine

! A buffer by its absolute address.
subroutine bottom
	integer, asynchronous :: in, out
	integer(MPI_ADDRESS_KIND) :: at(1)
	integer :: blocks(1)
	DATATYPE_TYPE :: send_type, receive_type, types(1)
	REQUEST_TYPE :: request

	in = -1
	out = rank
	blocks(1) = 1
	types(1) = MPI_INTEGER
	call MPI_Get_address(out, at(1) LAST_ARGUMENT)
	call MPI_Type_create_struct(1, blocks, at, types, send_type LAST_ARGUMENT)
	call MPI_Type_commit(send_type LAST_ARGUMENT)
	call MPI_Get_address(in, at(1) LAST_ARGUMENT)
	call MPI_Type_create_struct(1, blocks, at, types, receive_type LAST_ARGUMENT)
	call MPI_Type_commit(receive_type LAST_ARGUMENT)
	call MPI_Irecv(MPI_BOTTOM, 1, receive_type, left, 40, MPI_COMM_WORLD, request LAST_ARGUMENT)
	call MPI_Send(MPI_BOTTOM, 1, send_type, right, 40, MPI_COMM_WORLD LAST_ARGUMENT)
	call MPI_Wait(request, MPI_STATUS_IGNORE LAST_ARGUMENT)
	call expect(in == left, __LINE__)
	call MPI_Bcast(MPI_BOTTOM, 1, send_type, 0, MPI_COMM_WORLD LAST_ARGUMENT)
	call expect(out == 0, __LINE__)
	call MPI_Type_free(send_type LAST_ARGUMENT)
	call MPI_Type_free(receive_type LAST_ARGUMENT)
end subroutine

! What only the root needs is nonsense elsewhere.
subroutine root_alone
	integer :: out(64), in(64), counts(64), offsets(64), i

	out = rank
	in = -1
	counts = -7
	offsets = -7
	if (rank == 0) then
		counts = 1
		offsets = [(i - 1, i = 1, 64)]
	end if
	call MPI_Gatherv(out, 1, MPI_INTEGER, in, counts, offsets, MPI_INTEGER, 0, MPI_COMM_WORLD LAST_ARGUMENT)
	call expect(rank /= 0 .or. in(ranks) == ranks - 1, __LINE__)
	if (rank == 0) out = [(i - 1, i = 1, 64)]
	call MPI_Scatterv(out, counts, offsets, MPI_INTEGER, in, 1, MPI_INTEGER, 0, MPI_COMM_WORLD LAST_ARGUMENT)
	call expect(in(1) == rank, __LINE__)
end subroutine

! Even and odd ranks: the root is in the other group, or MPI_ROOT, or MPI_PROC_NULL.
subroutine between_groups
	COMM_TYPE :: half, both
	integer :: mine, theirs, value, root, sum
	STATUS_TYPE, STATUS_SHAPE asynchronous :: status

	call MPI_Comm_split(MPI_COMM_WORLD, mod(rank, 2), rank, half LAST_ARGUMENT)
	call MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - mod(rank, 2), 50, both LAST_ARGUMENT)
	call MPI_Comm_rank(both, mine LAST_ARGUMENT)
	call MPI_Comm_remote_size(both, theirs LAST_ARGUMENT)
	call expect(theirs == ranks / 2 .and. mine == rank / 2, __LINE__)
	value = -1
	call MPI_Sendrecv(rank, 1, MPI_INTEGER, mine, 51, value, 1, MPI_INTEGER, mine, 51, both, status LAST_ARGUMENT)
	call expect(value == partner .and. SOURCE_OF(status) == mine, __LINE__)
	value = 1000 + rank
	root = 0
	if (mod(rank, 2) == 0) root = merge(MPI_ROOT, MPI_PROC_NULL, mine == 0)
	call MPI_Bcast(value, 1, MPI_INTEGER, root, both LAST_ARGUMENT)
	call expect(value == merge(1000 + rank, 1000, mod(rank, 2) == 0), __LINE__)
	call MPI_Allreduce(1, sum, 1, MPI_INTEGER, MPI_SUM, both LAST_ARGUMENT)
	call expect(sum == theirs, __LINE__)
	call MPI_Comm_free(both LAST_ARGUMENT)
	call MPI_Comm_free(half LAST_ARGUMENT)
end subroutine

end program
