! SPDX-License-Identifier: GPL-3.0-or-later
!
! What the parts of fortran_many.F90 share, as behave.h is shared in C: who I am, what I expect of
! the results, and how many events the recording must hold.

#include "fortran_binding.inc"

module behave
	use, intrinsic :: iso_c_binding
	USE_MPI
	implicit none
	INCLUDE_MPI
	integer, parameter :: address = MPI_ADDRESS_KIND
	integer :: rank, ranks, left, right, partner, ierr, wrong = 0
	integer :: polled = 0 ! calls that ask, all together

contains

#include "fortran_expect.inc"

! After MPI_Init.
subroutine know_self
	call MPI_Comm_rank(MPI_COMM_WORLD, rank LAST_ARGUMENT)
	call MPI_Comm_size(MPI_COMM_WORLD, ranks LAST_ARGUMENT)
	left = mod(rank + ranks - 1, ranks)
	right = mod(rank + 1, ranks)
	partner = ieor(rank, 1)
end subroutine

subroutine declare(event, count)
	character(*), intent(in) :: event
	integer, intent(in) :: count

	print '("expect ", a, 1x, i0)', event, count
end subroutine

! A message around the ring.
subroutine round_ring(tag, comm)
	integer, intent(in) :: tag
	COMM_TYPE, intent(in) :: comm
	integer :: in

	in = -1
	call MPI_Sendrecv(rank, 1, MPI_INTEGER, right, tag, in, 1, MPI_INTEGER, left, tag, comm, &
		MPI_STATUS_IGNORE LAST_ARGUMENT)
	call expect(in == left, __LINE__)
end subroutine

subroutine declare_rings(n)
	integer, intent(in) :: n

	call declare('MPI_Sendrecv', n)
	call declare('MPI_SEND', n)
	call declare('MPI_RECV', n)
end subroutine

end module
