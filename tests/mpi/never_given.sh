# SPDX-License-Identifier: GPL-3.0-or-later
# A datatype that MPICH never gave out ends the job in the program's call, as without the recorder,
# not in one of the recorder's own.
. "$srcdir/tests/testlib.sh"

"$mpicc" -w -g -O1 "$srcdir/tests/mpi/derived_types.c" -o derived_types
export UCX_HANDLE_ERRORS=none # no debugger
for what in send bcast allreduce; do
	capture bare timeout 60 ./derived_types $what
	bare=$status
	[ "$bare" -ne 0 ] || skip "this MPICH takes any handle for a datatype"
	capture job timeout 60 "$contend" record -o $what.contend ./derived_types $what
	echo "$what: $bare, recorded $status"
	[ "$status" -eq "$bare" ] || fail "$what: $(cat job.err)"
done
