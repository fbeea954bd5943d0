#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Call paths that differ only further up are told apart, as far up as frames are recorded (16, if
# nothing else is said); one that does not change is written once, and holds for all calls after it.
. "$srcdir/tests/testlib.sh"
need_file jq jq

"$mpicc" -g -O1 -w "$srcdir/tests/mpi/paths.c" -o paths
capture paths timeout 60 "$mpiexec" -n 2 "$contend" record -o run.contend ./paths
expect_status 0 "the recorded run"
expect_clean_archive run.contend
# The first frames of each call's path, and how often: two callers, 2 x 20 each, as they take turns.
for call in "MPI_Sendrecv 2" "MPI_Allreduce 4" "MPI_Barrier 14"; do
	grep -A 1 "^ENTER.*\"${call% *}\"" run.contend.events |
		sed -n 's/.*STRING; "\([^"]*\)".*/\1/p' |
		cut -d ';' -f "-${call#* }" | sort | uniq -c | awk '{ print $1 }' |
		paste -s -d ' ' >counts
	expect_line '^40 40$' counts
done
"$contend" report --json run.contend >report.json
jq -e '[.callsites[] | select(.callsite.mpi == "MPI_Sendrecv") | [.callsite.function, .calls]]
	== [["ring", 120]]' report.json >/dev/null || fail "the calls of ring are not 2 x 60"
jq -e '[.callsites[].callsite | select(.mpi == "MPI_Sendrecv") | .paths, .callers[-1]]
	== [2, "main"]' report.json >/dev/null || fail "ring has not two paths from main()"
