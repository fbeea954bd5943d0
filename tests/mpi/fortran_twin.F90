! SPDX-License-Identifier: GPL-3.0-or-later
!
! The Fortran twin of fortran_twin.c, in three bindings: -DBIND_MPIF_H, -DBIND_USE_MPI,
! -DBIND_USE_MPI_F08. Every rank checks what it received.

#if defined(BIND_USE_MPI_F08)
#define REQUEST_TYPE type(MPI_Request)
#define WIN_TYPE type(MPI_Win)
#define FILE_TYPE type(MPI_File)
#define STATUS_TYPE type(MPI_Status)
#define STATUS_SHAPE
#define STATUSES_SHAPE dimension(4),
#else
#define REQUEST_TYPE integer
#define WIN_TYPE integer
#define FILE_TYPE integer
#define STATUS_TYPE integer
#define STATUS_SHAPE dimension(MPI_STATUS_SIZE),
#define STATUSES_SHAPE dimension(MPI_STATUS_SIZE, 4),
#endif

#if defined(BIND_MPIF_H)
#define USE_MPI
#define INCLUDE_MPI include 'mpif.h'
#elif defined(BIND_USE_MPI)
#define USE_MPI use mpi
#define INCLUDE_MPI
#else
#define USE_MPI use mpi_f08
#define INCLUDE_MPI
#endif

program fortran_twin
	USE_MPI
	implicit none
	INCLUDE_MPI
	integer, parameter :: words = 16
	integer :: rank, ranks, left, right, ierr

	call MPI_Init(ierr)
	call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
	call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierr)
	left = mod(rank + ranks - 1, ranks)
	right = mod(rank + 1, ranks)
	call ring_by_wait
	call ring_by_waitall
	call blocking
	call collective
	call one_sided
	call in_a_file
	if (rank == 0) print '("verified on ", i0, " ranks")', ranks
	call MPI_Finalize(ierr)

contains

subroutine check(buffer, value, what)
	integer, intent(in) :: buffer(words), value
	character(*), intent(in) :: what
	integer :: i

	do i = 1, words
		if (buffer(i) == value + i - 1) cycle
		print *, 'rank ', rank, what, buffer(i), ' instead of ', value + i - 1
		call MPI_Abort(MPI_COMM_WORLD, 1, ierr)
	end do
end subroutine

subroutine fill(buffer, value)
	integer, intent(out) :: buffer(words)
	integer, intent(in) :: value
	integer :: i

	do i = 1, words
		buffer(i) = value + i - 1
	end do
end subroutine

subroutine ring_by_wait
	integer, asynchronous :: in(words), out(words)
	integer :: step
	REQUEST_TYPE :: receive, send
	STATUS_TYPE, STATUS_SHAPE asynchronous :: status

	do step = 1, 5
		call fill(out, 100 * rank + step)
		call MPI_Irecv(in, words, MPI_INTEGER, left, step, MPI_COMM_WORLD, receive, ierr)
		call MPI_Isend(out, words, MPI_INTEGER, right, step, MPI_COMM_WORLD, send, ierr)
		if (mod(step, 2) == 1) then
			call MPI_Wait(receive, status, ierr)
		else
			call MPI_Wait(receive, MPI_STATUS_IGNORE, ierr)
		end if
		call MPI_Wait(send, MPI_STATUS_IGNORE, ierr)
		call check(in, 100 * left + step, 'Wait')
	end do
end subroutine

subroutine ring_by_waitall
	integer, asynchronous :: in1(words), in2(words), out(words)
	REQUEST_TYPE :: requests(4)
	STATUS_TYPE, STATUSES_SHAPE asynchronous :: statuses

	call fill(out, 1000 * rank)
	call MPI_Irecv(in1, words, MPI_INTEGER, left, 10, MPI_COMM_WORLD, requests(1), ierr)
	call MPI_Irecv(in2, words, MPI_INTEGER, right, 11, MPI_COMM_WORLD, requests(2), ierr)
	call MPI_Isend(out, words, MPI_INTEGER, right, 10, MPI_COMM_WORLD, requests(3), ierr)
	call MPI_Isend(out, words, MPI_INTEGER, left, 11, MPI_COMM_WORLD, requests(4), ierr)
	call MPI_Waitall(4, requests, statuses, ierr)
	call check(in1, 1000 * left, 'Waitall')
	call check(in2, 1000 * right, 'Waitall')
	call MPI_Irecv(in1, words, MPI_INTEGER, left, 12, MPI_COMM_WORLD, requests(1), ierr)
	call MPI_Isend(out, words, MPI_INTEGER, right, 12, MPI_COMM_WORLD, requests(2), ierr)
	call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, ierr)
	call check(in1, 1000 * left, 'Waitall without statuses')
end subroutine

subroutine blocking
	integer :: in(words), out(words)
	STATUS_TYPE, STATUS_SHAPE asynchronous :: status

	call fill(out, 10 * rank)
	if (mod(rank, 2) == 0) then
		call MPI_Send(out, words, MPI_INTEGER, right, 20, MPI_COMM_WORLD, ierr)
		call MPI_Recv(in, words, MPI_INTEGER, left, 20, MPI_COMM_WORLD, status, ierr)
	else
		call MPI_Recv(in, words, MPI_INTEGER, left, 20, MPI_COMM_WORLD, &
			MPI_STATUS_IGNORE, ierr)
		call MPI_Send(out, words, MPI_INTEGER, right, 20, MPI_COMM_WORLD, ierr)
	end if
	call check(in, 10 * left, 'Recv')
	call MPI_Sendrecv(out, words, MPI_INTEGER, right, 21, in, words, MPI_INTEGER, left, 21, &
		MPI_COMM_WORLD, status, ierr)
	call check(in, 10 * left, 'Sendrecv')
end subroutine

subroutine collective
	integer :: in(words), out(words)

	call fill(out, merge(7, -1, rank == 0))
	call MPI_Bcast(out, words, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr)
	call check(out, 7, 'Bcast')
	out = 0
	out(1) = rank
	call MPI_Allreduce(out, in, words, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
	if (in(1) /= ranks * (ranks - 1) / 2) call MPI_Abort(MPI_COMM_WORLD, 1, ierr)
end subroutine

subroutine one_sided
	integer, save, asynchronous :: memory(words), out(words)
	WIN_TYPE :: win

	call fill(out, 30 * rank)
	call MPI_Win_create(memory, 4_MPI_ADDRESS_KIND * words, 4, MPI_INFO_NULL, &
		MPI_COMM_WORLD, win, ierr)
	call MPI_Win_fence(0, win, ierr)
	call MPI_Put(out, words, MPI_INTEGER, right, 0_MPI_ADDRESS_KIND, words, MPI_INTEGER, &
		win, ierr)
	call MPI_Win_fence(0, win, ierr)
	call check(memory, 30 * left, 'Put')
	call MPI_Win_free(win, ierr)
end subroutine

subroutine in_a_file
	integer :: in(words), out(words)
	FILE_TYPE :: file

	call fill(out, 40 * rank)
	call MPI_File_open(MPI_COMM_WORLD, 'twin.data', MPI_MODE_CREATE + MPI_MODE_RDWR, &
		MPI_INFO_NULL, file, ierr)
	call MPI_File_write_at_all(file, 4_MPI_OFFSET_KIND * words * rank, out, words, &
		MPI_INTEGER, MPI_STATUS_IGNORE, ierr)
	call MPI_File_read_at_all(file, 4_MPI_OFFSET_KIND * words * rank, in, words, &
		MPI_INTEGER, MPI_STATUS_IGNORE, ierr)
	call check(in, 40 * rank, 'File_read_at_all')
	call MPI_File_close(file, ierr)
end subroutine

end program
