! SPDX-License-Identifier: GPL-3.0-or-later
!
! Part of fortran_many.F90: requests that are cancelled, freed, only looked at, equal or of nobody;
! messages that are probed for; busy loops.

#include "fortran_binding.inc"

module fortran_requests
	use behave
	implicit none
	integer, parameter :: n = 4, polls = 5000

contains

subroutine requests
	call cancelled
	call too_late
	call freed
	call equal_handles
	call nobody
	call started_again
	call probed
	call busy
end subroutine

subroutine cancelled
	integer, asynchronous :: value
	REQUEST_TYPE :: request
	STATUS_TYPE, STATUS_SHAPE asynchronous :: status
	logical :: flag

	value = 5
	call MPI_Irecv(value, 1, MPI_INTEGER, left, 99, MPI_COMM_WORLD, request LAST_ARGUMENT)
	call MPI_Cancel(request LAST_ARGUMENT)
	call MPI_Wait(request, status LAST_ARGUMENT)
	call MPI_Test_cancelled(status, flag LAST_ARGUMENT)
	call expect(flag .and. value == 5 .and. IS_NULL(request), __LINE__)
	call MPI_Recv_init(value, 1, MPI_INTEGER, left, 98, MPI_COMM_WORLD, request LAST_ARGUMENT)
	call MPI_Start(request LAST_ARGUMENT)
	call MPI_Cancel(request LAST_ARGUMENT)
	call MPI_Wait(request, MPI_STATUS_IGNORE LAST_ARGUMENT)
	call expect(.not. IS_NULL(request), __LINE__)
	call MPI_Request_free(request LAST_ARGUMENT)
	call declare('MPI_Cancel', 2)
	call declare('MPI_IRECV_REQUEST', 2)
	call declare('MPI_REQUEST_CANCELLED', 2)
end subroutine

! What a look says to be complete is completed by the wait, once, and can no longer be cancelled.
subroutine too_late
	integer, asynchronous :: in
	REQUEST_TYPE :: request
	STATUS_TYPE, STATUS_SHAPE asynchronous :: status
	logical :: flag

	call MPI_Irecv(in, 1, MPI_INTEGER, left, 1, MPI_COMM_WORLD, request LAST_ARGUMENT)
	call MPI_Send(rank, 1, MPI_INTEGER, right, 1, MPI_COMM_WORLD LAST_ARGUMENT)
	flag = .false.
	do while (.not. flag)
		call MPI_Request_get_status(request, flag, status LAST_ARGUMENT)
		polled = polled + 1
	end do
	call expect(SOURCE_OF(status) == left .and. .not. IS_NULL(request), __LINE__)
	call MPI_Request_get_status(request, flag, MPI_STATUS_IGNORE LAST_ARGUMENT)
#if !defined(OPENMPI)
	polled = polled + 1 ! Open MPI 4.1.4's bindings ask nobody when the status is ignored
#endif
	call MPI_Cancel(request LAST_ARGUMENT)
	call MPI_Wait(request, status LAST_ARGUMENT)
	call MPI_Test_cancelled(status, flag LAST_ARGUMENT)
	call expect(in == left .and. .not. flag, __LINE__)
	call declare('MPI_Cancel', 1)
	call declare('MPI_SEND', 1)
	call declare('MPI_IRECV_REQUEST', 1)
	call declare('MPI_IRECV', 1)
end subroutine

subroutine freed
	integer, asynchronous :: in
	REQUEST_TYPE :: request

	in = -1
	call MPI_Irecv(in, 1, MPI_INTEGER, left, 2, MPI_COMM_WORLD, request LAST_ARGUMENT)
	call MPI_Request_free(request LAST_ARGUMENT)
	call expect(IS_NULL(request), __LINE__)
	call MPI_Isend(rank, 1, MPI_INTEGER, right, 2, MPI_COMM_WORLD, request LAST_ARGUMENT)
	call MPI_Request_free(request LAST_ARGUMENT)
	call MPI_Barrier(MPI_COMM_WORLD LAST_ARGUMENT)
	call round_ring(3, MPI_COMM_WORLD)
	call expect(in == left, __LINE__)
	call declare('MPI_COLLECTIVE_END', 1)
	call declare('MPI_IRECV_REQUEST', 1)
	call declare('MPI_REQUEST_CANCELLED', 1) ! nobody knows what it got
	call declare('MPI_ISEND', 1)
	call declare('MPI_ISEND_COMPLETE', 1)
	call declare_rings(1)
end subroutine

! Small sends are often complete at once and share a handle.
subroutine equal_handles
	integer :: how

	do how = 1, 5
		call exchange(how)
	end do
	call declare('MPI_ISEND', 5 * n)
	call declare('MPI_ISEND_COMPLETE', 5 * n)
	call declare('MPI_IRECV_REQUEST', 5 * n)
	call declare('MPI_IRECV', 5 * n)
end subroutine

subroutine exchange(how)
	integer, intent(in) :: how
	double precision, asynchronous :: sent(n), got(n)
	REQUEST_TYPE :: in(n), out(n)
	integer :: i

	do i = 1, n
		sent(i) = 100 * rank + i
		call MPI_Irecv(got(i), 1, MPI_DOUBLE_PRECISION, left, i, MPI_COMM_WORLD, in(i) LAST_ARGUMENT)
	end do
	do i = 1, n
		call MPI_Isend(sent(i), 1, MPI_DOUBLE_PRECISION, right, i, MPI_COMM_WORLD, out(i) LAST_ARGUMENT)
	end do
	call complete(how, out)
	call complete(how, in)
	call expect(all(got == [(100 * left + i, i = 1, n)]), __LINE__)
end subroutine

subroutine complete(how, requests)
	integer, intent(in) :: how
	REQUEST_TYPE, intent(inout) :: requests(n)
	integer :: i, done, found, at(n)
	logical :: flag

	done = 0
	flag = .false.
	select case (how)
	case (1)
		call MPI_Waitall(n, requests, MPI_STATUSES_IGNORE LAST_ARGUMENT)
	case (2)
		do i = 1, n
			call MPI_Waitany(n, requests, found, MPI_STATUS_IGNORE LAST_ARGUMENT)
		end do
	case (3)
		i = 0
		do while (i < n)
			call MPI_Testsome(n, requests, done, at, MPI_STATUSES_IGNORE LAST_ARGUMENT)
			polled = polled + 1
			i = i + done
		end do
	case (4)
		do i = n, 1, -1
			call MPI_Wait(requests(i), MPI_STATUS_IGNORE LAST_ARGUMENT)
		end do
	case default
		do while (.not. flag)
			call MPI_Testall(n, requests, flag, MPI_STATUSES_IGNORE LAST_ARGUMENT)
			polled = polled + 1
		end do
	end select
	do i = 1, n
		call expect(IS_NULL(requests(i)), __LINE__)
	end do
end subroutine

! Nobody at the other end, or nothing to wait for: no message, whatever is called.
subroutine nobody
	REQUEST_TYPE :: requests(3)
	STATUS_TYPE, STATUS_SHAPE asynchronous :: status
	integer, asynchronous :: value
	integer :: found
	logical :: flag

	value = 7
	requests = MPI_REQUEST_NULL
	call MPI_Isend(value, 1, MPI_INTEGER, MPI_PROC_NULL, 0, MPI_COMM_WORLD, requests(1) LAST_ARGUMENT)
	call MPI_Irecv(value, 1, MPI_INTEGER, MPI_PROC_NULL, 0, MPI_COMM_WORLD, requests(3) LAST_ARGUMENT)
	call MPI_Waitall(3, requests, MPI_STATUSES_IGNORE LAST_ARGUMENT)
	call MPI_Test(requests(1), flag, MPI_STATUS_IGNORE LAST_ARGUMENT)
	call expect(flag, __LINE__)
	call MPI_Wait(requests(1), status LAST_ARGUMENT)
	call expect(SOURCE_OF(status) == MPI_ANY_SOURCE, __LINE__)
	call MPI_Testany(3, requests, found, flag, status LAST_ARGUMENT)
	call expect(flag, __LINE__)
	polled = polled + 2
	call MPI_Waitall(0, requests, MPI_STATUSES_IGNORE LAST_ARGUMENT)
	call MPI_Probe(MPI_PROC_NULL, 0, MPI_COMM_WORLD, status LAST_ARGUMENT)
	call expect(SOURCE_OF(status) == MPI_PROC_NULL .and. value == 7, __LINE__)
end subroutine

! Persistent ones: looked at when inactive, freed while active, never started.
subroutine started_again
	REQUEST_TYPE :: pair(2), never, freed
	integer, asynchronous :: in, out
	integer :: i
	logical :: flag

	call MPI_Recv_init(in, 1, MPI_INTEGER, left, 4, MPI_COMM_WORLD, pair(1) LAST_ARGUMENT)
	call MPI_Ssend_init(out, 1, MPI_INTEGER, right, 4, MPI_COMM_WORLD, pair(2) LAST_ARGUMENT)
	call MPI_Recv_init(in, 1, MPI_INTEGER, left, 5, MPI_COMM_WORLD, never LAST_ARGUMENT)
	do i = 1, n
		out = 10 * rank + i
		call MPI_Startall(2, pair LAST_ARGUMENT)
		call MPI_Waitall(2, pair, MPI_STATUSES_IGNORE LAST_ARGUMENT)
		call expect(in == 10 * left + i, __LINE__)
		call MPI_Wait(pair(1), MPI_STATUS_IGNORE LAST_ARGUMENT)
		call MPI_Test(pair(2), flag, MPI_STATUS_IGNORE LAST_ARGUMENT)
		polled = polled + 1
		call expect(flag .and. .not. IS_NULL(pair(2)), __LINE__)
	end do
	call MPI_Request_free(pair(1) LAST_ARGUMENT)
	call MPI_Request_free(pair(2) LAST_ARGUMENT)
	call MPI_Request_free(never LAST_ARGUMENT)
	call MPI_Send_init(out, 1, MPI_INTEGER, right, 6, MPI_COMM_WORLD, freed LAST_ARGUMENT)
	call MPI_Start(freed LAST_ARGUMENT)
	call MPI_Request_free(freed LAST_ARGUMENT)
	call MPI_Recv(in, 1, MPI_INTEGER, left, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE LAST_ARGUMENT)
	call expect(in == 10 * left + n, __LINE__)
	call MPI_Barrier(MPI_COMM_WORLD LAST_ARGUMENT)
	call declare('MPI_COLLECTIVE_END', 1)
	call declare('MPI_ISEND', n + 1)
	call declare('MPI_ISEND_COMPLETE', n + 1)
	call declare('MPI_IRECV_REQUEST', n)
	call declare('MPI_IRECV', n)
	call declare('MPI_RECV', 1)
end subroutine

! By every kind of probe, on a communicator that is not the world; two matched ones are received
! in the other order.
subroutine probed
	COMM_TYPE :: twin
	MESSAGE_TYPE :: message, other
	REQUEST_TYPE :: request
	STATUS_TYPE, STATUS_SHAPE asynchronous :: status
	integer, asynchronous :: in
	integer :: i
	logical :: flag

	call MPI_Comm_dup(MPI_COMM_WORLD, twin LAST_ARGUMENT)
	do i = 21, 24
		call MPI_Send(i, 1, MPI_INTEGER, right, i, twin LAST_ARGUMENT)
	end do
	flag = .false.
	do while (.not. flag)
		call MPI_Iprobe(MPI_ANY_SOURCE, 21, twin, flag, status LAST_ARGUMENT)
		polled = polled + 1
	end do
	call expect(SOURCE_OF(status) == left, __LINE__)
	call MPI_Recv(in, 1, MPI_INTEGER, left, 21, twin, MPI_STATUS_IGNORE LAST_ARGUMENT)
	call MPI_Mprobe(MPI_ANY_SOURCE, 22, twin, message, status LAST_ARGUMENT)
	call expect(SOURCE_OF(status) == left, __LINE__)
	call MPI_Mrecv(in, 1, MPI_INTEGER, message, status LAST_ARGUMENT)
	call expect(in == 22 .and. SOURCE_OF(status) == left .and. message == MPI_MESSAGE_NULL, __LINE__)
	flag = .false.
	do while (.not. flag)
		call MPI_Improbe(left, 23, twin, flag, message, MPI_STATUS_IGNORE LAST_ARGUMENT)
		polled = polled + 1
	end do
	call MPI_Mprobe(left, MPI_ANY_TAG, twin, other, MPI_STATUS_IGNORE LAST_ARGUMENT)
	call MPI_Imrecv(in, 1, MPI_INTEGER, other, request LAST_ARGUMENT)
	call MPI_Wait(request, MPI_STATUS_IGNORE LAST_ARGUMENT)
	call expect(in == 24, __LINE__)
	call MPI_Mrecv(in, 1, MPI_INTEGER, message, MPI_STATUS_IGNORE LAST_ARGUMENT)
	call expect(in == 23, __LINE__)
	call MPI_Mprobe(MPI_PROC_NULL, 0, twin, message, MPI_STATUS_IGNORE LAST_ARGUMENT)
	call expect(message == MPI_MESSAGE_NO_PROC, __LINE__)
	polled = polled + 3
	call MPI_Mrecv(in, 1, MPI_INTEGER, message, status LAST_ARGUMENT)
	call expect(SOURCE_OF(status) == MPI_PROC_NULL, __LINE__)
	call MPI_Comm_free(twin LAST_ARGUMENT)
	call declare('MPI_Mprobe', 3)
	call declare('MPI_Mrecv', 3)
	call declare('MPI_Imrecv', 1)
	call declare('MPI_COLLECTIVE_END', 2)
	call declare('MPI_SEND', 4)
	call declare('MPI_RECV', 3)
	call declare('MPI_IRECV_REQUEST', 1)
	call declare('MPI_IRECV', 1)
end subroutine

! Whatever asks in vain, often.
subroutine busy
	REQUEST_TYPE :: requests(n)
	MESSAGE_TYPE :: message
	STATUS_TYPE, STATUS_SHAPE asynchronous :: status
	integer, asynchronous :: in(n)
	integer :: i, found, done, at(n)
	logical :: flag, some

	some = .false.
	do i = 1, n
		call MPI_Irecv(in(i), 1, MPI_INTEGER, left, 30 + i, MPI_COMM_WORLD, requests(i) LAST_ARGUMENT)
	end do
	do i = 1, polls
		call MPI_Iprobe(MPI_ANY_SOURCE, 39, MPI_COMM_WORLD, flag, MPI_STATUS_IGNORE LAST_ARGUMENT)
		some = some .or. flag
		call MPI_Test(requests(1), flag, MPI_STATUS_IGNORE LAST_ARGUMENT)
		some = some .or. flag
		call MPI_Testany(n, requests, found, flag, MPI_STATUS_IGNORE LAST_ARGUMENT)
		some = some .or. flag
		call MPI_Testsome(n, requests, done, at, MPI_STATUSES_IGNORE LAST_ARGUMENT)
		some = some .or. done > 0
		call MPI_Testall(n, requests, flag, MPI_STATUSES_IGNORE LAST_ARGUMENT)
		some = some .or. flag
		call MPI_Request_get_status(requests(2), flag, status LAST_ARGUMENT)
		some = some .or. flag
		call MPI_Improbe(left, 38, MPI_COMM_WORLD, flag, message, MPI_STATUS_IGNORE LAST_ARGUMENT)
		some = some .or. flag
	end do
	polled = polled + 7 * polls
	call expect(.not. some, __LINE__)
	call MPI_Barrier(MPI_COMM_WORLD LAST_ARGUMENT)
	do i = 1, n
		call MPI_Send(rank, 1, MPI_INTEGER, right, 30 + i, MPI_COMM_WORLD LAST_ARGUMENT)
	end do
	call MPI_Waitall(n, requests, MPI_STATUSES_IGNORE LAST_ARGUMENT)
	call expect(all(in == left), __LINE__)
	call declare('MPI_COLLECTIVE_END', 1)
	call declare('MPI_SEND', n)
	call declare('MPI_IRECV_REQUEST', n)
	call declare('MPI_IRECV', n)
end subroutine

end module
