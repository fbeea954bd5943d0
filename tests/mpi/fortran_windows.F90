! SPDX-License-Identifier: GPL-3.0-or-later
!
! Part of fortran_many.F90: memory that MPI gives, windows with every kind of synchronization.

#include "fortran_binding.inc"

module fortran_windows
	use behave
	implicit none
	integer, parameter :: n = 8
	integer(address), parameter :: bytes = 4 * n, nowhere = 0, first = 1, second = 2

contains

subroutine windows
	call given
	call posted
	call locked
	call with_requests
	call attached
	call shared
end subroutine

! Where MPI says that memory begins.
function numbers_at(where) result(numbers)
	ADDRESS_TYPE, intent(in) :: where
	integer, pointer :: numbers(:)

	call c_f_pointer(transfer(where, c_null_ptr), numbers, [n])
end function

subroutine given
	ADDRESS_TYPE :: where
	integer, pointer :: numbers(:)

	call MPI_Alloc_mem(bytes, MPI_INFO_NULL, where LAST_ARGUMENT)
	numbers => numbers_at(where)
	numbers = rank
	call expect(sum(numbers) == n * rank, __LINE__)
	call MPI_Free_mem(numbers LAST_ARGUMENT)
	call declare('MPI_Alloc_mem', 1)
	call declare('MPI_Free_mem', 1)
end subroutine

! Synchronized by those concerned alone.
subroutine posted
	integer, asynchronous :: memory(n), out(n)
	GROUP_TYPE :: world, of_left, of_right
	WIN_TYPE :: window
	integer :: round
	logical :: flag

	call MPI_Comm_group(MPI_COMM_WORLD, world LAST_ARGUMENT)
	call MPI_Group_incl(world, 1, [right], of_right LAST_ARGUMENT)
	call MPI_Group_incl(world, 1, [left], of_left LAST_ARGUMENT)
	call MPI_Win_create(memory, bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, window LAST_ARGUMENT)
	do round = 1, 2
		out = 10 * round + rank
		call MPI_Win_post(of_left, 0, window LAST_ARGUMENT)
		call MPI_Win_start(of_right, 0, window LAST_ARGUMENT)
		call MPI_Put(out, n, MPI_INTEGER, right, nowhere, n, MPI_INTEGER, window LAST_ARGUMENT)
		call MPI_Win_complete(window LAST_ARGUMENT)
		flag = .false.
		if (round == 1) call MPI_Win_wait(window LAST_ARGUMENT)
		do while (round == 2 .and. .not. flag)
			call MPI_Win_test(window, flag LAST_ARGUMENT)
		end do
		call expect(all(memory == 10 * round + left), __LINE__)
	end do
	call MPI_Win_free(window LAST_ARGUMENT)
	call MPI_Group_free(of_left LAST_ARGUMENT)
	call MPI_Group_free(of_right LAST_ARGUMENT)
	call MPI_Group_free(world LAST_ARGUMENT)
	call declare('MPI_Win_post', 2)
	call declare('MPI_Win_start', 2)
	call declare('MPI_Win_complete', 2)
	call declare('MPI_Win_wait', 1)
	call declare('RMA_GROUP_SYNC', 8)
	call declare('RMA_PUT', 2)
	call declare('bytes-put', 8 * n)
	call declare('RMA_WIN_CREATE', 1)
end subroutine

! A target that takes no part.
subroutine locked
	ADDRESS_TYPE :: where
	integer, pointer :: memory(:)
	integer, asynchronous :: one, zero, got, sum
	WIN_TYPE :: window
	character(MPI_MAX_OBJECT_NAME) :: name
	integer :: i, length

	call MPI_Win_allocate(bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, where, window LAST_ARGUMENT)
	memory => numbers_at(where)
	memory = 0
	call MPI_Win_set_name(window, 'neighbours  ' LAST_ARGUMENT)
	name = ''
	call MPI_Win_get_name(window, name, length LAST_ARGUMENT)
	print '("rank ", i0, ": a window ", a)', rank, trim(name) ! "n" alone in Open MPI 4.1.4's mpi_f08
	call expect(length == 10, __LINE__)
	call MPI_Barrier(MPI_COMM_WORLD LAST_ARGUMENT)
	one = 1
	zero = 0
	do i = 1, 3
		call MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window LAST_ARGUMENT)
		call MPI_Get(got, 1, MPI_INTEGER, 0, nowhere, 1, MPI_INTEGER, window LAST_ARGUMENT)
		call MPI_Win_flush(0, window LAST_ARGUMENT)
		got = got + 1
		call MPI_Put(got, 1, MPI_INTEGER, 0, nowhere, 1, MPI_INTEGER, window LAST_ARGUMENT)
		call MPI_Win_unlock(0, window LAST_ARGUMENT)
	end do
	call MPI_Win_lock_all(0, window LAST_ARGUMENT)
	call MPI_Accumulate(one, 1, MPI_INTEGER, right, first, 1, MPI_INTEGER, MPI_SUM, window LAST_ARGUMENT)
	call MPI_Win_flush_local(right, window LAST_ARGUMENT)
	call MPI_Fetch_and_op(one, got, MPI_INTEGER, right, first, MPI_SUM, window LAST_ARGUMENT)
	call MPI_Win_flush_all(window LAST_ARGUMENT)
	call expect(got == 1, __LINE__)
	call MPI_Compare_and_swap(rank, zero, got, MPI_INTEGER, right, second, window LAST_ARGUMENT)
	call MPI_Get_accumulate(one, 1, MPI_INTEGER, sum, 1, MPI_INTEGER, right, first, 1, MPI_INTEGER, &
		MPI_NO_OP, window LAST_ARGUMENT)
	call MPI_Win_flush_local_all(window LAST_ARGUMENT)
	call expect(sum == 2 .and. got == 0, __LINE__)
	call MPI_Win_unlock_all(window LAST_ARGUMENT)
	call MPI_Barrier(MPI_COMM_WORLD LAST_ARGUMENT)
	call MPI_Win_lock(MPI_LOCK_SHARED, rank, MPI_MODE_NOCHECK, window LAST_ARGUMENT)
	call MPI_Win_sync(window LAST_ARGUMENT)
	call expect((rank > 0 .or. memory(1) == 3 * ranks) .and. memory(2) == 2 .and. memory(3) == left, __LINE__)
	call MPI_Win_unlock(rank, window LAST_ARGUMENT)
	call MPI_Win_free(window LAST_ARGUMENT)
	if (rank == 0) call declare('windows-of-neighbours', 1)
	call declare('MPI_COLLECTIVE_END', 2)
	call declare('MPI_Win_flush_local_all', 1)
	call declare('RMA_GET', 3)
	call declare('RMA_PUT', 3)
	call declare('RMA_ATOMIC', 4)
	call declare('RMA_REQUEST_LOCK', 5)
	call declare('RMA_ACQUIRE_LOCK', 5)
	call declare('RMA_RELEASE_LOCK', 5)
	call declare('RMA_SYNC', 1)
	call declare('RMA_WIN_CREATE', 1)
	call declare('bytes-got', 4 * (3 + 3))
	call declare('bytes-put', 4 * (3 + 1 + 1 + 2))
end subroutine

subroutine with_requests
	ADDRESS_TYPE :: where
	integer, pointer :: memory(:)
	integer, asynchronous :: one, got, sum
	REQUEST_TYPE :: request, requests(2)
	WIN_TYPE :: window

	call MPI_Win_allocate(bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, where, window LAST_ARGUMENT)
	memory => numbers_at(where)
	memory = 0
	one = 1
	call MPI_Barrier(MPI_COMM_WORLD LAST_ARGUMENT)
	call MPI_Win_lock_all(0, window LAST_ARGUMENT)
	call MPI_Rput(rank, 1, MPI_INTEGER, right, nowhere, 1, MPI_INTEGER, window, requests(1) LAST_ARGUMENT)
	call MPI_Raccumulate(one, 1, MPI_INTEGER, right, first, 1, MPI_INTEGER, MPI_SUM, window, requests(2) LAST_ARGUMENT)
	call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE LAST_ARGUMENT)
	call MPI_Win_flush(right, window LAST_ARGUMENT)
	call MPI_Rget(got, 1, MPI_INTEGER, right, nowhere, 1, MPI_INTEGER, window, request LAST_ARGUMENT)
	call MPI_Wait(request, MPI_STATUS_IGNORE LAST_ARGUMENT)
	call MPI_Rget_accumulate(one, 1, MPI_INTEGER, sum, 1, MPI_INTEGER, right, first, 1, MPI_INTEGER, MPI_SUM, &
		window, request LAST_ARGUMENT)
	call MPI_Wait(request, MPI_STATUS_IGNORE LAST_ARGUMENT)
	call expect(got == rank .and. sum == 1, __LINE__)
	call MPI_Win_unlock_all(window LAST_ARGUMENT)
	call MPI_Win_free(window LAST_ARGUMENT)
	call declare('MPI_COLLECTIVE_END', 1)
	call declare('RMA_PUT', 1)
	call declare('RMA_GET', 1)
	call declare('RMA_ATOMIC', 2)
	call declare('RMA_REQUEST_LOCK', 1)
	call declare('RMA_ACQUIRE_LOCK', 1)
	call declare('RMA_RELEASE_LOCK', 1)
	call declare('RMA_WIN_CREATE', 1)
	call declare('bytes-got', 4 * 2)
	call declare('bytes-put', 4 * 3)
end subroutine

subroutine attached
	integer, asynchronous, target :: memory(n)
	integer(address) :: here, there
	WIN_TYPE :: window

	memory = -1
	call MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, window LAST_ARGUMENT)
	call MPI_Win_attach(window, memory, bytes LAST_ARGUMENT)
	call MPI_Get_address(memory, here LAST_ARGUMENT)
	call MPI_Sendrecv(here, 1, MPI_AINT, left, 1, there, 1, MPI_AINT, right, 1, MPI_COMM_WORLD, &
		MPI_STATUS_IGNORE LAST_ARGUMENT)
	call MPI_Win_fence(0, window LAST_ARGUMENT)
	call MPI_Put(rank, 1, MPI_INTEGER, right, there, 1, MPI_INTEGER, window LAST_ARGUMENT)
	call MPI_Win_fence(0, window LAST_ARGUMENT)
	call expect(memory(1) == left, __LINE__)
	call MPI_Win_detach(window, memory LAST_ARGUMENT)
	call MPI_Win_free(window LAST_ARGUMENT)
	call declare_rings(1)
	call declare('MPI_Win_attach', 1)
	call declare('RMA_PUT', 1)
	call declare('bytes-put', 4)
	call declare('RMA_WIN_CREATE', 1)
end subroutine

! Memory of all on a node.
subroutine shared
	COMM_TYPE :: node
	ADDRESS_TYPE :: where
	integer(address) :: size
	integer, pointer :: mine(:), first_one(:)
	integer :: unit
	WIN_TYPE :: window

	call MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, node LAST_ARGUMENT)
	call MPI_Win_allocate_shared(bytes, 4, MPI_INFO_NULL, node, where, window LAST_ARGUMENT)
	mine => numbers_at(where)
	mine = rank
	call MPI_Win_fence(0, window LAST_ARGUMENT)
	call MPI_Win_shared_query(window, 0, size, unit, where LAST_ARGUMENT)
	first_one => numbers_at(where)
	call expect(size == bytes .and. unit == 4 .and. all(first_one == 0), __LINE__)
	call MPI_Win_fence(0, window LAST_ARGUMENT)
	call MPI_Win_free(window LAST_ARGUMENT)
	call MPI_Comm_free(node LAST_ARGUMENT)
	call declare('MPI_COLLECTIVE_END', 2)
	call declare('RMA_WIN_CREATE', 1)
end subroutine

end module
