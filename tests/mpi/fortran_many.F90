! SPDX-License-Identifier: GPL-3.0-or-later
!
! All sorts of MPI in three bindings, beside what the twins of fortran_twin.c and fortran_wide.c
! do. Every rank checks the results, prints nothing that differs between two runs, and says how many
! events the recording must hold, as behave.h's programs do. An even number of ranks.
!	many            nearly all
!	many threads    threads of OpenMP
!	many spawn      processes that are started
!	many large      large counts (MPI 4, mpi_f08)
!	many session    without MPI_Init (MPI 4)
!	many abort      the last rank ends so; also stop, crash

#include "fortran_binding.inc"

program fortran_many
	use behave
	use fortran_requests
	use fortran_callbacks
	use fortran_failing
	use fortran_windows
	use fortran_files
	use fortran_groups
	use fortran_process
	use fortran_mpi4
	implicit none
	character(20) :: how
	COMM_TYPE :: parents

	call get_command_argument(1, how)
	call outside
	select case (how)
	case ('threads')
		call threads
	case ('session')
		call in_a_session
	case default
		call MPI_Init(ierr)
		call know_self
		call MPI_Comm_get_parent(parents LAST_ARGUMENT)
	end select
	select case (how)
	case ('threads', 'session')
	case ('abort', 'stop', 'crash')
		call ending(how)
	case ('spawn')
		call spawning
	case ('large')
		call large
	case default
		if (parents /= MPI_COMM_NULL) then
			call spawned(parents)
		else
			call everything
		end if
	end select
	if (how /= 'session') call MPI_Finalize(ierr)
	call outside
	print '("rank ", i0, ": ", i0, " wrong")', rank, wrong
	if (wrong /= 0) stop 1

contains

subroutine everything
	call requests
	call failing
	call windows
	call files
	call groups
	call paused
	call kept
	call mixed
	call callbacks
	call of_mpi4
	call declare('polls', polled)
end subroutine

end program
