# SPDX-License-Identifier: GPL-3.0-or-later
# Limits of the process, during the run and at its end, cost the recording and nothing
# else: one warning, and what was recorded by then can be reported.
. "$srcdir/tests/testlib.sh"
"$mpicc" -w -g -O1 "$srcdir/tests/mpi/limited.c" -o limited

try() # HOW CALLS
{
	capture limited mpi_run 2 timeout 60 "$contend" record -o run.contend ./limited "$@"
	expect_status 5 "limit of $*"
	[ "$(grep -c 'is done$' limited.out)" -eq 2 ] || fail "limit of $*: no end"
	expect_one_warning limited.err
	echo "$*: $(grep '^contend: ' limited.err)"
	capture report timeout 60 "$contend" report run.contend
	expect_status 0 "limit of $*: report"
	ends=$(grep -Ec '^- events (of 1 of 2 ranks )?end at .* s \(the log could not' report.out || :)
	[ "$ends" -eq "$([ "$2" -ge 200000 ] && echo 1 || echo 0)" ] ||
		fail "limit of $*: said $ends times that the events end early"
	expect_clean_archive run.contend
	rm -rf run.contend*
}

try size 200000 # while it runs: the log
try size 9000   # at its end: the trace
try files 1000
try size 200000 one # rank 0 has no reason to give up
