# SPDX-License-Identifier: GPL-3.0-or-later
# MPI begun by sessions, with and without a world beside them, on all ranks or on some:
# nothing hangs, all is recorded, and the trace is made afterwards.
. "$srcdir/tests/testlib.sh"
"$mpicc" -w -g -O1 "$srcdir/tests/mpi/in_sessions.c" -o sessions
capture bare mpi_run 2 timeout 60 ./sessions
[ "$status" -ne 77 ] || skip "no sessions before MPI 4"
expect_status 0 "bare"

# HOW, and what each of the 2 ranks does: talks, each with a Sendrecv.
try() # TALKS COMMUNICATORS [HOW]
{
	talks=$1 communicators=$2
	shift 2
	capture bare mpi_run 2 timeout 60 ./sessions "$@"
	expect_status 0 "bare $*"
	capture recorded mpi_run 2 timeout 60 "$contend" record -o run.contend ./sessions "$@"
	expect_status 0 "recorded $*"
	expect_same_results sort bare.out recorded.out
	[ ! -s recorded.err ] || { cat recorded.err >&2; fail "something to complain of: $*"; }
	[ -z "$(find . -name '.contend.*')" ] || fail "something is left behind: $*"
	capture report timeout 60 "$contend" report run.contend
	expect_status 0 "contend report, $*"
	expect_clean_archive run.contend
	grep -q '"ended": "finalize"' run.contend/run.json || fail "not ended by itself: $*"
	awk '{ n[$1]++ } END { print n["MPI_SEND"], n["MPI_RECV"] }' run.contend.events >counts
	expect_line "^$((2 * talks)) $((2 * talks))\$" counts
	[ "$(grep -c '^COMM ' run.contend.defs)" -eq "$communicators" ] || {
		grep '^COMM ' run.contend.defs >&2
		fail "$*: other than $communicators communicators"
	}
	rm -rf run.contend*
}

try 4 2
try 6 3 world
try 3 3 late
try 3 3 mixed
