! SPDX-License-Identifier: GPL-3.0-or-later
!
! The rest of MPI in three bindings, the Fortran twin of fortran_wide.c: collectives in place,
! persistent requests, neighbours, sections of arrays and derived types, one-sided, and what the
! program gives MPI to call: operations, error handlers, attributes' functions. Every rank checks
! the results. Four ranks.

#include "fortran_binding.inc"

module called
	use, intrinsic :: iso_c_binding
	USE_MPI
	implicit none
	INCLUDE_MPI
	integer :: errors = 0, copied = 0, deleted = 0

contains

#if defined(BIND_USE_MPI_F08)
subroutine farthest(from, into, n, datatype)
	type(c_ptr), value :: from, into
	integer :: n
	DATATYPE_TYPE :: datatype
	integer, pointer :: a(:), b(:)

	call c_f_pointer(from, a, [n])
	call c_f_pointer(into, b, [n])
	b = merge(a, b, abs(a) > abs(b))
	if (datatype /= MPI_INTEGER) errors = errors + 1000
end subroutine
#else
subroutine farthest(from, into, n, datatype)
	integer :: n, from(n), into(n), datatype

	into = merge(from, into, abs(from) > abs(into))
	if (datatype /= MPI_INTEGER) errors = errors + 1000
end subroutine
#endif

subroutine on_error(comm, code)
	COMM_TYPE :: comm
	integer :: code

	if (comm == MPI_COMM_NULL .or. code == MPI_SUCCESS) return
	errors = errors + 1
end subroutine

subroutine copy(comm, key, extra, in, out, flag, ierr)
	COMM_TYPE :: comm
	integer :: key, ierr
	integer(MPI_ADDRESS_KIND) :: extra, in, out
	logical :: flag

	if (comm == MPI_COMM_NULL .or. key == MPI_KEYVAL_INVALID) return
	out = in + extra
	flag = .true.
	ierr = MPI_SUCCESS
	copied = copied + 1
end subroutine

subroutine delete(comm, key, in, extra, ierr)
	COMM_TYPE :: comm
	integer :: key, ierr
	integer(MPI_ADDRESS_KIND) :: in, extra

	if (comm == MPI_COMM_NULL .or. key == MPI_KEYVAL_INVALID .or. in == extra) return
	ierr = MPI_SUCCESS
	deleted = deleted + 1
end subroutine

end module

program fortran_wide
	use called
	implicit none
	integer :: rank, ranks, left, right, ierr, wrong, provided, level, i
	integer :: ones(4), at(4)

	wrong = 0
	call MPI_Init_thread(MPI_THREAD_FUNNELED, provided LAST_ARGUMENT)
	call MPI_Query_thread(level LAST_ARGUMENT)
	call MPI_Comm_rank(MPI_COMM_WORLD, rank LAST_ARGUMENT)
	call MPI_Comm_size(MPI_COMM_WORLD, ranks LAST_ARGUMENT)
	call expect(level == provided .and. ranks == 4, __LINE__)
	left = mod(rank + ranks - 1, ranks)
	right = mod(rank + 1, ranks)
	ones = 1
	at = [(i, i = 0, 3)]
	call gathered
	call exchanged
	call reduced
	call persistent
	call neighbours
	call sections
	call one_sided
	call operations
	call attributes
	call words
	print '("rank ", i0, ": ", i0, " wrong")', rank, wrong
	call MPI_Finalize(ierr)
	if (wrong /= 0) stop 1

contains

#include "fortran_expect.inc"

subroutine gathered
	integer :: all(4), one

	all = -1
	all(rank + 1) = rank
	one = rank
	if (rank == 1) then
		call MPI_Gather(MPI_IN_PLACE, 1, MPI_INTEGER, all, 1, MPI_INTEGER, 1, MPI_COMM_WORLD LAST_ARGUMENT)
		call expect(all(4) == 3, __LINE__)
		call MPI_Gatherv(MPI_IN_PLACE, 1, MPI_INTEGER, all, ones, at, MPI_INTEGER, 1, MPI_COMM_WORLD LAST_ARGUMENT)
		call expect(all(1) == 0 .and. all(2) == 1, __LINE__)
		call MPI_Scatter(all, 1, MPI_INTEGER, MPI_IN_PLACE, 1, MPI_INTEGER, 1, MPI_COMM_WORLD LAST_ARGUMENT)
		call MPI_Scatterv(all, ones, at, MPI_INTEGER, MPI_IN_PLACE, 1, MPI_INTEGER, 1, MPI_COMM_WORLD LAST_ARGUMENT)
	else
		call MPI_Gather(one, 1, MPI_INTEGER, all, 1, MPI_INTEGER, 1, MPI_COMM_WORLD LAST_ARGUMENT)
		call MPI_Gatherv(one, 1, MPI_INTEGER, all, ones, at, MPI_INTEGER, 1, MPI_COMM_WORLD LAST_ARGUMENT)
		call MPI_Scatter(all, 1, MPI_INTEGER, one, 1, MPI_INTEGER, 1, MPI_COMM_WORLD LAST_ARGUMENT)
		call expect(one == rank, __LINE__)
		call MPI_Scatterv(all, ones, at, MPI_INTEGER, one, 1, MPI_INTEGER, 1, MPI_COMM_WORLD LAST_ARGUMENT)
		call expect(one == rank, __LINE__)
	end if
	all = -1
	all(rank + 1) = rank
	call MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_INTEGER, all, ones, at, MPI_INTEGER, MPI_COMM_WORLD LAST_ARGUMENT)
	call expect(all(left + 1) == left .and. all(right + 1) == right, __LINE__)
end subroutine

subroutine exchanged
	integer :: all(4), bytes(4)
	DATATYPE_TYPE :: types(4)
	REQUEST_TYPE :: request

	all = [(10 * rank + i, i = 0, 3)]
	call MPI_Alltoallv(MPI_IN_PLACE, ones, at, MPI_INTEGER, all, ones, at, MPI_INTEGER, MPI_COMM_WORLD LAST_ARGUMENT)
	call expect(all(left + 1) == 10 * left + rank, __LINE__)
	types = MPI_INTEGER
	bytes = 4 * at
	all = [(10 * rank + i, i = 0, 3)]
	call MPI_Alltoallw(MPI_IN_PLACE, ones, bytes, types, all, ones, bytes, types, MPI_COMM_WORLD LAST_ARGUMENT)
	call expect(all(right + 1) == 10 * right + rank, __LINE__)
	all = [(10 * rank + i, i = 0, 3)]
	call MPI_Ialltoall(MPI_IN_PLACE, 1, MPI_INTEGER, all, 1, MPI_INTEGER, MPI_COMM_WORLD, request LAST_ARGUMENT)
	call MPI_Wait(request, MPI_STATUS_IGNORE LAST_ARGUMENT)
	call expect(all(left + 1) == 10 * left + rank, __LINE__)
end subroutine

subroutine reduced
	integer :: all(4), one, sum
	REQUEST_TYPE :: request

	all = [(rank + i, i = 0, 3)]
	call MPI_Reduce_scatter_block(MPI_IN_PLACE, all, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD LAST_ARGUMENT)
	call expect(all(1) == 6 + 4 * rank, __LINE__)
	all = [(rank + i, i = 0, 3)]
	call MPI_Reduce_scatter(MPI_IN_PLACE, all, ones, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD LAST_ARGUMENT)
	call expect(all(1) == 6 + 4 * rank, __LINE__)
	one = 1
	call MPI_Scan(MPI_IN_PLACE, one, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD LAST_ARGUMENT)
	call expect(one == rank + 1, __LINE__)
	one = 1
	call MPI_Exscan(MPI_IN_PLACE, one, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD LAST_ARGUMENT)
	call expect(one == max(rank, 1), __LINE__)
	sum = 1
	call MPI_Iallreduce(MPI_IN_PLACE, sum, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, request LAST_ARGUMENT)
	call MPI_Wait(request, MPI_STATUS_IGNORE LAST_ARGUMENT)
	call expect(sum == 4, __LINE__)
	call MPI_Ibarrier(MPI_COMM_WORLD, request LAST_ARGUMENT)
	call MPI_Wait(request, MPI_STATUS_IGNORE LAST_ARGUMENT)
end subroutine

subroutine persistent
	integer, asynchronous :: in, out
	integer :: round
	REQUEST_TYPE :: requests(2)

	call MPI_Recv_init(in, 1, MPI_INTEGER, left, 5, MPI_COMM_WORLD, requests(1) LAST_ARGUMENT)
	call MPI_Send_init(out, 1, MPI_INTEGER, right, 5, MPI_COMM_WORLD, requests(2) LAST_ARGUMENT)
	do round = 1, 5
		out = 100 * rank + round
		in = -1
		call MPI_Startall(2, requests LAST_ARGUMENT)
		call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE LAST_ARGUMENT)
		call expect(in == 100 * left + round, __LINE__)
	end do
	call MPI_Start(requests(1) LAST_ARGUMENT)
	call MPI_Send(out, 1, MPI_INTEGER, right, 5, MPI_COMM_WORLD LAST_ARGUMENT)
	call MPI_Wait(requests(1), MPI_STATUS_IGNORE LAST_ARGUMENT)
	call MPI_Request_free(requests(1) LAST_ARGUMENT)
	call MPI_Request_free(requests(2) LAST_ARGUMENT)
	call expect(IS_NULL(requests(1)), __LINE__)
end subroutine

subroutine neighbours
	COMM_TYPE :: ring, graph
	integer :: dims(1), from(1), to(1), out(2), in(2)
	logical :: around(1)
	REQUEST_TYPE :: request

	dims = 4
	around = .true.
	out = [rank, rank + 10]
	call MPI_Cart_create(MPI_COMM_WORLD, 1, dims, around, .false., ring LAST_ARGUMENT)
	call MPI_Neighbor_allgather(out, 1, MPI_INTEGER, in, 1, MPI_INTEGER, ring LAST_ARGUMENT)
	call expect(in(1) == left .and. in(2) == right, __LINE__)
	call MPI_Neighbor_alltoall(out, 1, MPI_INTEGER, in, 1, MPI_INTEGER, ring LAST_ARGUMENT)
	call expect(in(1) == left + 10 .and. in(2) == right, __LINE__)
	from = left
	to = right
	call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, from, MPI_UNWEIGHTED, 1, to, MPI_UNWEIGHTED, &
		MPI_INFO_NULL, .false., graph LAST_ARGUMENT)
	call MPI_Neighbor_alltoallv(out, ones, at, MPI_INTEGER, in, ones, at, MPI_INTEGER, graph LAST_ARGUMENT)
	call expect(in(1) == left, __LINE__)
	call MPI_Ineighbor_allgather(out, 2, MPI_INTEGER, in, 2, MPI_INTEGER, graph, request LAST_ARGUMENT)
	call MPI_Wait(request, MPI_STATUS_IGNORE LAST_ARGUMENT)
	call expect(in(1) == left .and. in(2) == left + 10, __LINE__)
	call MPI_Comm_free(graph LAST_ARGUMENT)
	call MPI_Comm_free(ring LAST_ARGUMENT)
end subroutine

! Every second element, a row, a block in the middle; by the compiler's section and by MPI's types.
subroutine sections
	integer, asynchronous :: out(8), in(8), table(4, 4)
	DATATYPE_TYPE :: second, block
	REQUEST_TYPE :: request
	STATUS_TYPE, STATUS_SHAPE asynchronous :: status
	integer :: count

	out = [(10 * rank + i, i = 1, 8)]
	in = -1
	call MPI_Sendrecv(out(1:7:2), 4, MPI_INTEGER, right, 6, in(2:8:2), 4, MPI_INTEGER, left, 6, &
		MPI_COMM_WORLD, status LAST_ARGUMENT)
	call expect(all(in(2:8:2) == [(10 * left + i, i = 1, 7, 2)]) .and. all(in(1:7:2) == -1), __LINE__)
	call MPI_Get_count(status, MPI_INTEGER, count LAST_ARGUMENT)
	call expect(count == 4, __LINE__)
	in = -1
	call MPI_Type_vector(4, 1, 2, MPI_INTEGER, second LAST_ARGUMENT)
	call MPI_Type_commit(second LAST_ARGUMENT)
	call MPI_Irecv(in, 1, second, left, 7, MPI_COMM_WORLD, request LAST_ARGUMENT)
	call MPI_Send(out(2), 1, second, right, 7, MPI_COMM_WORLD LAST_ARGUMENT)
	call MPI_Wait(request, status LAST_ARGUMENT)
	call expect(all(in(1:7:2) == [(10 * left + i, i = 2, 8, 2)]) .and. all(in(2:8:2) == -1), __LINE__)
	table = -1
	call MPI_Type_create_subarray(2, [4, 4], [2, 2], [1, 1], MPI_ORDER_FORTRAN, MPI_INTEGER, block LAST_ARGUMENT)
	call MPI_Type_commit(block LAST_ARGUMENT)
	call MPI_Irecv(table, 1, block, left, 8, MPI_COMM_WORLD, request LAST_ARGUMENT)
	call MPI_Send(out, 4, MPI_INTEGER, right, 8, MPI_COMM_WORLD LAST_ARGUMENT)
	call MPI_Wait(request, MPI_STATUS_IGNORE LAST_ARGUMENT)
	call expect(table(2, 2) == 10 * left + 1 .and. table(3, 3) == 10 * left + 4 .and. count_of(table) == 12, __LINE__)
	in = -1
	! A section that is still received into after the call: where the MPI can.
	if (MPI_SUBARRAYS_SUPPORTED) then
		call MPI_Irecv(in(1:7:2), 4, MPI_INTEGER, left, 9, MPI_COMM_WORLD, request LAST_ARGUMENT)
	else
		call MPI_Irecv(in, 1, second, left, 9, MPI_COMM_WORLD, request LAST_ARGUMENT)
	end if
	call MPI_Send(out(1:7:2), 4, MPI_INTEGER, right, 9, MPI_COMM_WORLD LAST_ARGUMENT)
	call MPI_Wait(request, MPI_STATUS_IGNORE LAST_ARGUMENT)
	call expect(all(in(1:7:2) == [(10 * left + i, i = 1, 7, 2)]) .and. all(in(2:8:2) == -1), __LINE__)
	call MPI_Type_free(second LAST_ARGUMENT)
	call MPI_Type_free(block LAST_ARGUMENT)
end subroutine

integer function count_of(table)
	integer, intent(in) :: table(4, 4)

	count_of = count(table == -1)
end function

subroutine one_sided
	integer, asynchronous :: shown(4), got, one
	integer(MPI_ADDRESS_KIND) :: size, where
	WIN_TYPE :: window

	shown = rank
	size = 16
	where = 2
	one = 1
	call MPI_Win_create(shown, size, 4, MPI_INFO_NULL, MPI_COMM_WORLD, window LAST_ARGUMENT)
	call MPI_Win_fence(0, window LAST_ARGUMENT)
	call MPI_Put(rank, 1, MPI_INTEGER, right, where, 1, MPI_INTEGER, window LAST_ARGUMENT)
	call MPI_Win_fence(0, window LAST_ARGUMENT)
	call expect(shown(3) == left, __LINE__)
	call MPI_Get(got, 1, MPI_INTEGER, right, where, 1, MPI_INTEGER, window LAST_ARGUMENT)
	where = 0
	call MPI_Accumulate(one, 1, MPI_INTEGER, 0, where, 1, MPI_INTEGER, MPI_SUM, window LAST_ARGUMENT)
	call MPI_Win_fence(0, window LAST_ARGUMENT)
	call expect(got == rank .and. (rank > 0 .or. shown(1) == 4), __LINE__)
	call MPI_Win_lock(MPI_LOCK_EXCLUSIVE, right, 0, window LAST_ARGUMENT)
	where = 3
	call MPI_Fetch_and_op(one, got, MPI_INTEGER, right, where, MPI_SUM, window LAST_ARGUMENT)
	call MPI_Win_unlock(right, window LAST_ARGUMENT)
	call expect(got == right, __LINE__)
	call MPI_Win_free(window LAST_ARGUMENT)
end subroutine

! What the program gives to be called: an operation, a handler of errors.
subroutine operations
	OP_TYPE :: op
	ERRHANDLER_TYPE :: handler
	COMM_TYPE :: own
	integer :: in, out, code

	in = merge(-7, rank, rank == 2)
	call MPI_Op_create(farthest, .true., op LAST_ARGUMENT)
	call MPI_Allreduce(in, out, 1, MPI_INTEGER, op, MPI_COMM_WORLD LAST_ARGUMENT)
	call expect(out == -7, __LINE__)
	call MPI_Op_free(op LAST_ARGUMENT)
	call MPI_Comm_dup(MPI_COMM_WORLD, own LAST_ARGUMENT)
	call MPI_Comm_create_errhandler(on_error, handler LAST_ARGUMENT)
	call MPI_Comm_set_errhandler(own, handler LAST_ARGUMENT)
	code = MPI_SUCCESS
	call MPI_Send(in, 1, MPI_INTEGER, 4711, 1, own, code)
	call expect(errors == 1 .and. code /= MPI_SUCCESS, __LINE__)
	call MPI_Errhandler_free(handler LAST_ARGUMENT)
	call MPI_Comm_free(own LAST_ARGUMENT)
end subroutine

subroutine attributes
	integer :: key
	integer(MPI_ADDRESS_KIND) :: value, extra
	COMM_TYPE :: first, second
	logical :: flag

	extra = 1000
	value = 7
	call MPI_Comm_create_keyval(copy, delete, key, extra LAST_ARGUMENT)
	call MPI_Comm_dup(MPI_COMM_SELF, first LAST_ARGUMENT)
	call MPI_Comm_set_attr(first, key, value LAST_ARGUMENT)
	call MPI_Comm_dup(first, second LAST_ARGUMENT)
	call MPI_Comm_get_attr(second, key, value, flag LAST_ARGUMENT)
	call expect(flag .and. value == 1007 .and. copied == 1, __LINE__)
	call MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, value, flag LAST_ARGUMENT)
	call expect(flag .and. value >= 32767, __LINE__)
	call MPI_Comm_free(second LAST_ARGUMENT)
	call MPI_Comm_free(first LAST_ARGUMENT)
	call expect(deleted == 2, __LINE__)
	call MPI_Comm_free_keyval(key LAST_ARGUMENT)
end subroutine

! Text has no end but its length, and is filled up with blanks.
subroutine words
	character(20) :: value
	character(MPI_MAX_OBJECT_NAME) :: name
	character(MPI_MAX_PROCESSOR_NAME) :: host
	integer :: length
	INFO_TYPE :: info
	COMM_TYPE :: own
	logical :: flag

	call MPI_Comm_dup(MPI_COMM_WORLD, own LAST_ARGUMENT)
	call MPI_Comm_set_name(own, 'two words  ' LAST_ARGUMENT)
	name = repeat('x', MPI_MAX_OBJECT_NAME)
	call MPI_Comm_get_name(own, name, length LAST_ARGUMENT)
	call expect(name == 'two words' .and. length == 9, __LINE__)
	call MPI_Info_create(info LAST_ARGUMENT)
	call MPI_Info_set(info, 'key ', ' the value ' LAST_ARGUMENT)
	value = repeat('x', 20)
	call MPI_Info_get(info, 'key', 20, value, flag LAST_ARGUMENT)
	call expect(flag .and. value == 'the value', __LINE__)
	call MPI_Info_free(info LAST_ARGUMENT)
	call MPI_Get_processor_name(host, length LAST_ARGUMENT)
	call expect(len_trim(host) == length .and. length > 0, __LINE__)
	call MPI_Pcontrol(1)
	call MPI_Comm_free(own LAST_ARGUMENT)
end subroutine

end program
