# SPDX-License-Identifier: GPL-3.0-or-later
# An MPI that gives less than the thread level that is asked for: the program hears of what it got,
# and MPI was asked for nothing else than it is bare.
. "$srcdir/tests/testlib.sh"
"$mpicc" -w -g -O1 "$srcdir/tests/mpi/lowered.c" -o lowered
"$mpicc" -w -g -O1 -shared -fPIC "$srcdir/tests/mpi/lower.c" -o lower.so
front=$("$contend" preload)

capture full mpi_run 2 timeout 60 ./lowered
expect_status 0 "bare"
expect_line '^thread level multiple$' full.out
capture bare mpi_run 2 timeout 60 env LD_PRELOAD="$PWD/lower.so" ./lowered
expect_status 0 "bare, of a lower level"
expect_line '^thread level funneled$' bare.out
for order in "$front:$PWD/lower.so" "$PWD/lower.so:$front"; do
	capture recorded mpi_run 2 timeout 60 env CONTEND_OUTPUT=run.contend LD_PRELOAD="$order" ./lowered
	expect_status 0 "recorded, $order"
	[ ! -s recorded.err ] || fail "something to complain of: $(cat recorded.err)"
	expect_same_results sort bare.out recorded.out
	expect_clean_archive run.contend
	expect_every_receive_completed run.contend
	rm -rf run.contend*
done
capture recorded mpi_run 2 timeout 60 "$contend" record -o run.contend ./lowered
expect_status 0 "recorded"
expect_same_results sort full.out recorded.out
