! SPDX-License-Identifier: GPL-3.0-or-later
!
! Part of fortran_many.F90: what the program gives to MPI to call, and calls MPI itself: handlers of
! errors, attributes' functions, its own requests.

#include "fortran_binding.inc"

module fortran_callbacks
	use behave
	implicit none
	integer :: errors = 0, deleted = 0, asked = 0, released = 0

contains

subroutine callbacks
	call with_handlers
	call with_attributes
	call with_own_requests
end subroutine

subroutine on_error(comm, code)
	COMM_TYPE :: comm
	integer :: code, size

	call MPI_Comm_size(comm, size LAST_ARGUMENT)
	if (size == ranks .and. code /= MPI_SUCCESS) errors = errors + 1
end subroutine

subroutine with_handlers
	ERRHANDLER_TYPE :: handler, same
	COMM_TYPE :: own
	integer :: x, code

	x = 0
	call MPI_Comm_dup(MPI_COMM_WORLD, own LAST_ARGUMENT)
	call MPI_Comm_create_errhandler(on_error, handler LAST_ARGUMENT)
	call MPI_Comm_set_errhandler(own, handler LAST_ARGUMENT)
	call MPI_Comm_get_errhandler(own, same LAST_ARGUMENT)
	call expect(same == handler, __LINE__)
	call MPI_Errhandler_free(same LAST_ARGUMENT)
	call MPI_Errhandler_free(handler LAST_ARGUMENT)
	call MPI_Send(x, 1, MPI_INTEGER, 1000, 1, own, code)
	call MPI_Send(x, 1, MPI_DATATYPE_NULL, right, 1, own, code)
	call MPI_Comm_call_errhandler(own, MPI_ERR_OTHER, code)
	print '("rank ", i0, ": ", i0, " errors")', rank, errors
	call MPI_Comm_free(own LAST_ARGUMENT)
	call declare('MPI_COLLECTIVE_END', 2)
end subroutine

! A message is sent when the communicator goes: it is part of the call that frees it.
subroutine delete(comm, key, value, extra, code)
	COMM_TYPE :: comm
	integer :: key, code
	integer(address) :: value, extra

	deleted = deleted + 1
	if (value == 7 .and. extra == 5 .and. key /= MPI_KEYVAL_INVALID) call round_ring(70, MPI_COMM_WORLD)
	code = MPI_SUCCESS
end subroutine

subroutine with_attributes
	COMM_TYPE :: first, second
	integer :: key
	integer(address) :: value, extra
	logical :: flag

	value = 7
	extra = 5
	call MPI_Comm_create_keyval(MPI_COMM_DUP_FN, delete, key, extra LAST_ARGUMENT)
	call MPI_Comm_dup(MPI_COMM_WORLD, first LAST_ARGUMENT)
	call MPI_Comm_set_attr(first, key, value LAST_ARGUMENT)
	call MPI_Comm_dup(first, second LAST_ARGUMENT)
	value = -1
	call MPI_Comm_get_attr(second, key, value, flag LAST_ARGUMENT)
	call expect(flag .and. value == 7, __LINE__)
	call MPI_Comm_free(second LAST_ARGUMENT)
	call MPI_Comm_free(first LAST_ARGUMENT)
	call MPI_Comm_free_keyval(key LAST_ARGUMENT)
	call expect(deleted == 2, __LINE__)
	call declare('MPI_COLLECTIVE_END', 4)
end subroutine

subroutine query(extra, status, code)
#if defined(BIND_USE_MPI_F08)
	type(MPI_Status) :: status
#else
	integer :: status(MPI_STATUS_SIZE)
#endif
	integer(address) :: extra
	integer :: code

	asked = asked + 1
	call MPI_Status_set_elements(status, MPI_INTEGER, 3 LAST_ARGUMENT)
	call MPI_Status_set_cancelled(status, .false. LAST_ARGUMENT)
#if defined(BIND_USE_MPI_F08)
	status%MPI_SOURCE = 12
	status%MPI_TAG = int(extra)
#else
	status(MPI_SOURCE) = 12
	status(MPI_TAG) = int(extra)
#endif
	code = MPI_SUCCESS
end subroutine

subroutine release(extra, code)
	integer(address) :: extra
	integer :: code

	if (extra == 34) released = released + 1
	code = MPI_SUCCESS
end subroutine

subroutine cancel(extra, done, code)
	integer(address) :: extra
	logical :: done
	integer :: code

	if (done .or. extra /= 34) errors = errors + 100
	code = MPI_SUCCESS
end subroutine

! Requests that MPI knows nothing of, beside one that it does.
subroutine with_own_requests
	REQUEST_TYPE :: requests(2)
	STATUS_TYPE, STATUSES_SHAPE asynchronous :: statuses
	integer, asynchronous :: in
	integer(address) :: extra

	extra = 34
	call MPI_Grequest_start(query, release, cancel, extra, requests(1) LAST_ARGUMENT)
	call MPI_Irecv(in, 1, MPI_INTEGER, left, 71, MPI_COMM_WORLD, requests(2) LAST_ARGUMENT)
	call MPI_Send(rank, 1, MPI_INTEGER, right, 71, MPI_COMM_WORLD LAST_ARGUMENT)
	call MPI_Grequest_complete(requests(1) LAST_ARGUMENT)
	call MPI_Waitall(2, requests, statuses LAST_ARGUMENT)
	call expect(TAG_OF(statuses, 1) == 34 .and. TAG_OF(statuses, 2) == 71 .and. in == left, __LINE__)
	call expect(asked == 1 .and. released == 1, __LINE__)
	call declare('MPI_SEND', 1)
	call declare('MPI_IRECV_REQUEST', 1)
	call declare('MPI_IRECV', 1)
end subroutine

end module
