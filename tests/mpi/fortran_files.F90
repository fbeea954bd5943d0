! SPDX-License-Identifier: GPL-3.0-or-later
!
! Part of fortran_many.F90: files, in all ways to read and write, and what is not there.

#include "fortran_binding.inc"

module fortran_files
	use behave
	implicit none
	integer, parameter :: n = 16, offset = MPI_OFFSET_KIND
	FILE_TYPE :: file
	integer, asynchronous :: in(n), out(n)
	integer(offset) :: here, there, block, start
	integer :: accesses

contains

subroutine files
	accesses = 0
	start = 0
	block = n
	here = rank * block
	there = right * block
	call MPI_File_open(MPI_COMM_WORLD, 'many.data  ', ior(MPI_MODE_CREATE, MPI_MODE_RDWR), MPI_INFO_NULL, file LAST_ARGUMENT)
	call MPI_File_set_view(file, start, MPI_INTEGER, MPI_INTEGER, 'native', MPI_INFO_NULL LAST_ARGUMENT)
	call in_one_call
	call with_requests
	call in_two_calls
	call of_all
	call at_the_end
	call MPI_File_close(file LAST_ARGUMENT)
	call expect(file == MPI_FILE_NULL, __LINE__)
	call not_there
	call MPI_Barrier(MPI_COMM_WORLD LAST_ARGUMENT)
	if (rank == 0) call MPI_File_delete('many.data', MPI_INFO_NULL LAST_ARGUMENT)
	if (rank == 0) call declare('IO_DELETE_FILE', 1)
	if (rank == 0) call declare('files', 1)
	call declare('MPI_COLLECTIVE_END', 1)
	call declare('IO_CREATE_HANDLE', 1)
	call declare('IO_DESTROY_HANDLE', 1)
	call declare('IO_OPERATION_BEGIN', 2 * accesses)
	call declare('IO_OPERATION_COMPLETE', 2 * accesses)
	call declare('bytes-written', 4 * n * accesses)
	call declare('bytes-read', 4 * n * accesses)
end subroutine

! What is written in a round.
subroutine fill
	integer :: i

	accesses = accesses + 1
	in = -1
	out = [(1000 * accesses + 100 * rank + i, i = 1, n)]
end subroutine

subroutine expect_from(writer, line)
	integer, intent(in) :: writer, line
	integer :: i

	call expect(all(in == [(1000 * accesses + 100 * writer + i, i = 1, n)]), line)
end subroutine

subroutine in_one_call
	STATUS_TYPE, STATUS_SHAPE asynchronous :: status
	integer(offset) :: where
	integer :: count

	call fill
	call MPI_File_write_at_all(file, here, out, n, MPI_INTEGER, status LAST_ARGUMENT)
	call MPI_Get_count(status, MPI_INTEGER, count LAST_ARGUMENT)
	call expect(count == n, __LINE__)
	call MPI_File_read_at_all(file, here, in, n, MPI_INTEGER, MPI_STATUS_IGNORE LAST_ARGUMENT)
	call expect_from(rank, __LINE__)
	call fill
	call MPI_File_write_at(file, here, out, n, MPI_INTEGER, MPI_STATUS_IGNORE LAST_ARGUMENT)
	call MPI_File_sync(file LAST_ARGUMENT)
	call MPI_Barrier(MPI_COMM_WORLD LAST_ARGUMENT)
	call MPI_File_read_at(file, there, in, n, MPI_INTEGER, MPI_STATUS_IGNORE LAST_ARGUMENT)
	call expect_from(right, __LINE__)
	call MPI_Barrier(MPI_COMM_WORLD LAST_ARGUMENT)
	call fill
	call MPI_File_seek(file, here, MPI_SEEK_SET LAST_ARGUMENT)
	call MPI_File_write(file, out, n, MPI_INTEGER, MPI_STATUS_IGNORE LAST_ARGUMENT)
	call MPI_File_get_position(file, where LAST_ARGUMENT)
	call expect(where == here + block, __LINE__)
	call MPI_File_seek(file, -block, MPI_SEEK_CUR LAST_ARGUMENT)
	call MPI_File_read(file, in, n, MPI_INTEGER, MPI_STATUS_IGNORE LAST_ARGUMENT)
	call expect_from(rank, __LINE__)
	call declare('MPI_COLLECTIVE_END', 2)
	call declare('IO_SEEK', 2)
	call declare('IO_OPERATION_BEGIN', 1) ! of MPI_File_sync
	call declare('IO_OPERATION_COMPLETE', 1)
end subroutine

subroutine with_requests
	REQUEST_TYPE :: request
	logical :: flag

	call fill
	call MPI_File_iwrite_at(file, here, out, n, MPI_INTEGER, request LAST_ARGUMENT)
	call MPI_Wait(request, MPI_STATUS_IGNORE LAST_ARGUMENT)
	call MPI_File_iread_at(file, here, in, n, MPI_INTEGER, request LAST_ARGUMENT)
	flag = .false.
	do while (.not. flag)
		call MPI_Test(request, flag, MPI_STATUS_IGNORE LAST_ARGUMENT)
		polled = polled + 1
	end do
	call expect_from(rank, __LINE__)
	call declare('IO_OPERATION_ISSUED', 2)
end subroutine

subroutine in_two_calls
	call fill
	call MPI_File_write_at_all_begin(file, here, out, n, MPI_INTEGER LAST_ARGUMENT)
	call MPI_File_write_at_all_end(file, out, MPI_STATUS_IGNORE LAST_ARGUMENT)
	call MPI_File_read_at_all_begin(file, here, in, n, MPI_INTEGER LAST_ARGUMENT)
	call MPI_File_read_at_all_end(file, in, MPI_STATUS_IGNORE LAST_ARGUMENT)
	call expect_from(rank, __LINE__)
	call declare('IO_OPERATION_ISSUED', 2)
end subroutine

! A position that all share.
subroutine of_all
	call MPI_File_seek_shared(file, start, MPI_SEEK_SET LAST_ARGUMENT)
	call fill
	call MPI_File_write_ordered(file, out, n, MPI_INTEGER, MPI_STATUS_IGNORE LAST_ARGUMENT)
	call MPI_File_seek_shared(file, start, MPI_SEEK_SET LAST_ARGUMENT)
	call MPI_File_read_ordered(file, in, n, MPI_INTEGER, MPI_STATUS_IGNORE LAST_ARGUMENT)
	call expect_from(rank, __LINE__)
	call declare('IO_SEEK', 2)
end subroutine

! Beyond it there is less than what was asked for.
subroutine at_the_end
	STATUS_TYPE, STATUS_SHAPE asynchronous :: status
	integer(offset) :: size, where
	integer :: count

	call MPI_File_get_size(file, size LAST_ARGUMENT)
	call expect(size == 4 * block * ranks, __LINE__)
	where = block * ranks - block / 2
	call MPI_File_read_at(file, where, in, n, MPI_INTEGER, status LAST_ARGUMENT)
	call MPI_Get_count(status, MPI_INTEGER, count LAST_ARGUMENT)
	call expect(count == n / 2, __LINE__)
	call declare('IO_OPERATION_BEGIN', 1)
	call declare('IO_OPERATION_COMPLETE', 1)
	call declare('bytes-read', 4 * n / 2)
end subroutine

subroutine not_there
	FILE_TYPE :: none
	integer :: code, class

	call MPI_File_open(MPI_COMM_SELF, 'not there', MPI_MODE_RDONLY, MPI_INFO_NULL, none, code)
	call MPI_Error_class(code, class LAST_ARGUMENT)
	call expect(class == MPI_ERR_NO_SUCH_FILE, __LINE__)
	call MPI_File_delete('not there', MPI_INFO_NULL, code)
	call expect(code /= MPI_SUCCESS, __LINE__)
end subroutine

end module
