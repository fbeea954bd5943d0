# SPDX-License-Identifier: GPL-3.0-or-later
# A program whose timer interrupts all calls of the system, also in the recorder's worst moments:
# every record is kept, and there is nothing to complain of.
. "$srcdir/tests/testlib.sh"

"$mpicc" -g -O1 "$srcdir/tests/mpi/interrupted.c" -o interrupted
cc -shared -fPIC -O1 "$srcdir/tests/mpi/cutshort.c" -o cutshort.so -ldl
capture bare mpi_run 2 timeout 60 ./interrupted
expect_status 0 "bare"
expect_line 'handler its own, interrupted often' bare.out

check() # RUN: 6000 messages each way, and the last job's words
{
	expect_status 0 "$1"
	[ ! -s "$1.err" ] || fail "$1: something to complain of: $(cat "$1.err")"
	expect_same_results sort bare.out "$1.out"
	expect_clean_archive "$1.contend"
	expect_every_receive_completed "$1.contend"
	[ "$(grep -c '^MPI_RECV' "$1.contend.events")" -eq 12000 ] ||
		fail "$1: messages are missing"
	grep -q '"recorded_ranks": 2' "$1.contend/run.json" || fail "$1: not both ranks are there"
	[ ! -e "$1.contend/log" ] || fail "$1: a finished trace, and logs beside it"
}
capture timer mpi_run 2 timeout 60 "$contend" record -o timer.contend ./interrupted
check timer
capture worst mpi_run 2 timeout 60 env LD_PRELOAD="$PWD/cutshort.so" \
	"$contend" record -o worst.contend ./interrupted
check worst
