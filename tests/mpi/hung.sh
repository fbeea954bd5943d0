# SPDX-License-Identifier: GPL-3.0-or-later
# Of ranks that hung until a signal came, the call in which they did so lasts until then.
. "$srcdir/tests/testlib.sh"
need_file jq jq
"$mpicc" -w -g -O1 "$srcdir/tests/mpi/hung.c" -o hung
capture job mpi_run 2 timeout 60 "$contend" record -o run.contend ./hung
[ "$status" -ne 0 ] || fail "exit status 0"
capture report "$contend" report --json run.contend
expect_status 0 "report"
jq -e '([.run.unfinished[] | select(.signal).alive_s] | max) as $ended |
	([.callsites[] | select(.callsite.mpi == "MPI_Recv").s] | add) as $hung |
	.run.wall_s > 0.9 * $ended and $hung > 1.5' report.out >/dev/null ||
	fail "not until the end: $(jq -c '.run, .callsites' report.out)"
