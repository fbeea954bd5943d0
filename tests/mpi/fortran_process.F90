! SPDX-License-Identifier: GPL-3.0-or-later
!
! Part of fortran_many.F90: MPI before it begins and after it has ended, pauses, what belongs to the
! process, a library in C, threads, processes that are started, and ends that are none of MPI's.

#include "fortran_binding.inc"

module fortran_process
	use behave
	use, intrinsic :: ieee_arithmetic
	use omp_lib
	implicit none

	interface
		subroutine mixed_begin(comm, datatype, left, right, out, in, requests) bind(c)
			import :: c_int
			integer(c_int), value :: comm, datatype, left, right
			integer(c_int), intent(in) :: out
			integer(c_int) :: in, requests(2)
		end subroutine
		subroutine mixed_end(request, status) bind(c)
			import :: c_int
			integer(c_int) :: request, status(*)
		end subroutine
		integer(c_int) function mixed_count(status) bind(c)
			import :: c_int
			integer(c_int), intent(in) :: status(*)
		end function
		integer(c_int) function mixed_sum(comm, op, window, right, value) bind(c)
			import :: c_int
			integer(c_int), value :: comm, op, window, right, value
		end function
	end interface

contains

subroutine outside
	character(MPI_MAX_LIBRARY_VERSION_STRING) :: text
	integer :: length, major, minor
	logical :: begun, ended

	call MPI_Initialized(begun LAST_ARGUMENT)
	call MPI_Finalized(ended LAST_ARGUMENT)
	call MPI_Get_version(major, minor LAST_ARGUMENT)
	call MPI_Get_library_version(text, length LAST_ARGUMENT)
	print '("begun ", l1, ", ended ", l1, ", MPI ", i0, ".", i0)', begun, ended, major, minor
	call expect(len_trim(text) > 10 .and. major >= 3, __LINE__)
end subroutine

! 0 pauses, 1 goes on.
subroutine paused
	call round_ring(1, MPI_COMM_WORLD)
	call MPI_Pcontrol(0)
	call round_ring(2, MPI_COMM_WORLD)
	call MPI_Pcontrol(1)
	call round_ring(3, MPI_COMM_WORLD)
	call declare_rings(2)
end subroutine

! Rounding and exceptions are the program's; a child of it records nothing.
subroutine kept
	type(ieee_round_type) :: round
	logical :: flags(5)
	integer :: i, status

	call ieee_set_rounding_mode(ieee_up)
	call ieee_set_flag(ieee_all, .false.)
	do i = 1, 100
		call round_ring(i, MPI_COMM_WORLD)
	end do
	call ieee_get_rounding_mode(round)
	call ieee_get_flag([ieee_usual, ieee_underflow], flags(1:4))
	call ieee_set_rounding_mode(ieee_nearest)
	call expect(round == ieee_up .and. .not. any(flags(1:4)), __LINE__)
	status = -1
	call execute_command_line('exit 3', exitstat=status)
	call expect(status == 3, __LINE__)
	call declare_rings(100)
end subroutine

subroutine mixed
	integer, asynchronous :: out, in
	integer, pointer :: shown
	integer :: numbers(2), count
	integer(address) :: size
	ADDRESS_TYPE :: where
	WIN_TYPE :: window
	REQUEST_TYPE :: requests(2)
	STATUS_TYPE, STATUS_SHAPE asynchronous :: status

	out = rank
	in = -1
	call mixed_begin(NUMBER(MPI_COMM_WORLD), NUMBER(MPI_INTEGER), left, right, out, in, numbers)
	NUMBER(requests(1)) = numbers(1)
	NUMBER(requests(2)) = numbers(2)
	call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE LAST_ARGUMENT)
	call expect(in == left .and. IS_NULL(requests(1)), __LINE__)

	in = -1
	call MPI_Irecv(in, 1, MPI_INTEGER, left, 61, MPI_COMM_WORLD, requests(1) LAST_ARGUMENT)
	call MPI_Isend(out, 1, MPI_INTEGER, right, 61, MPI_COMM_WORLD, requests(2) LAST_ARGUMENT)
	numbers = [NUMBER(requests(1)), NUMBER(requests(2))]
	call ended_in_c(numbers)
	NUMBER(requests(1)) = numbers(1)
	NUMBER(requests(2)) = numbers(2)
	call expect(in == left .and. IS_NULL(requests(1)) .and. IS_NULL(requests(2)), __LINE__)

	call MPI_Sendrecv(out, 1, MPI_INTEGER, right, 62, in, 1, MPI_INTEGER, left, 62, MPI_COMM_WORLD, status LAST_ARGUMENT)
	size = 16 ! MPICH 4.0.2 puts into nowhere where a window does not begin with 16 bytes
	call MPI_Win_allocate(size, 4, MPI_INFO_NULL, MPI_COMM_WORLD, where, window LAST_ARGUMENT)
	call c_f_pointer(transfer(where, c_null_ptr), shown)
	count = mixed_sum(NUMBER(MPI_COMM_WORLD), NUMBER(MPI_SUM), NUMBER(window), right, rank)
	call expect(count == ranks * (ranks - 1) / 2 .and. shown == count, __LINE__)
	call MPI_Win_free(window LAST_ARGUMENT)
	call declare_rings(1)
	call declare('MPI_Allreduce', 1)
	call declare('MPI_COLLECTIVE_END', 1)
	call declare('MPI_ISEND', 2)
	call declare('MPI_ISEND_COMPLETE', 2)
	call declare('MPI_IRECV_REQUEST', 2)
	call declare('MPI_IRECV', 2)
	call declare('RMA_PUT', 1)
	call declare('bytes-put', 4)
	call declare('RMA_WIN_CREATE', 1)
end subroutine

! Statuses in numbers, as Fortran has them without mpi_f08, and there by MPI_Status_f082f's layout.
subroutine ended_in_c(numbers)
	integer, intent(inout) :: numbers(2)
	integer :: status(MPI_STATUS_SIZE)

	call mixed_end(numbers(1), status)
	call expect(status(MPI_SOURCE) == left .and. status(MPI_TAG) == 61 .and. mixed_count(status) == 1, __LINE__)
#if defined(BIND_USE_MPI_F08)
	call mixed_end(numbers(2), status)
#else
	call mixed_end(numbers(2), MPI_STATUS_IGNORE)
#endif
end subroutine

! Threads of OpenMP, each with a tag of its own; none ends before all have sent.
subroutine threads
	integer, parameter :: n = 4, rounds = 200
	integer :: provided, level, good

	call MPI_Init_thread(MPI_THREAD_MULTIPLE, provided LAST_ARGUMENT)
	call know_self
	call MPI_Query_thread(level LAST_ARGUMENT)
	call expect(level == provided .and. provided == MPI_THREAD_MULTIPLE, __LINE__)
	good = 0
	!$omp parallel num_threads(n) reduction(+:good)
	good = talked(omp_get_thread_num(), rounds)
	!$omp barrier
	!$omp end parallel
	call expect(good == n * rounds, __LINE__)
	call declare('locations', n)
	call declare('MPI_ISEND', n * rounds)
	call declare('MPI_ISEND_COMPLETE', n * rounds)
	call declare('MPI_IRECV_REQUEST', n * rounds)
	call declare('MPI_IRECV', n * rounds)
end subroutine

integer function talked(tag, rounds) result(good)
	integer, intent(in) :: tag, rounds
	integer, asynchronous :: in, out
	integer :: i, j, found, ierr
	REQUEST_TYPE :: requests(2)
	STATUS_TYPE, STATUS_SHAPE asynchronous :: status

	good = 0
	do i = 1, rounds
		out = 1000 * tag + i
		call MPI_Irecv(in, 1, MPI_INTEGER, partner, tag, MPI_COMM_WORLD, requests(1) LAST_ARGUMENT)
		call MPI_Isend(out, 1, MPI_INTEGER, partner, tag, MPI_COMM_WORLD, requests(2) LAST_ARGUMENT)
		if (mod(i, 2) == 0) then
			call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE LAST_ARGUMENT)
		else
			do j = 1, 2
				call MPI_Waitany(2, requests, found, status LAST_ARGUMENT)
			end do
		end if
		if (in == out) good = good + 1
	end do
end function

! Two are started, without arguments: they know themselves by their parents.
subroutine spawning
	COMM_TYPE :: children, both
	character(200) :: program
	integer :: i, in

	call get_command_argument(0, program)
	call MPI_Comm_spawn(program, MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, children, &
		MPI_ERRCODES_IGNORE LAST_ARGUMENT)
	do i = 0, 1
		if (rank > 0) exit
		call MPI_Recv(in, 1, MPI_INTEGER, i, 1, children, MPI_STATUS_IGNORE LAST_ARGUMENT)
		call expect(in == i, __LINE__)
	end do
	call MPI_Intercomm_merge(children, .false., both LAST_ARGUMENT)
	call together(both)
	call MPI_Comm_disconnect(children LAST_ARGUMENT)
end subroutine

subroutine spawned(parents)
	COMM_TYPE, intent(inout) :: parents
	COMM_TYPE :: both

	call MPI_Send(rank, 1, MPI_INTEGER, 0, 1, parents LAST_ARGUMENT)
	call MPI_Intercomm_merge(parents, .true., both LAST_ARGUMENT)
	call together(both)
	call MPI_Comm_disconnect(parents LAST_ARGUMENT)
end subroutine

! A ring through both worlds.
subroutine together(both)
	COMM_TYPE, intent(inout) :: both
	integer :: me, everybody, in

	call MPI_Comm_rank(both, me LAST_ARGUMENT)
	call MPI_Comm_size(both, everybody LAST_ARGUMENT)
	call MPI_Sendrecv(me, 1, MPI_INTEGER, mod(me + 1, everybody), 2, in, 1, MPI_INTEGER, &
		mod(me + everybody - 1, everybody), 2, both, MPI_STATUS_IGNORE LAST_ARGUMENT)
	call expect(in == mod(me + everybody - 1, everybody), __LINE__)
	call MPI_Comm_free(both LAST_ARGUMENT)
end subroutine

! The last rank sends and ends without MPI_Finalize, the others wait for it.
subroutine ending(how)
	character(*), intent(in) :: how
	integer, parameter :: sends = 100
	integer, pointer :: nowhere
	integer :: i, in

	do i = 1, sends
		if (rank == ranks - 1) call MPI_Send(i, 1, MPI_INTEGER, 0, 1, MPI_COMM_WORLD LAST_ARGUMENT)
		if (rank == 0) call MPI_Recv(in, 1, MPI_INTEGER, ranks - 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE LAST_ARGUMENT)
	end do
	if (rank == ranks - 1) then
		select case (how)
		case ('abort')
			call MPI_Abort(MPI_COMM_WORLD, 9 LAST_ARGUMENT)
		case ('stop')
			stop 9
		case ('crash')
			call c_f_pointer(c_null_ptr, nowhere)
			nowhere = 1
		end select
	end if
	call MPI_Recv(in, 1, MPI_INTEGER, ranks - 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE LAST_ARGUMENT)
end subroutine

end module
