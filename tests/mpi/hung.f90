! SPDX-License-Identifier: GPL-3.0-or-later
! Each rank waits for ever for a message of the next with tag 7, and says so before in hangs.RANK.
program hung
	use mpi
	implicit none
	integer :: rank, ranks, status(MPI_STATUS_SIZE), number, error
	character(len=16) :: name

	call mpi_init(error)
	call mpi_comm_rank(MPI_COMM_WORLD, rank, error)
	call mpi_comm_size(MPI_COMM_WORLD, ranks, error)
	write (name, '(a,i0)') 'hangs.', rank
	open (10, file=name)
	write (10, '(i0)') getpid()
	close (10)
	call mpi_recv(number, 1, MPI_INTEGER, mod(rank + 1, ranks), 7, MPI_COMM_WORLD, status, error)
	call mpi_finalize(error)
end program
