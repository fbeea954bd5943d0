# SPDX-License-Identifier: GPL-3.0-or-later
# Who waits in a fence or in MPI_Win_set_info for a late rank waits in a collective: the trace says
# since when.
. "$srcdir/tests/testlib.sh"
"$mpicc" -w -g -O1 "$srcdir/tests/mpi/late_fence.c" -o late_fence
mpi_run 2 timeout 60 "$contend" record -o run.contend ./late_fence
capture report timeout 60 "$contend" report --json run.contend
expect_status 0 "report"
tr -d ' \n' <report.out | grep -Eo '"budget":.*"blame":' |
	grep -Eo '"collective_wait":\{"s":[0-9.e-]+' | sed 's/.*://' >waited
echo "waited $(cat waited) s for 1 s"
awk '{ exit !($1 > 0.8 && $1 < 1.6) }' waited || fail "waited $(cat waited) s in collectives"
