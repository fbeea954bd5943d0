# SPDX-License-Identifier: GPL-3.0-or-later
# Where no run directory can be made, the job says so once and runs as it does bare.
. "$srcdir/tests/testlib.sh"
"$mpicc" -O1 "$srcdir/tests/mpi/many_calls.c" -o many_calls
: >file
capture bare mpi_run 2 ./many_calls 100 5
bare=$status
for place in /proc/run.contend file/run.contend; do
	capture recorded mpi_run 2 "$contend" record -o $place ./many_calls 100 5
	expect_status "$bare" "recorded into $place"
	expect_same_results cat bare.out recorded.out
	expect_one_warning recorded.err
done
