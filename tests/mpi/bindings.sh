# SPDX-License-Identifier: GPL-3.0-or-later
# A program of MPI's C++ bindings: each call counts once, whatever these call in C.
. "$srcdir/tests/testlib.sh"
"$mpicc" -w -g -O1 "$srcdir/tests/mpi/bindings.cc" -o bindings -lmpi_cxx -lstdc++ 2>build.err ||
	skip "no C++ bindings of $MPI: $(grep -m 1 -i error build.err)"
capture bare mpi_run 2 timeout 60 ./bindings
expect_status 0 "bare"
expect_line '^rank 1: good$' bare.out
capture recorded mpi_run 2 timeout 60 "$contend" record -o run.contend ./bindings
expect_status 0 "recorded"
[ ! -s recorded.err ] || fail "something to complain of: $(cat recorded.err)"
expect_same_results sort bare.out recorded.out
expect_clean_archive run.contend
expect_every_receive_completed run.contend
awk '/^ENTER/ { n["call " $5]++ } /^MPI_/ { n[$1]++ } END { for (k in n) print k, n[k] }' \
	run.contend.events | sort >counts
cat >want <<'EOF'
MPI_COLLECTIVE_BEGIN 6
MPI_COLLECTIVE_END 6
MPI_IRECV 2
MPI_IRECV_REQUEST 2
MPI_ISEND 8
MPI_ISEND_COMPLETE 8
MPI_RECV 8
MPI_SEND 2
call "MPI_Allreduce" 2
call "MPI_Comm_dup" 2
call "MPI_Comm_free" 2
call "MPI_Finalize" 2
call "MPI_Init" 2
call "MPI_Irecv" 2
call "MPI_Isend" 2
call "MPI_Recv" 6
call "MPI_Request_free" 2
call "MPI_Send_init" 2
call "MPI_Sendrecv" 2
call "MPI_Start" 6
call "MPI_Wait" 6
call "MPI_Waitall" 2
EOF
diff -u want counts >&2 || fail "other events"
